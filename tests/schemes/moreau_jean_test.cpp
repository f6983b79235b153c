#include "saltus/schemes/moreau_jean.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::moreau_jean_test {
namespace {

TEST(MoreauJean, a_tennis_racket_tumbles_without_gaining_energy_or_momentum) {
  BodyModel<3> model;
  model.inertia = Vec<3>(1, 2, 3).asDiagonal();
  BodySet<3> bodies;
  bodies.add(0, model, Pose<3>(), Vec<3>::Zero(), Vec<3>(0.01, 5, 0.01));
  const double energy = bodies.kinetic_energy(0), momentum = (model.inertia * bodies.spin[0]).norm();
  SchemeOptions options;
  options.h = 0.01;
  FreeMotion<3> motion;
  int flips = 0;
  double last = 1, turned = 0;
  const Vec<3> L0 = model.inertia * bodies.spin[0];
  for (int k = 0; k < 100000; ++k) {
    compute_free_motion<3>(bodies, Vec<3>::Zero(), {}, options, k * options.h, motion);
    update_bodies<3>(motion, motion.free, options, bodies);
    const double side = bodies.spin[0].y() > 0 ? 1 : -1;
    flips += side != last;
    last = side;
    if (k == 999)
      turned = (bodies.pose[0].rotated(Vec<3>(model.inertia * bodies.spin[0])) - L0).norm() / L0.norm();
  }
  EXPECT_GT(flips, 100);
  // The midpoint rule keeps both quadratic invariants; what is left is round-off, a random walk of 1e5
  // steps of a few 1e-16: sqrt(1e5) 1e-15 = 3e-13, and 1e-15 * 1e5 = 1e-10 if it always went one way.
  EXPECT_NEAR(bodies.kinetic_energy(0) / energy, 1, 1e-10);
  EXPECT_NEAR((model.inertia * bodies.spin[0]).norm() / momentum, 1, 1e-10);
  // The direction of the momentum in world axes errs by the second order of the rotation: (h w)^2/12 = 2e-4
  // of a turn at worst each tumble.
  EXPECT_LT(turned, 0.01);
}

double drift_with_a_locked_axis(double h) {
  // A constraint that does no work: kinetic energy is kept by the motion, so by the scheme to second order.
  BodyModel<3> model;
  model.inertia = Vec<3>(1, 2, 3).asDiagonal();
  model.drive[5].kind = Drive::Kind::locked;
  BodySet<3> bodies;
  bodies.add(0, model, Pose<3>(Vec<3>::Zero(), exponential_map(Vec<3>(0.3, 0.5, -0.2))), Vec<3>::Zero(),
             Vec<3>(3, 2, 0));
  const double energy = bodies.kinetic_energy(0);
  SchemeOptions options;
  options.h = h;
  FreeMotion<3> motion;
  double worst = 0;
  for (int k = 0; k * h < 5; ++k) {
    compute_free_motion<3>(bodies, Vec<3>::Zero(), {}, options, k * h, motion);
    update_bodies<3>(motion, motion.free, options, bodies);
    worst = std::max(worst, std::abs(bodies.kinetic_energy(0) / energy - 1));
  }
  return worst;
}

TEST(MoreauJean, a_body_with_two_free_axes_keeps_its_energy_to_second_order) {
  const double coarse = drift_with_a_locked_axis(4e-3), fine = drift_with_a_locked_axis(2e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST(MoreauJean, damping_follows_the_theta_rule_exactly) {
  BodyModel<2> model;
  model.damping = 3;
  model.damping_rotation = 5;
  BodySet<2> bodies;
  bodies.add(0, model, Pose<2>(), Vec<2>(1, -2), Spin<2>(4.0));
  SchemeOptions options;
  options.h = 0.1;
  options.theta = 0.75;
  FreeMotion<2> motion;
  compute_free_motion<2>(bodies, Vec<2>::Zero(), {}, options, 0, motion);
  update_bodies<2>(motion, motion.free, options, bodies);
  const auto factor = [&](double c) {
    return (1 - options.h * (1 - options.theta) * c) / (1 + options.h * options.theta * c);
  };
  EXPECT_DOUBLE_EQ(bodies.velocity[0].x(), factor(3));
  EXPECT_DOUBLE_EQ(bodies.velocity[0].y(), -2 * factor(3));
  EXPECT_DOUBLE_EQ(bodies.spin[0][0], 4 * factor(5));
}

TEST(MoreauJean, locked_degrees_do_not_move_whatever_pushes) {
  BodyModel<3> model;
  model.inertia << 2, 0.5, 0, 0.5, 3, 0, 0, 0, 4;
  for (const int dof : {0, 2, 3, 4}) model.drive[dof].kind = Drive::Kind::locked;
  for (int i = 0; i < 6; ++i) model.force[i] = TimeFunction::constant(1);
  BodySet<3> bodies;
  bodies.add(0, model, Pose<3>(), Vec<3>::Zero(), Vec<3>::Zero());
  SchemeOptions options;
  options.h = 0.1;
  FreeMotion<3> motion;
  for (int k = 0; k < 10; ++k) {
    compute_free_motion<3>(bodies, Vec<3>(0, 0, -9.81), {}, options, k * options.h, motion);
    update_bodies<3>(motion, motion.free, options, bodies);
  }
  // One second under a unit force on mass 1, and a unit moment on I_zz = 4.
  EXPECT_LT((bodies.velocity[0] - Vec<3>(0, 1, 0)).norm(), 1e-14);
  EXPECT_LT((bodies.spin_world(0) - Vec<3>(0, 0, 0.25)).norm(), 1e-14);
}

}  // namespace
}  // namespace saltus::moreau_jean_test
