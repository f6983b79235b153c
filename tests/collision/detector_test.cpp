#include "saltus/collision/detector.hpp"

#include <gtest/gtest.h>

namespace saltus {
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
}

}  // namespace
}  // namespace saltus
