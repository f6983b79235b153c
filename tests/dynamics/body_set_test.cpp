#include "saltus/dynamics/body_set.hpp"

#include <gtest/gtest.h>

namespace saltus::body_set_test {
namespace {

TEST(BodySet, a_removed_slot_is_used_again_and_its_id_is_not) {
  BodySet<2> bodies;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bodies.add(i, {}, Pose<2>(), Vec<2>::Zero(), Spin<2>::Zero()), i);
  bodies.remove(1);
  EXPECT_EQ(bodies.count(), 2);
  EXPECT_EQ(bodies.find(1), -1);
  EXPECT_EQ(bodies.add(7, {}, Pose<2>(), Vec<2>::Zero(), Spin<2>::Zero()), 1);
  EXPECT_EQ(bodies.find(7), 1);
  EXPECT_EQ(bodies.find(2), 2);
}

TEST(BodySet, kinetic_energy_counts_the_free_degrees_only) {
  BodyModel<3> model;
  model.mass = 2;
  model.inertia = Vec<3>(1, 2, 3).asDiagonal();
  BodySet<3> bodies;
  const Vec<3> v(1, 2, 3), w(1, 1, 1);
  bodies.add(0, model, Pose<3>(), v, w);
  EXPECT_DOUBLE_EQ(bodies.kinetic_energy(0), 0.5 * (2 * 14 + 6));
  model.drive[0].kind = Drive::Kind::locked;
  model.drive[5].kind = Drive::Kind::velocity;
  bodies.add(1, model, Pose<3>(), v, w);
  EXPECT_DOUBLE_EQ(bodies.kinetic_energy(1), 0.5 * (2 * 13 + 3));
}

// Storage of its own takes 2 kB, more than all else that is kept of a ball.
TEST(BodySet, bodies_without_drives_and_forces_share_that_there_are_none) {
  BodySet<3> bodies;
  for (int i = 0; i < 2; ++i) bodies.add(i, {}, Pose<3>(), Vec<3>::Zero(), Spin<3>::Zero());
  const auto& models = std::as_const(bodies).model;
  EXPECT_EQ(models[0].drive.begin(), models[1].drive.begin());
  EXPECT_EQ(models[0].force.begin(), models[1].force.begin());
}

TEST(BodySet, spins_are_kept_in_body_axes) {
  BodySet<3> bodies;
  const Pose<3> turned(Vec<3>::Zero(), exponential_map(Vec<3>(0.3, -0.2, 0.5)));
  const Vec<3> w(1, 2, 3);
  bodies.add(0, {}, turned, Vec<3>::Zero(), w);
  EXPECT_LT((bodies.spin_world(0) - w).norm(), 1e-14);  // two rotations: round-off
  EXPECT_LT((turned.rotated(bodies.spin[0]) - w).norm(), 1e-14);
}

}  // namespace
}  // namespace saltus::body_set_test
