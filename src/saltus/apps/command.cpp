#include "saltus/apps/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace saltus {

namespace {

// Insertions, deletions and replacements of one letter that turn a into b (Levenshtein).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

void exit_with(ExitCode code) { throw CLI::RuntimeError(code); }

std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = word.size() / 2 + 1;  // more than half of it wrong is another word
  for (const std::string& candidate : names) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

CLI::Validator one_of(const std::string& what, const std::vector<std::string>& names) {
  const auto check = [what, names](const std::string& word) -> std::string {
    if (std::find(names.begin(), names.end(), word) != names.end()) return {};
    const std::string nearest = nearest_name(word, names);
    const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
    return fmt::format("unknown {}: got {}{}, allowed: {}", what, word, hint, fmt::join(names, ", "));
  };
  CLI::Validator validator(check, fmt::format("{}", fmt::join(names, "|")));
  validator.name(what);
  return validator;
}

void add_examples(CLI::App& command, const std::vector<std::string>& lines) {
  command.footer(fmt::format("Examples:\n  {}", fmt::join(lines, "\n  ")));
}

}  // namespace saltus
