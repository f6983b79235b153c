#include "saltus/contact/canonical.hpp"

#include <gtest/gtest.h>

#include <random>

#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

namespace saltus::canonical_test {
namespace {

// Random bodies (one of them immovable) and contacts between neighbours in a ring.
template <int Dim>
VelocityProblem<Dim> random_problem(bool rolling, unsigned seed, bool viscous = false) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> pick(-1, 1);
  const auto vec = [&] {
    Vec<Dim> v;
    for (int i = 0; i < Dim; ++i) v[i] = pick(random);
    return v;
  };
  VelocityProblem<Dim> problem;
  problem.rolling = rolling;
  problem.mass = 2;
  problem.length = 0.3;
  for (int s = 0; s < 8; ++s) {
    SweepBody<Dim> body;
    for (double& v : body.v) v = pick(random);
    for (double& w : body.w) w = pick(random);
    if (s > 0) {
      for (double& m : body.inverse_mass) m = 1 + 0.5 * pick(random);
      if constexpr (Dim == 2)
        body.inverse_inertia[0] = 2;
      else {
        const double J[6] = {2, 0.3, -0.2, 3, 0.1, 2.5};
        std::copy(J, J + 6, body.inverse_inertia);
      }
    }
    problem.bodies.push_back(body);
  }
  for (int c = 0; c < 8; ++c) {
    SweepContact<Dim> contact;
    contact.a = c;
    contact.b = (c + 1) % 8;
    if (contact.a > contact.b) std::swap(contact.a, contact.b);
    contact.normal = vec().normalized();
    contact.arm_a = vec();
    contact.arm_b = vec();
    contact.shift = 0.1 * vec();
    contact.shift[0] -= 1;  // pressed together, so that most contacts close
    contact.mu = 0.3;
    contact.mu_r = rolling ? 0.05 : 0;
    contact.compliance_normal = c % 3 == 0 ? 0.2 : 0;
    contact.compliance_tangent = c % 3 == 0 ? 0.1 : 0;
    contact.viscous = viscous && c % 2 == 0 ? 0.7 : 0;
    problem.contacts.push_back(contact);
  }
  return problem;
}

template <int Dim>
void check_forms(bool rolling) {
  VelocityProblem<Dim> problem = random_problem<Dim>(rolling, 3);
  const ContactProblem local = build_contact_problem<Dim>(problem, ProblemUnits::physical);
  const ContactProblem condensed = condense(build_global_problem<Dim>(problem));
  const Eigen::MatrixXd W = build_sparse(local.W), same = build_sparse(condensed.W);
  // Round-off of products of numbers of order 1, through one inverse: 1e-12 is a thousand times more.
  EXPECT_LT((W - same).norm(), 1e-12 * W.norm());
  EXPECT_LT((local.b - condensed.b).norm(), 1e-12 * local.b.norm());

  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(local.size(), -1, 1);
  const Eigen::VectorXd u = W * r + local.b;
  VelocityProblem<Dim> moved = problem;
  write_impulses<Dim>(r, ProblemUnits::physical, moved);
  EXPECT_LT((read_impulses<Dim>(moved, ProblemUnits::physical) - r).norm(), 1e-14);
  const int block = block_size(local.cone);
  for (int c = 0; c < local.contacts(); ++c) {
    const SweepContact<Dim>& contact = moved.contacts[c];
    Vec<Dim> hat =
        relative_velocity<Dim>(moved.bodies[contact.a], moved.bodies[contact.b], contact) + contact.shift;
    hat[0] += contact.compliance_normal * contact.r[0];
    hat.template tail<Dim - 1>() += contact.compliance_tangent * contact.r.template tail<Dim - 1>();
    EXPECT_LT((hat - u.segment<Dim>(c * block)).norm(), 1e-12);
  }
}

TEST(Canonical, all_forms_are_the_same_problem_in_2d) { check_forms<2>(false); }
TEST(Canonical, all_forms_are_the_same_problem_in_3d) { check_forms<3>(false); }
TEST(Canonical, all_forms_are_the_same_problem_with_rolling_in_2d) { check_forms<2>(true); }
TEST(Canonical, all_forms_are_the_same_problem_with_rolling_in_3d) { check_forms<3>(true); }

template <int Dim>
void check_solution(bool rolling, bool viscous = false) {
  VelocityProblem<Dim> problem = random_problem<Dim>(rolling, 5, viscous);
  VelocityProblem<Dim> written = problem;
  const ContactProblem scaled = build_contact_problem<Dim>(problem, ProblemUnits::scaled);
  VelocitySweeps<Dim> nlgs;
  const VelocityReport report = nlgs.solve({1e-12, 10000, {}}, problem);
  ASSERT_EQ(report.status, SolveStatus::converged);
  // The residual in m/s is the natural map of the scaled canonical problem.
  const Eigen::VectorXd r = read_impulses<Dim>(problem, ProblemUnits::scaled);
  const Eigen::VectorXd u = build_sparse(scaled.W) * r + scaled.b;
  const double absolute = compute_residuals(scaled, r, u).absolute;
  EXPECT_LT(absolute, 1e-12 * std::sqrt(8.0) + 1e-13);
  // Impulses written back give the velocities and felt impulses the sweeps ended with, to their round-off.
  write_impulses<Dim>(r, ProblemUnits::scaled, written);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c)
    EXPECT_LT((written.contacts[c].p - problem.contacts[c].p).norm(), 1e-11);
  for (std::size_t s = 0; s < problem.bodies.size(); ++s)
    for (int i = 0; i < Dim; ++i) EXPECT_NEAR(written.bodies[s].v[i], problem.bodies[s].v[i], 1e-11);
}

TEST(VelocitySweeps, solves_the_canonical_problem_in_2d) { check_solution<2>(false); }
TEST(VelocitySweeps, solves_the_canonical_problem_in_3d) { check_solution<3>(false); }
TEST(VelocitySweeps, solves_the_canonical_problem_with_rolling_in_2d) { check_solution<2>(true); }
TEST(VelocitySweeps, solves_the_canonical_problem_with_rolling_in_3d) { check_solution<3>(true); }

TEST(VelocitySweeps, solves_the_canonical_problem_with_viscous_contacts) {
  check_solution<2>(false, true);
  check_solution<3>(false, true);
  check_solution<2>(true, true);
  check_solution<3>(true, true);
}

TEST(VelocitySweeps, residual_of_a_wrong_answer_is_seen) {
  VelocityProblem<3> problem = random_problem<3>(false, 5);
  VelocitySweeps<3> nlgs;
  nlgs.solve({1e-12, 10000, {}}, problem);
  problem.contacts[2].r[0] += 1;
  problem.bodies[3].v[0] += 0.5;
  EXPECT_GT(compute_residual<3>(problem).rms, 0.01);
}

TEST(VelocitySweeps, a_limit_on_sweeps_is_reported_not_hidden) {
  VelocityProblem<3> problem = random_problem<3>(false, 5);
  VelocitySweeps<3> nlgs;
  const VelocityReport report = nlgs.solve({1e-15, 2, {}}, problem);
  EXPECT_EQ(report.status, SolveStatus::max_iterations);
  EXPECT_EQ(report.sweeps, 2);
  EXPECT_GT(report.residual.rms, 1e-15);
}

TEST(VelocitySweeps, margins_accept_what_the_relaxed_laws_allow) {
  VelocityProblem<2> tight = random_problem<2>(false, 5), loose = tight;
  VelocitySweeps<2> nlgs;
  const VelocityReport strict = nlgs.solve({1, 10000, VelocityMargins{1e-10, 1e-10, 1e-10}}, tight);
  const VelocityReport relaxed = nlgs.solve({1, 10000, VelocityMargins{0.1, 0.1, 0.1}}, loose);
  EXPECT_EQ(strict.status, SolveStatus::converged);
  EXPECT_EQ(relaxed.status, SolveStatus::converged);
  EXPECT_LT(relaxed.sweeps, strict.sweeps);
  EXPECT_LT(strict.residual.max, 1e-8);
}

}  // namespace
}  // namespace saltus::canonical_test
