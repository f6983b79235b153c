// Shapes of grains drawn at random: polygons, polyhedra, capsules and clusters of balls. Each lies within a
// circle (sphere) of a given radius about its own origin and reaches it, so that what places balls without
// overlaps places these.
#pragma once

#include <string>

#include "saltus/generate/generate_random.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

// Between two numbers, every one equally likely.
struct DrawnNumber {
  double low = 0, high = 0;
  double draw(SplitMix64& random) const { return low < high ? random.uniform(low, high) : low; }
};
struct DrawnCount {
  int low = 0, high = 0;
  int draw(SplitMix64& random) const {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  }
};

struct GrainShape {
  enum class Kind {
    ball,
    corners,  // convex polygon or polyhedron
    capsule,
    cluster  // balls of one size that touch and do not overlap
  };
  Kind kind = Kind::ball;
  DrawnCount corners{6, 6};  // cluster: balls
  // Longest over next length, and in space (`flatness`) that over the shortest: of the ellipse that the
  // corners lie on; of a capsule its length over its width.
  DrawnNumber elongation{1, 1}, flatness{1, 1};
  // 0: corners spread evenly over the ellipse (the most obtuse ones), 1: at random (sharp ones among them).
  DrawnNumber angularity{0, 0};
  std::string where;
};

// Turned at random. InputError (opened by `where`) when no solid of so many corners was found in 100 draws.
template <int Dim>
Shape<Dim> draw_shape(const GrainShape& shape, double radius, SplitMix64& random);

}  // namespace saltus
