// Painleve's rod: one contact whose paradox is known in closed form.
#include "saltus/solvers/paradox.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

namespace saltus::paradox_test {
namespace {

constexpr double kSlow = 1e-2, kWeight = 1e-3;  // m/s

// The tip of a rod of mass 1 and length 1 at tan = 2: W = [1.6, -1.2; -1.2, 3.4], so that k = 1.6 - 1.2 mu
// when it slides towards -t, and the paradox needs mu > 4/3. Solved from the velocity `u` of the tip and a
// weight.
template <int Dim>
bool meets_paradox(double mu, const Vec<2>& u, double weight = kWeight) {
  VelocityProblem<Dim> problem;
  problem.bodies.resize(2);
  SweepBody<Dim>& rod = problem.bodies[1];
  for (double& m : rod.inverse_mass) m = 1;
  SweepContact<Dim> tip;
  tip.a = 0, tip.b = 1;
  tip.normal = Vec<Dim>::Unit(Dim - 1);
  tip.arm_b = Vec<Dim>::Zero();
  tip.arm_b[0] = -0.5 / std::sqrt(5.0), tip.arm_b[Dim - 1] = -1 / std::sqrt(5.0);
  for (double& j : rod.inverse_inertia) j = 0;
  rod.inverse_inertia[0] = 12;
  if constexpr (Dim == 3) rod.inverse_inertia[3] = rod.inverse_inertia[5] = 12;
  tip.mu = mu;
  rod.v[0] = u[0], rod.v[Dim - 1] = u[1];
  problem.contacts = {tip};
  const Vec<Dim> start = relative_velocity<Dim>(problem.bodies[0], rod, tip);
  rod.v[Dim - 1] -= weight;
  VelocitySweeps<Dim> nlgs;
  EXPECT_EQ(nlgs.solve({1e-12, 1000, {}}, problem).status, SolveStatus::converged);
  return is_in_paradox<Dim>(problem, problem.contacts[0], start, kSlow);
}

TEST(Paradox, acts_where_the_tip_slides_the_way_in_which_pressing_lifts_nothing) {
  for (const double mu : {1.3, 1.37}) {
    EXPECT_EQ(meets_paradox<2>(mu, {-1, 0}) || meets_paradox<2>(mu, {1, 0}), mu > 4.0 / 3) << mu;
    EXPECT_EQ(meets_paradox<3>(mu, {-1, 0}) || meets_paradox<3>(mu, {1, 0}), mu > 4.0 / 3) << mu;
    // The other way it slides as usual.
    EXPECT_FALSE(meets_paradox<2>(mu, {-1, 0}) && meets_paradox<2>(mu, {1, 0})) << mu;
  }
}

TEST(Paradox, does_not_act_where_the_tip_sticks_or_leaves_or_hits) {
  for (const double side : {-1.0, 1.0}) {
    EXPECT_FALSE(meets_paradox<2>(2, {side * 0.5 * kSlow, 0}));  // stopped by the forces of a step
    EXPECT_FALSE(meets_paradox<2>(2, {side, 1}));                // on its way up
    EXPECT_FALSE(meets_paradox<2>(2, {side, -1}));               // an impact has one solution
  }
}

// Lifted a little by the forces of the step, it may take off or jam: both satisfy the law, r = 0 is taken.
TEST(Paradox, acts_where_taking_off_has_a_rival) {
  EXPECT_TRUE(meets_paradox<2>(2, {-1, 0}, -kWeight) || meets_paradox<2>(2, {1, 0}, -kWeight));
  EXPECT_FALSE(meets_paradox<2>(1.3, {-1, 0}, -kWeight) || meets_paradox<2>(1.3, {1, 0}, -kWeight));
}

}  // namespace
}  // namespace saltus::paradox_test
