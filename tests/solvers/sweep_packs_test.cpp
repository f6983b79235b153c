// Visits of packs: the same bits from all instruction sets, and what single contacts say.
#include "saltus/solvers/sweeps/sweep_packs.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "saltus/solvers/sweeps/sweep_kernel.hpp"

namespace saltus::sweep_packs_test {
namespace {

constexpr int kBodies = 64, kPacks = 20, kGroundPlace = kBodies, kEmptyLane = 5;

struct Swept {
  std::vector<double> bodies = std::vector<double>(8 * (kBodies + 1));  // the ground is the last
  std::vector<CentralPack> packs = std::vector<CentralPack>(kPacks);
  PackSums sums{};
};

// Balls in contacts of all kinds: opening, closing, sliding, soft, without friction, with the ground; one
// lane without a contact.
Swept random_packs() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Swept s;
  for (int body = 0; body < kBodies; ++body)
    for (int k = 0; k < 8; ++k) s.bodies[8 * body + k] = k % 4 == 3 ? 1.5 + number(random) : number(random);
  for (int i = 0; i < kPacks; ++i)
    for (int k = 0; k < kLanes; ++k) {
      CentralPack& c = s.packs[i];
      c.a[k] = c.b[k] = kGroundPlace;
      c.taken = kLanes;
      if (i == 3 && k == kEmptyLane) continue;
      if (k > 0) c.a[k] = (16 * i + 2 * k) % kBodies;
      c.b[k] = (16 * i + 2 * k + 1) % kBodies;
      Vec<3> n(number(random), number(random), number(random));
      n.normalize();
      for (int axis = 0; axis < 3; ++axis) {
        c.n[axis][k] = n[axis];
        c.shift[axis][k] = 0.1 * number(random);
        c.r[axis][k] = c.last[axis][k] = k % 3 == 0 ? 0 : 0.3 * number(random) + n[axis];
      }
      c.da[k] = k > 0 ? 0.5 : 0;
      c.db[k] = 0.7;
      c.mu[k] = i % 5 == 0 ? 0 : 0.5;
      c.compliance_n[k] = c.compliance_t[k] = i % 4 == 0 ? 0.2 : 0;
      const double* a = &s.bodies[8 * c.a[k]];
      const double* b = &s.bodies[8 * c.b[k]];
      const double wn = a[3] + b[3], wt = wn + c.da[k] * c.da[k] * a[7] + c.db[k] * c.db[k] * b[7];
      c.inverse_n[k] = 1 / (wn + c.compliance_n[k]);
      c.inverse_t[k] = 1 / (wt + c.compliance_t[k]);
    }
  return s;
}

constexpr PackPass kPass = {0.6, 0.7, 1, 0.8, true, true, true, 0.3, 0.4, 0.5};

Swept sweep(const PackKernels& kernels, bool exact, int times, double normal = 1) {
  Swept s = random_packs();
  PackPass pass = kPass;
  pass.exact = exact;
  pass.normal = normal;
  const std::vector<double> frozen = s.bodies;
  for (int i = 0; i < times; ++i)
    kernels.central(pass, {s.packs.data(), kPacks, i % 2 ? kPacks : 0}, s.bodies.data(), frozen.data(),
                    s.sums);
  return s;
}

TEST(Packs, give_the_same_bits_with_all_instructions_of_this_processor) {
  for (const auto& [exact, normal] : {std::pair(true, 1.0), std::pair(true, 0.5), std::pair(false, 1.0)}) {
    const Swept plain = sweep(*pack_kernels(Instructions::plain), exact, 4, normal);
    for (const Instructions instructions : kAllInstructions) {
      const PackKernels* kernels = pack_kernels(instructions);
      if (!kernels) continue;
      const Swept other = sweep(*kernels, exact, 4, normal);
      EXPECT_EQ(std::memcmp(plain.bodies.data(), other.bodies.data(), 8 * plain.bodies.size()), 0);
      EXPECT_EQ(std::memcmp(plain.packs.data(), other.packs.data(), kPacks * sizeof(CentralPack)), 0);
      EXPECT_EQ(std::memcmp(&plain.sums, &other.sums, sizeof(PackSums)), 0);
    }
  }
}

// u of a contact in world axes.
Vec<3> velocity(const CentralPack& c, int k, const std::vector<double>& bodies) {
  using Map = Eigen::Map<const Vec<3>>;
  const double* a = &bodies[8 * c.a[k]];
  const double* b = &bodies[8 * c.b[k]];
  const Vec<3> n(c.n[0][k], c.n[1][k], c.n[2][k]), shift(c.shift[0][k], c.shift[1][k], c.shift[2][k]);
  return Map(b) - Map(a) + Map(b + 4).cross(-c.db[k] * n) - Map(a + 4).cross(c.da[k] * n) + shift;
}

TEST(Packs, judge_as_single_contacts_do) {
  const Swept start = random_packs();
  SweepSums expected;
  const VelocityMargins margins = {kPass.margin_normal, kPass.margin_sliding, kPass.margin_impulse};
  SweepPass pass;
  pass.inverse_mass = kPass.inverse_mass;
  pass.margins = &margins;
  for (const CentralPack& c : start.packs)
    for (int k = 0; k < kLanes; ++k) {
      const Vec<3> n(c.n[0][k], c.n[1][k], c.n[2][k]), r(c.r[0][k], c.r[1][k], c.r[2][k]);
      const Vec<3> u = velocity(c, k, start.bodies), rt = r - r.dot(n) * n;
      const Vec<3> ut = u - u.dot(n) * n + c.compliance_t[k] * rt;
      judge(pass, r.dot(n), u.dot(n) + c.compliance_n[k] * r.dot(n), rt.squaredNorm(), ut.squaredNorm(),
            rt.dot(ut), c.mu[k], expected);
    }
  SweepSums found;
  add_lanes(sweep(best_pack_kernels(), true, 1).sums, found);
  EXPECT_NEAR(found.residual, expected.residual, 1e-13 * expected.residual);  // round-off of 160 terms
  EXPECT_EQ(found.outside, expected.outside);
  EXPECT_GT(expected.outside, 20);
  EXPECT_LT(expected.outside, kPacks * kLanes - 20);
}

// One pack and the bodies after its visit, which goes a part of normal steps.
struct Visited {
  CentralPack pack;
  std::vector<double> bodies;
};
Visited visit_alone(const CentralPack& pack, const std::vector<double>& bodies, double normal) {
  Visited visited{pack, bodies};
  PackSums sums{};
  PackPass pass = kPass;
  pass.extrapolation = 0;
  pass.normal = normal;
  best_pack_kernels().central(pass, {&visited.pack, 1, 1}, visited.bodies.data(), bodies.data(), sums);
  return visited;
}

// After the visit of one pack its contacts obey Coulomb's law, with the velocities it has left.
TEST(Packs, solve_coulombs_law_exactly_at_every_contact) {
  const Swept start = random_packs();
  for (const CentralPack& pack : start.packs) {
    const auto [c, bodies] = visit_alone(pack, start.bodies, 1);
    for (int k = 0; k < kLanes; ++k) {
      const Vec<3> n(c.n[0][k], c.n[1][k], c.n[2][k]), r(c.r[0][k], c.r[1][k], c.r[2][k]);
      const Vec<3> u = velocity(c, k, bodies), rt = r - r.dot(n) * n;
      const Vec<3> ut = u - u.dot(n) * n + c.compliance_t[k] * rt;
      const double error = natural_map_square(r.dot(n), u.dot(n) + c.compliance_n[k] * r.dot(n),
                                              rt.squaredNorm(), ut.squaredNorm(), rt.dot(ut), c.mu[k]);
      EXPECT_LT(std::sqrt(error), 1e-7);  // of squares of numbers near 1: the root of their round-off
    }
  }
}

// Half of a normal step: u_n, as the visit leaves it, is half of what it found, and friction keeps to the
// bound of the impulse that was reached.
TEST(Packs, go_a_part_of_the_normal_step_and_keep_friction_within_what_it_gives) {
  const Swept start = random_packs();
  for (const CentralPack& pack : start.packs) {
    const auto [c, bodies] = visit_alone(pack, start.bodies, 0.5);
    for (int k = 0; k < kLanes; ++k) {
      const Vec<3> n(c.n[0][k], c.n[1][k], c.n[2][k]), r(c.r[0][k], c.r[1][k], c.r[2][k]);
      const Vec<3> before(pack.r[0][k], pack.r[1][k], pack.r[2][k]);
      const double rn = r.dot(n), un = velocity(c, k, bodies).dot(n) + c.compliance_n[k] * rn;
      const double found = velocity(pack, k, start.bodies).dot(n) + c.compliance_n[k] * before.dot(n);
      // Round-off of numbers near 1.
      if (rn > 1e-12) {
        EXPECT_NEAR(un, 0.5 * found, 1e-13);
      }
      EXPECT_LE((r - rn * n).norm(), c.mu[k] * rn + 1e-13);
    }
  }
}

}  // namespace
}  // namespace saltus::sweep_packs_test
