#include "saltus/scenes/scene_names.hpp"

#include <algorithm>

namespace saltus {

int compute_edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> older(n + 1), old(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) old[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const int replaced = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(row);
  }
  return old[n];
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongestName = 100;  // a longer word is no misspelling: spare the quadratic work
  if (word.size() > kLongestName) return {};
  std::string best;
  int best_distance = 0;
  for (const std::string& name : names) {
    const int distance = compute_edit_distance(word, name);
    const int allowed = std::max(1, static_cast<int>(std::max(word.size(), name.size())) / 3);
    if (distance <= allowed && (best.empty() || distance < best_distance))
      best = name, best_distance = distance;
  }
  return best;
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace saltus
