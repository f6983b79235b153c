#include "saltus/generate/generate_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus {

namespace {

// Uniform on the circle or sphere.
template <int Dim>
Vec<Dim> draw_direction(SplitMix64& random) {
  const double angle = random.uniform(0, 2 * M_PI);
  if constexpr (Dim == 2) return {std::cos(angle), std::sin(angle)};
  const double z = random.uniform(-1, 1), r = std::sqrt(1 - z * z);
  Vec<Dim> x;
  x[0] = r * std::cos(angle), x[1] = r * std::sin(angle), x[Dim - 1] = z;
  return x;
}

Pose<2> draw_turn(SplitMix64& random, const Vec<2>&) {
  return Pose<2>(Vec<2>::Zero(), random.uniform(0, 2 * M_PI));
}
// Uniform over rotations (Shoemake 1992).
Pose<3> draw_turn(SplitMix64& random, const Vec<3>&) {
  const double u = random.uniform(), a = random.uniform(0, 2 * M_PI), b = random.uniform(0, 2 * M_PI);
  const double s = std::sqrt(1 - u), c = std::sqrt(u);
  return Pose<3>(Vec<3>::Zero(),
                 Eigen::Quaterniond(c * std::cos(b), s * std::sin(a), s * std::cos(a), c * std::sin(b)));
}

// Directions from even (a regular polygon; the golden spiral) to random.
std::vector<Vec<2>> draw_corners(int count, double angularity, SplitMix64& random, const Vec<2>&) {
  std::vector<Vec<2>> corners;
  std::vector<double> free;
  for (int i = 0; i < count; ++i) free.push_back(random.uniform());
  std::sort(free.begin(), free.end());
  for (int i = 0; i < count; ++i) {
    const double even = (i + 0.5) / count,
                 part = (1 - angularity) * even + angularity * free[static_cast<std::size_t>(i)];
    corners.emplace_back(std::cos(2 * M_PI * part), std::sin(2 * M_PI * part));
  }
  return corners;
}
std::vector<Vec<3>> draw_corners(int count, double angularity, SplitMix64& random, const Vec<3>&) {
  std::vector<Vec<3>> corners;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z), a = i * M_PI * (3 - std::sqrt(5));
    const Vec<3> mixed = (1 - angularity) * Vec<3>(r * std::cos(a), r * std::sin(a), z) +
                         angularity * draw_direction<3>(random);
    corners.push_back(mixed.norm() > 1e-3 ? Vec<3>(mixed.normalized()) : Vec<3>::UnitZ());
  }
  return corners;
}

Shape<2> build_hull(const std::vector<Vec<2>>& corners, const std::string& where) {
  return build_convex_polygon(corners, where);
}
Shape<3> build_hull(const std::vector<Vec<3>>& corners, const std::string& where) {
  return build_convex_polyhedron(corners, where);
}
std::size_t count_corners(const Shape<2>& shape) { return std::get<ConvexPolygon>(shape).vertices.size(); }
std::size_t count_corners(const Shape<3>& shape) { return std::get<ConvexPolyhedron>(shape).vertices.size(); }

// Moves points so that their circle has the radius and its middle is the origin: the centre is that of mass
// of the hull, the radius that of the furthest.
template <int Dim>
void fit_radius(double radius, const Vec<Dim>& centre, std::vector<Vec<Dim>>& points) {
  double furthest = 0;
  for (Vec<Dim>& x : points) x -= centre, furthest = std::max(furthest, x.norm());
  for (Vec<Dim>& x : points) x *= radius / furthest;
}

// Degenerate draws (nearly flat, or a corner within the others) are drawn again: a solid has at least a fifth
// of the extent of its ellipsoid in every direction, in the mean.
template <int Dim>
Shape<Dim> draw_hull(const GrainShape& shape, double radius, SplitMix64& random) {
  constexpr int kDraws = 100;
  const int count = shape.corners.draw(random);
  const double elongation = shape.elongation.draw(random), flatness = shape.flatness.draw(random),
               angularity = shape.angularity.draw(random);
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Vec<Dim>> corners = draw_corners(count, angularity, random, Vec<Dim>());
    const Pose<Dim> turn = draw_turn(random, Vec<Dim>());
    Vec<Dim> axes = Vec<Dim>::Constant(1 / elongation);
    axes[0] = 1;
    if constexpr (Dim == 3) axes[2] = axes[1] / flatness;
    // The even corners are turned first, then stretched: no corner need lie on an axis.
    const Pose<Dim> first = draw_turn(random, Vec<Dim>());
    for (Vec<Dim>& x : corners) x = turn.rotated(axes.cwiseProduct(first.rotated(x)));
    try {
      const Shape<Dim> rough = build_hull(corners, shape.where);
      const MassProperties<Dim> mass = compute_mass_properties<Dim>(rough, 1);
      if (mass.mass < std::pow(0.4, Dim) * axes.prod() || static_cast<int>(count_corners(rough)) != count)
        continue;
      fit_radius<Dim>(radius, mass.centre, corners);
      return build_hull(corners, shape.where);
    } catch (const InputError&) {  // no area or volume
    }
  }
  throw InputError(shape.where, "no solid found with corners", fmt::format("{}", count),
                   "more corners, or less angularity");
}

template <int Dim>
Shape<Dim> draw_capsule(const GrainShape& shape, double radius, SplitMix64& random) {
  const double elongation = shape.elongation.draw(random), width = radius / elongation;
  const Vec<Dim> axis = draw_direction<Dim>(random);
  if (elongation == 1) return Ball<Dim>{radius};
  return Capsule<Dim>{-(radius - width) * axis, (radius - width) * axis, width};
}

// Balls of radius 1, each against one of those before, where it overlaps none.
template <int Dim>
Shape<Dim> draw_cluster(const GrainShape& shape, double radius, SplitMix64& random) {
  const int count = shape.corners.draw(random);
  std::vector<Vec<Dim>> balls = {Vec<Dim>::Zero()};
  while (static_cast<int>(balls.size()) < count) {
    const Vec<Dim> host = balls[random.below(balls.size())];
    const Vec<Dim> place = host + 2 * draw_direction<Dim>(random);
    const bool is_free = std::all_of(balls.begin(), balls.end(), [&](const Vec<Dim>& other) {
      return (place - other).norm() >= 2 * (1 - 1e-12);
    });
    if (is_free) balls.push_back(place);
  }
  Vec<Dim> centre = Vec<Dim>::Zero();
  for (const Vec<Dim>& x : balls) centre += x / static_cast<double>(balls.size());
  double furthest = 0;
  for (const Vec<Dim>& x : balls) furthest = std::max(furthest, (x - centre).norm() + 1);
  const double scale = radius / furthest;
  Compound<Dim> cluster;
  for (const Vec<Dim>& x : balls)
    cluster.parts.push_back({Ball<Dim>{scale}, Pose<Dim>(Vec<Dim>(scale * (x - centre)))});
  return cluster;
}

}  // namespace

template <int Dim>
Shape<Dim> draw_shape(const GrainShape& shape, double radius, SplitMix64& random) {
  switch (shape.kind) {
    case GrainShape::Kind::ball: break;
    case GrainShape::Kind::corners: return draw_hull<Dim>(shape, radius, random);
    case GrainShape::Kind::capsule: return draw_capsule<Dim>(shape, radius, random);
    case GrainShape::Kind::cluster: return draw_cluster<Dim>(shape, radius, random);
  }
  return Ball<Dim>{radius};
}

template Shape<2> draw_shape<2>(const GrainShape&, double, SplitMix64&);
template Shape<3> draw_shape<3>(const GrainShape&, double, SplitMix64&);

}  // namespace saltus
