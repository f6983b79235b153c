#include "saltus/collision/detector.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <limits>

#include "collision/random_shapes.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/collision/narrow_phase.hpp"

namespace saltus::detector_test {
namespace {

TEST(Detector, a_ball_above_a_floor_has_its_distance_as_gap) {
  Detector<3> detector;
  detector.add(Plane{}, {.fixed = true});
  detector.add(Sphere{0.5});
  const std::vector<Pose<3>> poses{Pose<3>(), Pose<3>(Vec<3>(1, 2, 0.75))};
  const auto& contacts = detector.update(poses, {}, 0.3);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_DOUBLE_EQ(contacts[0].gap, 0.25);
  EXPECT_EQ(contacts[0].normal, Vec<3>(0, 0, 1));
  EXPECT_EQ(contacts[0].point, Vec<3>(1, 2, 0.125));
  EXPECT_TRUE(detector.update(poses, {}, 0.2).empty());
  const std::vector<double> travel{0, 0.06};
  EXPECT_EQ(detector.update(poses, travel, 0.2).size(), 1u);
}

TEST(Detector, an_alert_by_width_is_that_of_the_narrower_body_whatever_else_is_there) {
  Detector<3> detector;
  detector.add(Plane{}, {.fixed = true});
  detector.add(Sphere{0.5});
  std::vector<Pose<3>> poses{Pose<3>(), Pose<3>(Vec<3>(0, 0, 0.509))};
  EXPECT_EQ(detector.update(poses, {}, -0.01).size(), 1u);
  EXPECT_TRUE(detector.update(poses, {}, -0.008).empty());
  detector.add(Sphere{50});  // far away
  poses.emplace_back(Vec<3>(0, 0, 1e3));
  EXPECT_TRUE(detector.update(poses, {}, -0.008).empty());
  detector.add(Sphere{0.05});  // 9 mm from the ball
  poses.emplace_back(Vec<3>(0.559, 0, 0.509));
  EXPECT_EQ(detector.update(poses, {}, -0.01).size(), 1u);
  EXPECT_EQ(detector.update(poses, {}, -0.1).size(), 2u);
}

// A scene of mixed bodies, sizes over a factor of 20, some fixed, with a floor.
template <int Dim>
struct Scene {
  std::vector<Shape<Dim>> shapes;
  std::vector<BodyFlags> flags;
  std::vector<Pose<Dim>> poses;
  std::vector<double> travel;

  Scene(RandomShapes& random, int bodies, double box) {
    shapes.push_back(HalfSpace<Dim>{});
    flags.push_back({.fixed = true});
    poses.push_back(Pose<Dim>());
    travel.push_back(0);
    for (int k = 1; k < bodies; ++k) {
      const double size = std::pow(20.0, random.uniform(-1, 0));
      Shape<Dim> shape = Ball<Dim>{size};
      if (k % 3 == 1)
        shape = Capsule<Dim>{-size * random.template direction<Dim>(), Vec<Dim>::Zero(), size / 2};
      if (k % 3 == 2) {
        if constexpr (Dim == 2) {
          shape = random.polygon(size);
        } else {
          shape = random.polyhedron(size);
        }
      }
      shapes.push_back(shape);
      flags.push_back({.fixed = k % 7 == 0, .group = k % 5 == 0 ? 2u : 1u, .mask = k % 11 == 0 ? 1u : ~0u});
      Vec<Dim> x;
      for (int i = 0; i < Dim; ++i) x(i) = random.uniform(0, box);
      poses.push_back(random.template turned<Dim>(x));
      travel.push_back(k % 4 == 0 ? 0.05 * size : 0);
    }
  }

  Detector<Dim> detector() const {
    Detector<Dim> d;
    for (std::size_t k = 0; k < shapes.size(); ++k) d.add(shapes[k], flags[k]);
    return d;
  }

  // The floor counts with the other body.
  double width(int body) const {
    if (is_unbounded<Dim>(shapes[body])) return std::numeric_limits<double>::infinity();
    const Bounds<Dim> box = compute_bounds<Dim>(shapes[body], Pose<Dim>());
    return (box.high - box.low).minCoeff();
  }

  // All pairs, all images: no broad phase.
  std::vector<ContactPoint<Dim>> brute_force(const Vec<Dim>& period, double alert) const {
    NarrowPhase<Dim> narrow_phase;
    std::vector<ManifoldPoint<Dim>> points;
    std::vector<ContactPoint<Dim>> contacts;
    std::vector<Collider<Dim>> colliders;
    for (const auto& shape : shapes) colliders.push_back(build_collider<Dim>(shape));
    for (int a = 0; a < static_cast<int>(shapes.size()); ++a) {
      for (int b = a + 1; b < static_cast<int>(shapes.size()); ++b) {
        if (flags[a].fixed && flags[b].fixed) continue;
        if (!(flags[a].group & flags[b].mask) || !(flags[b].group & flags[a].mask)) continue;
        const int images = a == 0 || period.isZero() ? 0 : 2;
        for (int x = period(0) > 0 ? -images : 0; x <= (period(0) > 0 ? images : 0); ++x) {
          for (int y = period(1) > 0 ? -images : 0; y <= (period(1) > 0 ? images : 0); ++y) {
            IntVec<Dim> image = IntVec<Dim>::Zero();
            image(0) = x, image(1) = y;
            Pose<Dim> pose = poses[b];
            pose.position += image.template cast<double>().cwiseProduct(period);
            const double listed = alert < 0 ? -alert * std::min(width(a), width(b)) : alert;
            narrow_phase.collide(colliders[a], poses[a], colliders[b], pose, listed + travel[a] + travel[b],
                                 points);
            for (const auto& p : points)
              contacts.push_back({a, b, p.feature, p.point, p.normal, p.gap, image});
          }
        }
      }
    }
    return contacts;
  }
};

template <int Dim>
void expect_same(const std::vector<ContactPoint<Dim>>& found,
                 const std::vector<ContactPoint<Dim>>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].a, expected[k].a);
    ASSERT_EQ(found[k].b, expected[k].b);
    ASSERT_EQ(found[k].feature, expected[k].feature);
    ASSERT_EQ(found[k].image, expected[k].image);
    ASSERT_EQ(found[k].gap, expected[k].gap);
    ASSERT_EQ(found[k].point, expected[k].point);
    ASSERT_EQ(found[k].normal, expected[k].normal);
  }
}

template <int Dim>
void compare_with_all_pairs(unsigned seed, const Vec<Dim>& period) {
  RandomShapes random(seed);
  Scene<Dim> scene(random, 250, Dim == 2 ? 20 : 7);
  Detector<Dim> detector = scene.detector();
  detector.set_period(period);
  std::size_t most = 0;
  for (int step = 0; step < 12; ++step) {
    const double alert = step % 3 == 1 ? -0.1 : 0.05;  // of the narrower body, or m
    expect_same<Dim>(detector.update(scene.poses, scene.travel, alert), scene.brute_force(period, alert));
    if (::testing::Test::HasFatalFailure()) return;
    most = std::max(most, detector.contacts().size());
    // Small motions keep the list of candidates, larger ones do not.
    for (std::size_t k = 1; k < scene.poses.size(); ++k) {
      scene.poses[k].position += (step % 4 == 3 ? 0.3 : 3e-4) * random.template vector<Dim>();
    }
    if (step == 7) scene.poses[0].position(Dim - 1) += 0.2;
  }
  EXPECT_GT(most, 60u);
  EXPECT_LT(detector.statistics().rebuilds, 12);
}

// Points of the surfaces of deformable bodies are balls of next to no size, which move as far as the facets beside them.
TEST(Detector, a_point_keeps_its_candidates_as_long_as_its_facet_does) {
  constexpr double kLength = 0.1, kStep = 1e-5;
  Detector<2> detector;
  detector.add(Polyline{{Vec<2>(-kLength / 2, 0), Vec<2>(kLength / 2, 0)}, false, 0.01});
  detector.add(Ball<2>{1e-6 * kLength});
  for (int i = 0; i < 50; ++i) {
    const Vec<2> moved(i * kStep, 0);
    const std::vector<Pose<2>> poses{Pose<2>(moved), Pose<2>(Vec<2>(moved + Vec<2>(0.01, 1e-4)))};
    EXPECT_EQ(detector.update(poses, {}, 1e-3).size(), 1u);
  }
  // 0.5 mm, against a skin of a twelfth of the facet, 8.3 mm.
  EXPECT_EQ(detector.statistics().rebuilds, 1);
}

TEST(Detector, finds_what_all_pairs_find_in_the_plane) { compare_with_all_pairs<2>(21, Vec<2>::Zero()); }
TEST(Detector, finds_what_all_pairs_find_in_space) { compare_with_all_pairs<3>(22, Vec<3>::Zero()); }
TEST(Detector, finds_contacts_through_one_periodic_boundary) { compare_with_all_pairs<2>(23, Vec<2>(19, 0)); }
TEST(Detector, finds_contacts_through_two_periodic_boundaries) {
  compare_with_all_pairs<3>(24, Vec<3>(6, 6.5, 0));
}

TEST(Detector, the_list_does_not_depend_on_the_number_of_threads_or_on_history) {
  RandomShapes random(25);
  Scene<3> scene(random, 400, 8);
  Detector<3> detector = scene.detector();
  const auto one = detector.update(scene.poses, scene.travel, 0.05);
  for (const int threads : {2, 4}) {
    const ThreadScope scope(threads);
    Detector<3> other = scene.detector();
    auto elsewhere = scene.poses;
    for (auto& pose : elsewhere) pose.position += random.vector<3>();
    other.update(elsewhere, scene.travel, 0.05);
    expect_same<3>(other.update(scene.poses, scene.travel, 0.05), one);
  }
}

TEST(Detector, excluded_groups_and_pairs_do_not_touch) {
  const std::vector<Pose<2>> poses{Pose<2>(Vec<2>(0, 0)), Pose<2>(Vec<2>(0.5, 0)), Pose<2>(Vec<2>(1, 0))};
  Detector<2> detector;
  for (const std::uint32_t group : {1u, 2u, 4u}) detector.add(Disk{1}, {.group = group});
  EXPECT_EQ(detector.update(poses, {}, 0).size(), 3u);
  detector.exclude_groups(0, 2);
  EXPECT_EQ(detector.update(poses, {}, 0).size(), 2u);
  const std::pair<int, int> pair(2, 1);
  detector.exclude_pairs({&pair, 1});
  ASSERT_EQ(detector.update(poses, {}, 0).size(), 1u);
  EXPECT_EQ(detector.contacts()[0].b, 1);
}

TEST(Detector, bodies_come_and_go) {
  Detector<2> detector;
  for (int k = 0; k < 3; ++k) detector.add(Disk{0.6});
  const std::vector<Pose<2>> poses{Pose<2>(Vec<2>(0, 0)), Pose<2>(Vec<2>(1, 0)), Pose<2>(Vec<2>(2, 0))};
  EXPECT_EQ(detector.update(poses, {}, 0).size(), 2u);
  detector.remove(1);
  EXPECT_EQ(detector.update(poses, {}, 0).size(), 0u);
  EXPECT_EQ(detector.add(Disk{0.6}), 1);
  EXPECT_EQ(detector.update(poses, {}, 0).size(), 2u);
  detector.remove(2);
  EXPECT_EQ(detector.size(), 2);
}

TEST(Detector, a_body_too_wide_for_the_period_and_a_lost_body_are_told) {
  Detector<2> detector;
  detector.add(Disk{1});
  detector.set_period(Vec<2>(2, 0));
  EXPECT_THROW(detector.update(std::vector<Pose<2>>{Pose<2>()}, {}, 0), InputError);
  detector.set_period(Vec<2>(0, 0));
  EXPECT_THROW(detector.update(std::vector<Pose<2>>{Pose<2>(Vec<2>(std::nan(""), 0))}, {}, 0),
               std::domain_error);
}

// Gaps are 0.5 m both ways round the cell of 3 m, and one period more: 3.5 m.
TEST(Detector, a_fast_body_in_a_cell_sees_another_by_way_of_every_image_in_reach) {
  Detector<2> detector;
  for (int i = 0; i < 2; ++i) detector.add(Disk{0.5});
  detector.set_period(Vec<2>(3, 0));
  const std::vector<Pose<2>> poses{Pose<2>(Vec<2>(0, 0)), Pose<2>(Vec<2>(1.5, 0))};
  const auto count = [&](double far) {
    const std::vector<double> travel{far, far};
    const auto& found = detector.update(poses, travel, 0);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), precedes<2>));
    return found.size();
  };
  EXPECT_EQ(count(0.2), 0u);
  EXPECT_EQ(count(0.3), 2u);
  EXPECT_EQ(count(1.7), 2u);
  EXPECT_EQ(count(1.8), 4u);
  // However fast: as far as one period each, and no error.
  EXPECT_EQ(count(1e9), 4u);
}

TEST(ContactFrame, is_orthonormal_and_right_handed_everywhere) {
  RandomShapes random(26);
  for (int k = 0; k < 10000; ++k) {
    const Mat<3> frame = contact_axes(k == 0 ? Vec<3>(0, 0, -1) : random.direction<3>());
    ASSERT_NEAR((frame.transpose() * frame - Mat<3>::Identity()).norm(), 0, 1e-14);
    ASSERT_NEAR(frame.determinant(), 1, 1e-14);
  }
}

// Not a test of speed: that would fail on a busy machine. The figures are printed, the count of candidates,
// which does not depend on the clock, must grow in proportion to the number of bodies.
TEST(Detector, candidates_grow_in_proportion_to_polydisperse_spheres) {
  double first = 0;
  for (const int bodies : {1000, 10000, 100000}) {
    RandomShapes random(27);
    Detector<3> detector;
    std::vector<Pose<3>> poses;
    double volume = 0;
    std::vector<double> radii;
    for (int k = 0; k < bodies; ++k) radii.push_back(std::pow(20.0, random.uniform(-1, 0)));
    for (const double r : radii) volume += 4.19 * r * r * r;
    const double side = std::cbrt(volume / 0.5);
    for (const double r : radii) {
      detector.add(Sphere{r});
      poses.push_back(
          Pose<3>(side * Vec<3>(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1))));
    }
    // Processor time: other programs do not count.
    const auto now = [] { return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    const auto start = now();
    detector.update(poses, {}, 0.01);
    const auto built = now();
    for (int step = 0; step < 3; ++step) detector.update(poses, {}, 0.01);
    const auto rested = now();
    const double per_body = double(detector.statistics().candidates) / bodies;
    std::printf(
        "%7d spheres, radii 1:20: %.2f candidates, %.2f contacts, rebuild %.2f us, at rest %.3f us per "
        "body\n",
        bodies, per_body, double(detector.contacts().size()) / bodies, (built - start) / bodies,
        (rested - built) / 3 / bodies);
    if (first == 0) first = per_body;
    // Bodies at the border of the box have fewer partners: the smallest sample has up to a third fewer.
    EXPECT_LT(per_body, 1.5 * first);
  }
}

}  // namespace
}  // namespace saltus::detector_test
