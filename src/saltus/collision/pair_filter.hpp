// Which pairs of bodies may touch at all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace saltus {

// Of what stands for a deformable body: points touch facets and what is rigid, never points, and facets never facets.
enum class SurfacePart : std::uint8_t { none, point, facet };

struct BodyFlags {
  bool fixed = false;        // two fixed bodies never pair; driven walls count as fixed
  std::uint32_t group = 1;   // bits of the groups the body belongs to
  std::uint32_t mask = ~0u;  // bits of the groups it may touch (both bodies must agree)
  SurfacePart part = SurfacePart::none;
  int owner = -1;  // the system whose surface it is a part of
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
    if (flags_a.part != SurfacePart::none && flags_a.part == flags_b.part) return false;
    // Groups are between bodies: whether one touches itself is asked of it alone.
    const bool is_self = flags_a.part != SurfacePart::none && flags_b.part != SurfacePart::none &&
                         flags_a.owner == flags_b.owner;
    if (!is_self && !groups_agree(flags_a, flags_b)) return false;
    return excluded_pairs_.empty() || !std::binary_search(excluded_pairs_.begin(), excluded_pairs_.end(),
                                                          std::pair<int, int>(std::minmax(a, b)));
  }

 private:
  bool groups_agree(const BodyFlags& a, const BodyFlags& b) const {
    if (!(a.group & b.mask) || !(b.group & a.mask)) return false;
    for (int g = 0; g < 32; ++g)
      if ((a.group >> g & 1u) && (excluded_groups_[g] & b.group)) return false;
    return true;
  }

  std::array<std::uint32_t, 32> excluded_groups_{};
  std::vector<std::pair<int, int>> excluded_pairs_;
};

}  // namespace saltus
