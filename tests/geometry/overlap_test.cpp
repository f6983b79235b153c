#include "saltus/geometry/overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/geometry/mass_properties.hpp"

namespace saltus::overlap_test {
namespace {

constexpr double kPi = std::numbers::pi;

// Fraction of a fine grid of points of the box that lie in the disk: an oracle of first order in the spacing.
double count_points(const Vec<2>& centre, double radius, const Bounds<2>& box) {
  constexpr int kSide = 1000;
  int inside = 0;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const Vec<2> x =
          box.low + (box.high - box.low).cwiseProduct(Vec<2>((i + 0.5) / kSide, (j + 0.5) / kSide));
      inside += (x - centre).norm() <= radius;
    }
  return inside * (box.high - box.low).prod() / (kSide * kSide);
}

TEST(Overlap, a_disk_cut_by_a_box_has_the_area_that_points_count) {
  const Bounds<2> box{Vec<2>(0, 0), Vec<2>(1, 0.6)};
  for (const Vec<2>& centre :
       {Vec<2>(0, 0), Vec<2>(0.5, 0.3), Vec<2>(1.1, 0.2), Vec<2>(0.5, -0.1), Vec<2>(3, 3)})
    for (const double radius : {0.05, 0.25, 0.45, 2.0})
      // A point stands for 6e-7 m2; those on the border number at most its length, 8 m, over the spacing, 1
      // mm.
      EXPECT_NEAR(compute_overlap<2>(Shape<2>(Disk{radius}), Pose<2>(centre), box),
                  count_points(centre, radius, box), 0.5 * 8e3 * 6e-7)
          << centre.transpose() << ", radius " << radius;
}

TEST(Overlap, slices_of_shapes_add_up_to_the_whole) {
  const Pose<2> pose(Vec<2>(0.3, 0.1), 0.4);
  for (const Shape<2>& shape : {Shape<2>(Disk{0.2}), Shape<2>(build_rectangle(0.3, 0.2))}) {
    double sum = 0;
    for (int i = 0; i < 10; ++i)
      sum += compute_overlap<2>(shape, pose, {Vec<2>(-1 + 0.2 * i, -1), Vec<2>(-1 + 0.2 * (i + 1), 1)});
    EXPECT_NEAR(sum, compute_volume<2>(shape), 1e-14);
  }
  double sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += compute_overlap<3>(Shape<3>(Sphere{0.2}), Pose<3>(Vec<3>(0.3, 0.1, 0)),
                              {Vec<3>(-1 + 0.2 * i, -1, -1), Vec<3>(-1 + 0.2 * (i + 1), 1, 1)});
  EXPECT_NEAR(sum, 4 * kPi / 3 * 0.008, 1e-12);
}

TEST(Overlap, half_a_sphere_is_below_its_centre) {
  // 64 slices of the half: the midpoint rule with exact slice areas.
  EXPECT_NEAR(compute_overlap<3>(Shape<3>(Sphere{1}), Pose<3>(Vec<3>(0, 0, 0)),
                                 {Vec<3>(-2, -2, -2), Vec<3>(2, 2, 0)}),
              2 * kPi / 3, 1e-12);
  EXPECT_NEAR(compute_overlap<3>(Shape<3>(Sphere{1}), Pose<3>(Vec<3>(0, 0, 0)),
                                 {Vec<3>(-2, -2, -2), Vec<3>(0, 2, 2)}),
              2 * kPi / 3, 1e-12);
}

TEST(Overlap, the_lens_of_two_equal_disks_a_radius_apart) {
  // 2 pi/3 - sqrt(3)/2 of r^2.
  EXPECT_NEAR(compute_disk_in_disk(1, 1, 1), 2 * kPi / 3 - std::sqrt(3) / 2, 1e-14);
  EXPECT_EQ(compute_disk_in_disk(2, 1, 1), 0);
  EXPECT_NEAR(compute_disk_in_disk(0.1, 0.5, 2), kPi / 4, 1e-14);
}

TEST(Overlap, rings_around_a_point_share_out_a_disk) {
  double sum = 0;
  for (int i = 0; i < 20; ++i)
    sum += compute_overlap<2>(Shape<2>(Disk{0.3}), Pose<2>(Vec<2>(0.7, 0.2)), Vec<2>(0.1, 0),
                              Ring{0.1 * i, 0.1 * (i + 1)});
  EXPECT_NEAR(sum, kPi * 0.09, 1e-14);
}

}  // namespace
}  // namespace saltus::overlap_test
