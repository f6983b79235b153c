// Order, threads and convergence of the sweeps of the velocity form, on a heap of balls on a lattice.
#include <gtest/gtest.h>

#include <set>

#include "saltus/base/parallel.hpp"
#include "saltus/solvers/sweeps/sweep_order.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

namespace saltus::sweep_test {
namespace {

// Balls of different masses, each in contact with its neighbours in the directions of the axes, the lowest
// ones with the ground, body 0; normals lean a little, so that friction has work to do.
template <int Dim>
VelocityProblem<Dim> lattice(int side) {
  VelocityProblem<Dim> problem;
  problem.bodies.resize(1);
  const int layers = Dim == 2 ? 1 : side;
  const auto index = [&](int i, int j, int k) { return 1 + i + side * (j + layers * k); };
  const auto add = [&](int a, int b, int axis, const Vec<Dim>& point) {
    SweepContact<Dim> c;
    c.a = a;
    c.b = b;
    Vec<Dim> n = Vec<Dim>::Unit(axis);
    n[(axis + 1) % Dim] = 0.02 * ((7 * a + 3 * b) % 11 - 5);
    n.normalize();
    c.normal = n;
    c.point = point;
    if (a > 0) c.arm_a = 0.5 * n;
    c.arm_b = -0.5 * n;
    c.mu = 0.4;
    problem.contacts.push_back(c);
  };
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < layers; ++j)
      for (int i = 0; i < side; ++i) {
        SweepBody<Dim> body;
        const double mass = 1 + 0.1 * ((i + 3 * j + 5 * k) % 7);
        for (double& m : body.inverse_mass) m = 1 / mass;
        body.inverse_inertia[0] = 10 / mass;
        if constexpr (Dim == 3) body.inverse_inertia[3] = body.inverse_inertia[5] = 10 / mass;
        body.v[Dim - 1] = -0.05;
        body.v[0] = 0.001 * ((i * j + k) % 5 - 2);
        problem.bodies.push_back(body);
        Vec<Dim> at = Vec<Dim>::Constant(k);
        at[0] = i;
        if (Dim == 3) at[1] = j;
        add(k > 0 ? index(i, j, k - 1) : 0, index(i, j, k), Dim - 1, at - 0.5 * Vec<Dim>::Unit(Dim - 1));
        if (i > 0) add(index(i - 1, j, k), index(i, j, k), 0, at - 0.5 * Vec<Dim>::Unit(0));
        if (j > 0) add(index(i, j - 1, k), index(i, j, k), 1, at - 0.5 * Vec<Dim>::Unit(1));
      }
  return problem;
}

template <int Dim>
void check_order(int side) {
  const VelocityProblem<Dim> problem = lattice<Dim>(side);
  SweepOrder order;
  order.build(problem);
  ASSERT_EQ(order.contacts(), static_cast<int>(problem.contacts.size()));
  std::set<int> visited;
  for (int colour = 0; colour < order.colours(); ++colour) {
    std::set<int> taken;
    for (int block = order.colour_begin(colour); block < order.colour_begin(colour + 1); ++block) {
      std::set<int> own;
      for (int i = order.block_begin(block); i < order.block_begin(block + 1); ++i) {
        const SweepContact<Dim>& c = problem.contacts[order.contact(i)];
        visited.insert(order.contact(i));
        for (const int body : {c.a, c.b})
          if (body > 0) own.insert(body);
      }
      for (const int body : own) EXPECT_TRUE(taken.insert(body).second) << "colour " << colour;
    }
  }
  EXPECT_EQ(visited.size(), problem.contacts.size());
}

TEST(SweepOrder, blocks_of_one_colour_share_no_moving_body_in_2d) { check_order<2>(60); }
TEST(SweepOrder, blocks_of_one_colour_share_no_moving_body_in_3d) { check_order<3>(14); }

// A ball among the contacts of which packs cannot hold two: each of its 150 takes a pack of its own.
TEST(SweepOrder, packs_share_no_moving_body_even_around_a_body_with_more_contacts_than_packs) {
  VelocityProblem<3> problem = lattice<3>(8);
  const int many = static_cast<int>(problem.bodies.size()) - 1;
  for (int i = 0; i < 150; ++i) problem.contacts[i].b = many;
  SweepOrder order;
  order.build(problem, SweepOrder::Open::take, 8);
  std::multiset<int> visited;
  for (int pack = 0; pack < order.places(); pack += 8) {
    std::set<int> taken;
    for (int i = pack; i < pack + 8; ++i) {
      if (order.contact(i) == SweepOrder::kNone) continue;
      visited.insert(order.contact(i));
      const SweepContact<3>& c = problem.contacts[order.contact(i)];
      for (const std::set<int> bodies{c.a, c.b}; const int body : bodies)
        EXPECT_TRUE(body == 0 || taken.insert(body).second) << "pack " << pack / 8;
    }
  }
  EXPECT_EQ(visited.size(), problem.contacts.size());
  EXPECT_EQ(std::set<int>(visited.begin(), visited.end()).size(), problem.contacts.size());
}

template <int Dim>
void check_threads(int side) {
  VelocityProblem<Dim> one = lattice<Dim>(side);
  VelocitySweepOptions options;
  options.tolerance = 5e-5;  // 1e-3 of the fall of a step
  VelocitySweeps<Dim> nlgs;
  const VelocityReport report = nlgs.solve(options, one);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.residual.rms, options.tolerance);
  for (const int threads : {2, 4}) {
    const ThreadScope scope(threads);
    VelocityProblem<Dim> many = lattice<Dim>(side);
    const VelocityReport same = nlgs.solve(options, many);
    EXPECT_EQ(same.sweeps, report.sweeps);
    for (std::size_t i = 0; i < one.contacts.size(); ++i)
      ASSERT_EQ(many.contacts[i].r, one.contacts[i].r) << threads << " threads, contact " << i;
    for (std::size_t i = 0; i < one.bodies.size(); ++i)
      for (int k = 0; k < Dim; ++k) ASSERT_EQ(many.bodies[i].v[k], one.bodies[i].v[k]);
  }
}

// Large enough for several tasks per colour, of 1024 contacts each.
TEST(Sweeps, have_the_same_bits_for_any_number_of_threads_in_2d) { check_threads<2>(100); }
TEST(Sweeps, have_the_same_bits_for_any_number_of_threads_in_3d) { check_threads<3>(20); }

// Iterates x_k with k in (K/2, K + 1] are candidates when K sweeps are allowed: those of an odd K include
// those of K - 1, so that one sweep more cannot end worse, though pushed sweeps lose as often as they gain.
template <int Dim>
void check_best(int side) {
  VelocitySweeps<Dim> nlgs;
  const auto end = [&](std::int64_t sweeps) {
    VelocityProblem<Dim> problem = lattice<Dim>(side);
    const VelocityReport report = nlgs.solve({1e-300, sweeps, {}}, problem);
    EXPECT_EQ(report.status, SolveStatus::max_iterations);
    EXPECT_EQ(report.residual.rms, compute_residual<Dim>(problem).rms);
    return report.residual.rms;
  };
  // The residual that a sweep finds and that of velocities built anew differ by round-off.
  for (int odd = 3; odd < 80; odd += 2) EXPECT_LE(end(odd), end(odd - 1) * (1 + 1e-9)) << odd;
}

TEST(Sweeps, hand_back_the_best_iterate_when_they_end_early) {
  check_best<2>(24);
  check_best<3>(8);
}

// Momentum helps or is put away: at the end of the same number of sweeps nothing is lost by it. The floor is
// what both reach.
template <int Dim>
void check_acceleration(int side) {
  constexpr double kFloor = 1e-7;  // m/s; the fall of a step is 0.05
  for (const double mu : {0.0, 0.2, 0.6, 1.2})
    for (const int sweeps : {30, 150, 600}) {
      VelocitySweepOptions options;
      options.tolerance = 0;
      options.max_sweeps = sweeps;
      double residual[2];
      for (const bool accelerate : {false, true}) {
        VelocityProblem<Dim> problem = lattice<Dim>(side);
        for (SweepContact<Dim>& c : problem.contacts) c.mu = mu;
        options.accelerate = accelerate;
        residual[accelerate] = VelocitySweeps<Dim>().solve(options, problem).residual.rms;
      }
      EXPECT_LE(residual[1], std::max(residual[0], kFloor)) << "mu " << mu << ", " << sweeps << " sweeps";
    }
}

TEST(Sweeps, end_no_worse_with_momentum_than_without_in_2d) {
  for (const int side : {3, 10, 25}) check_acceleration<2>(side);
}
TEST(Sweeps, end_no_worse_with_momentum_than_without_in_3d) {
  for (const int side : {2, 5, 9}) check_acceleration<3>(side);
}

// Two balls on the ground and a third above a gap: it is left out of the sweeps, and comes back when the
// others, thrown up by a moving floor, reach it within the step.
TEST(Sweeps, a_contact_left_out_as_open_comes_back_when_it_closes) {
  for (const double floor_speed : {0.0, 3.0}) {
    VelocityProblem<3> problem;
    problem.bodies.resize(4);
    problem.bodies[0].v[2] = floor_speed;
    for (int ball = 1; ball <= 3; ++ball) {
      SweepBody<3>& body = problem.bodies[ball];
      for (double& m : body.inverse_mass) m = 1;
      for (const int k : {0, 3, 5}) body.inverse_inertia[k] = 10;
      body.v[2] = -0.05;
      SweepContact<3> c;
      c.a = ball - 1;
      c.b = ball;
      c.normal = Vec<3>::UnitZ();
      if (ball > 1) c.arm_a = Vec<3>(0, 0, 0.5);
      c.arm_b = Vec<3>(0, 0, -0.5);
      c.mu = 0.3;
      if (ball == 3) c.shift[0] = 1;
      problem.contacts.push_back(c);
    }
    SweepOrder order;
    order.build(problem, SweepOrder::Open::leave_out);
    EXPECT_EQ(order.open(), std::vector<int>{2});
    VelocitySweepOptions options;
    options.tolerance = 1e-12;
    const VelocityReport report = VelocitySweeps<3>().solve(options, problem);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_NEAR(problem.bodies[2].v[2], floor_speed, 1e-11);  // a few times the tolerance
    EXPECT_NEAR(problem.bodies[3].v[2], floor_speed > 0 ? floor_speed - 1 : -0.05, 1e-11);
  }
}

// Lattices of this size only: larger ones are hard whatever the kernels. In the plane 12 x 12 with a rolling contact in 20 stays at 2e-6 m/s after
// 5e5 plain sweeps, at 4e-9 without rolling; at 9e-7 after 1e5 accelerated ones when all contacts go through the kernel of rolling ones; Newton's method on the canonical
// problem ends at 7e-9 of |b|, interior points at 2e-4, `auto` at 6e-10.
//
// A few contacts that roll leave the packs to the others: the same answer as when each contact is visited by the kernel
// of rolling contacts, by the residual of the law with rolling, and at the price of the packs.
template <int Dim>
void check_few_rolling(int side) {
  VelocityProblem<Dim> problem = lattice<Dim>(side);
  problem.rolling = true;
  for (std::size_t i = 0; i < problem.contacts.size(); i += 20) problem.contacts[i].mu_r = 0.01;
  VelocityProblem<Dim> all = problem;
  for (SweepContact<Dim>& c : all.contacts) c.mu_r = 0.01;
  // One in twenty rolls; an update of a pack costs a sixth of theirs in the plane, a twentieth in space: 0.05 + 0.95 / 6 of all.
  EXPECT_LT(sweep_cost<Dim>(problem), 0.25 * sweep_cost<Dim>(all));
  VelocitySweeps<Dim> nlgs;
  VelocitySweepOptions options;
  options.tolerance = 1e-10;
  options.max_sweeps = 20'000;
  const VelocityReport report = nlgs.solve(options, problem);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.residual.rms, 1e-10);
  bool rolls = false;
  for (const SweepContact<Dim>& c : problem.contacts) {
    // Within the cone of rolling, and no moment where nothing rolls. The projection is as exact as the solution.
    EXPECT_LE(c.moment.norm(), c.mu_r * c.r[0] + 1e-9);
    rolls |= c.moment.norm() > 1e-6;
  }
  EXPECT_TRUE(rolls);
}

TEST(Sweep, a_few_rolling_contacts_do_not_slow_the_others_in_2d) { check_few_rolling<2>(5); }
TEST(Sweep, a_few_rolling_contacts_do_not_slow_the_others_in_3d) { check_few_rolling<3>(6); }

}  // namespace
}  // namespace saltus::sweep_test
