// Signed distances are certified by duality, not compared with another run of the same code: two points that
// belong to the bodies bound the distance from above, a direction bounds it from below.
#include "saltus/collision/separation.hpp"

#include <gtest/gtest.h>

#include "collision/random_shapes.hpp"

namespace saltus::separation_test {
namespace {

// How far x lies outside the core, 0 inside. Planes of the faces decide.
template <int Dim>
double outside(const Piece<Dim>& p, const Vec<Dim>& x) {
  if (p.vertices.size() == 1) return (x - p.vertices[0]).norm();
  if (p.vertices.size() == 2) {
    const Vec<Dim> edge = p.vertices[1] - p.vertices[0];
    const double t = std::clamp(edge.dot(x - p.vertices[0]) / edge.squaredNorm(), 0.0, 1.0);
    return (x - p.vertices[0] - t * edge).norm();
  }
  double worst = 0;
  for (const Vec<Dim>& n : p.normals) worst = std::max(worst, n.dot(x) - support_height<Dim>(p, n));
  return worst;
}

template <int Dim>
void add_axes(const Piece<Dim>& p, double sign, std::vector<Vec<Dim>>& axes) {
  for (const Vec<Dim>& n : p.normals) axes.push_back(sign * n);
}

std::vector<Vec<3>> edges_of(const Piece<3>& p) {
  std::vector<Vec<3>> edges;
  if (!p.topology && p.vertices.size() == 2) edges.push_back(p.vertices[1] - p.vertices[0]);
  if (!p.topology) return edges;
  for (const auto& e : p.topology->edges) edges.push_back(p.vertices[e.v[1]] - p.vertices[e.v[0]]);
  return edges;
}

// Largest separation over every axis that could matter, none pruned.
template <int Dim>
double brute_force_separation(const Piece<Dim>& a, const Piece<Dim>& b) {
  std::vector<Vec<Dim>> axes;
  add_axes<Dim>(a, 1, axes);
  add_axes<Dim>(b, -1, axes);
  if constexpr (Dim == 3) {
    for (const Vec<3>& e : edges_of(a)) {
      for (const Vec<3>& f : edges_of(b)) {
        const Vec<3> n = e.cross(f);
        if (n.norm() <= 1e-8 * e.norm() * f.norm()) continue;
        axes.push_back(n.normalized());
        axes.push_back(-n.normalized());
      }
    }
  }
  double best = -1e300;
  for (const Vec<Dim>& n : axes) best = std::max(best, separation_along<Dim>(a, b, n));
  return best;
}

template <int Dim>
void certify(const Piece<Dim>& a, const Piece<Dim>& b, const Separation<Dim>& s, int trial) {
  const double size = a.size + b.size;
  ASSERT_NEAR(s.normal.norm(), 1, 1e-12) << "trial " << trial;
  // compute_signed_distance accepts an error of 1e-9 of the size; nothing is added to that.
  const double tolerance = 1e-9 * size;
  ASSERT_NEAR(separation_along<Dim>(a, b, s.normal), s.value, tolerance) << "trial " << trial;
  ASSERT_LE(((s.on_b - s.on_a) - s.value * s.normal).norm(), tolerance) << "trial " << trial;
  if (s.value > 0) {
    ASSERT_LE(outside<Dim>(a, s.on_a), tolerance) << "trial " << trial;
    ASSERT_LE(outside<Dim>(b, s.on_b), tolerance) << "trial " << trial;
  } else {
    ASSERT_LE(brute_force_separation<Dim>(a, b), s.value + tolerance) << "trial " << trial;
  }
}

template <int Dim>
void fuzz(unsigned seed, int trials) {
  RandomShapes random(seed);
  Piece<Dim> a, b;
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto shape_a = random.template any<Dim>(), shape_b = random.template any<Dim>();
    Pose<Dim> pose_b = random.template turned<Dim>(Vec<Dim>::Zero());
    place<Dim>(shape_a, random.template turned<Dim>(Vec<Dim>::Zero()), a);
    place<Dim>(shape_b, pose_b, b);
    // Centres from deep inside to well apart; every fifth pair is brought to exact contact.
    const Vec<Dim> way = random.template direction<Dim>();
    const double touch = support_height<Dim>(a, way) + support_height<Dim>(b, -way);
    const double distance = trial % 5 == 0 ? touch : random.uniform(0, 1.3) * (a.size + b.size);
    pose_b.position = distance * way;
    place<Dim>(shape_b, pose_b, b);
    const Separation<Dim> s = compute_signed_distance<Dim>(a, b);
    certify<Dim>(a, b, s, trial);
    if (::testing::Test::HasFatalFailure()) return;
    // Asked only up to some distance, the answer is the same below it and above it elsewhere.
    const double far = s.value + 0.1 * random.uniform(-1, 1) * (a.size + b.size);
    const Separation<Dim> near = compute_signed_distance<Dim>(a, b, far);
    if (s.value <= far) {
      ASSERT_EQ(near.value, s.value) << "trial " << trial;
    } else {
      ASSERT_GT(near.value, far) << "trial " << trial;
    }
    ++(s.value > 0 ? apart : overlapping);
  }
  EXPECT_GT(apart, trials / 10);
  EXPECT_GT(overlapping, trials / 10);
}

TEST(Separation, random_plane_shapes_have_the_certified_distance) { fuzz<2>(1, 20000); }
TEST(Separation, random_solid_shapes_have_the_certified_distance) { fuzz<3>(2, 20000); }

TEST(Separation, nearly_parallel_boxes_have_the_certified_distance) {
  RandomShapes random(3);
  Piece<3> a, b;
  for (int trial = 0; trial < 5000; ++trial) {
    const ConvexShape<3> box_a = build_box(Vec<3>(random.size(), 1, 1)),
                         box_b = build_box(Vec<3>(1, random.size(), 1));
    Pose<3> pose(Vec<3>(random.uniform(-1, 1), random.uniform(-1, 1), 1 + random.uniform(-1, 1) * 1e-3));
    pose.rotate(std::pow(10.0, random.uniform(-16, -2)) * random.direction<3>());
    place<3>(box_a, Pose<3>(), a);
    place<3>(box_b, pose, b);
    certify<3>(a, b, compute_signed_distance<3>(a, b), trial);
    if (HasFatalFailure()) return;
  }
}

TEST(Separation, swapping_the_bodies_mirrors_the_normal) {
  RandomShapes random(4);
  Piece<3> a, b;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto shape_a = random.any<3>(), shape_b = random.any<3>();
    place<3>(shape_a, random.turned<3>(Vec<3>::Zero()), a);
    place<3>(shape_b, random.turned<3>(a.size * random.vector<3>()), b);
    const double one = compute_signed_distance<3>(a, b).value, two = compute_signed_distance<3>(b, a).value;
    ASSERT_NEAR(one, two, 1e-9 * (a.size + b.size)) << "trial " << trial;
  }
}

// A cylinder against a point: the distance has a closed form.
TEST(Separation, a_cylinder_has_the_distance_of_its_round_surface) {
  RandomShapes random(5);
  Piece<3> a, b;
  for (int trial = 0; trial < 5000; ++trial) {
    const Cylinder cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)};
    const Pose<3> pose = random.turned<3>(random.vector<3>());
    const Vec<3> x = random.vector<3>();
    place<3>(cylinder, pose, a);
    place<3>(Sphere{1}, Pose<3>(pose.to_world(x)), b);
    const double across = std::hypot(x.x(), x.y()) - cylinder.radius,
                 along = std::abs(x.z()) - cylinder.half_length;
    const double expected = across > 0 && along > 0 ? std::hypot(across, along) : std::max(across, along);
    const Separation<3> s = compute_signed_distance<3>(a, b);
    ASSERT_NEAR(s.value, expected, 2e-9 * a.size) << "trial " << trial << " " << across << " " << along;
  }
}

// Cylinders against polyhedra and each other: the direction bounds the distance from below, no sampled
// direction may be better.
TEST(Separation, no_direction_separates_cylinders_better_than_the_one_found) {
  RandomShapes random(6);
  Piece<3> a, b;
  for (int trial = 0; trial < 600; ++trial) {
    place<3>(Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)}, random.turned<3>(Vec<3>::Zero()), a);
    ConvexShape<3> other = random.polyhedron(1);
    if (trial % 2) other = Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)};
    place<3>(other, random.turned<3>(random.vector<3>() * 0.8), b);
    const Separation<3> s = compute_signed_distance<3>(a, b);
    ASSERT_NEAR(separation_along<3>(a, b, s.normal), s.value, 2e-9 * (a.size + b.size)) << "trial " << trial;
    for (int k = 0; k < 1000; ++k) {
      // Half of the directions near the one found, where a better one would be easy to miss.
      const Vec<3> n =
          k % 2
              ? random.direction<3>()
              : Vec<3>((s.normal + std::pow(10.0, random.uniform(-5, -1)) * random.vector<3>()).normalized());
      ASSERT_LE(separation_along<3>(a, b, n), s.value + 2e-9 * (a.size + b.size)) << "trial " << trial;
    }
  }
}

TEST(Separation, a_cylinder_flush_with_the_edges_of_a_box_is_as_far_as_it_looks) {
  // Drums under beams: walls and ends in line, supports that fall together. The answer is the gap between the
  // flat faces; the tolerance is that of the polytope, 1e-9 of the sizes.
  const ConvexShape<3> drum = Cylinder{0.25, 0.25}, beam = build_box({1.75, 0.5, 0.3});
  Piece<3> a, b;
  for (const double x : {0.0, 0.25, 0.625, 0.875, 1.0})
    for (const double y : {0.0, 0.1, 0.25, 0.4})
      for (const double gap : {-1e-2, -1e-9, 0.0, 1e-12, 1e-3})
        for (const bool lies : {false, true}) {
          if (lies && y > 0.25) continue;  // beside the beam, not under it
          place<3>(drum, Pose<3>(Vec<3>(0, 0, 0), exponential_map(Vec<3>(0, lies ? M_PI / 2 : 0, 0))), a);
          place<3>(beam, Pose<3>(Vec<3>(x, y, 0.4 + gap)), b);
          const Separation<3> up = compute_signed_distance<3>(a, b), down = compute_signed_distance<3>(b, a);
          EXPECT_NEAR(up.value, gap, 3e-9) << x << ' ' << y << ' ' << gap << ' ' << lies;
          EXPECT_NEAR(down.value, gap, 3e-9) << x << ' ' << y << ' ' << gap << ' ' << lies;
          EXPECT_NEAR(up.normal.z(), 1, 1e-4) << x << ' ' << y << ' ' << gap << ' ' << lies;
        }
}

TEST(Separation, drums_on_drums_of_any_offset_touch_by_their_caps) {
  const ConvexShape<3> drum = Cylinder{0.25, 0.25}, wide = Cylinder{0.5, 0.1};
  Piece<3> a, b;
  for (const double x : {0.0, 0.1, 0.25, 0.4})
    for (const double gap : {-1e-3, 0.0, 1e-12, 1e-3}) {
      place<3>(drum, Pose<3>(), a);
      place<3>(wide, Pose<3>(Vec<3>(x, 0, 0.35 + gap)), b);
      EXPECT_NEAR(compute_signed_distance<3>(a, b).value, gap, 2e-9) << x << ' ' << gap;
      EXPECT_NEAR(compute_signed_distance<3>(b, a).value, gap, 2e-9) << x << ' ' << gap;
    }
}

TEST(Separation, crossed_cylinders_touch_where_their_axes_pass) {
  const ConvexShape<3> wide = Cylinder{0.25, 0.25}, thin = Cylinder{0.1, 0.15};
  Piece<3> a, b;
  place<3>(wide, Pose<3>(Vec<3>(0, 0, 0), exponential_map(Vec<3>(M_PI / 2, 0, 0))), a);
  for (const double y : {0.0, 0.1, -0.2})
    for (const double gap : {-1e-3, -1e-6, 1e-3}) {
      place<3>(thin, Pose<3>(Vec<3>(0.05, y, 0.35 + gap), exponential_map(Vec<3>(0, M_PI / 2, 0))), b);
      const Separation<3> s = compute_signed_distance<3>(a, b);
      EXPECT_NEAR(s.value, gap, 1e-9) << y << ' ' << gap;
      // The surfaces curve: within a depth of 1e-9 a touching point may be off by sqrt(2 * 0.1 * 1e-9), and
      // where they overlap by as much as the overlap is wide, sqrt(2 * 0.1 * 1e-3).
      EXPECT_NEAR(s.on_a.x(), 0, gap > 0 ? 1e-4 : 0.015) << y << ' ' << gap;
      EXPECT_NEAR(s.on_a.y(), y, gap > 0 ? 1e-4 : 0.015) << y << ' ' << gap;
    }
}

}  // namespace
}  // namespace saltus::separation_test
