// Which pairs of bodies may touch at all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace saltus {

struct BodyFlags {
  bool fixed = false;        // two fixed bodies never pair; driven walls count as fixed
  std::uint32_t group = 1;   // bits of the groups the body belongs to
  std::uint32_t mask = ~0u;  // bits of the groups it may touch (both bodies must agree)
};

class PairFilter {
 public:
  void exclude_groups(int g, int h) {
    excluded_groups_[g] |= 1u << h;
    excluded_groups_[h] |= 1u << g;
  }

  void exclude_pairs(std::span<const std::pair<int, int>> pairs) {
    for (const auto& [a, b] : pairs) excluded_pairs_.push_back(std::minmax(a, b));
    std::sort(excluded_pairs_.begin(), excluded_pairs_.end());
    excluded_pairs_.erase(std::unique(excluded_pairs_.begin(), excluded_pairs_.end()), excluded_pairs_.end());
  }

  // Forgets the pairs of a body that is taken out.
  void forget(int body) {
    std::erase_if(excluded_pairs_, [&](const auto& p) { return p.first == body || p.second == body; });
  }

  bool may_touch(int a, const BodyFlags& flags_a, int b, const BodyFlags& flags_b) const {
    if (flags_a.fixed && flags_b.fixed) return false;
    if (!(flags_a.group & flags_b.mask) || !(flags_b.group & flags_a.mask)) return false;
    for (int g = 0; g < 32; ++g) {
      if ((flags_a.group >> g & 1u) && (excluded_groups_[g] & flags_b.group)) return false;
    }
    return excluded_pairs_.empty() || !std::binary_search(excluded_pairs_.begin(), excluded_pairs_.end(),
                                                          std::pair<int, int>(std::minmax(a, b)));
  }

 private:
  std::array<std::uint32_t, 32> excluded_groups_{};
  std::vector<std::pair<int, int>> excluded_pairs_;
};

}  // namespace saltus
