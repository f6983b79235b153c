// Packs of general contacts, of the plane and of space: the same bits from all instruction sets, what single
// contacts say, and contacts too singular for packs.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "saltus/base/parallel.hpp"
#include "saltus/solvers/sweeps/sweep_plane.hpp"
#include "saltus/solvers/sweeps/sweep_space.hpp"

namespace saltus::general_packs_test {
namespace {

constexpr int kPacks = 20, kBodies = 2 * kLanes, kEmptyLane = 5;

template <class Shape>
struct Packs {
  static constexpr int Dim = kDim<typename Shape::Cone>;
  std::vector<SweepBody<Dim>> bodies = std::vector<SweepBody<Dim>>(kBodies + 1);  // the ground is the last
  std::vector<SweepContact<Dim>> contacts;                                        // kLanes for each pack
  std::vector<typename Shape::Pack> packs = std::vector<typename Shape::Pack>(kPacks);
  PackSums sums{};
};

template <int Dim>
Vec<Dim> random_vector(std::mt19937& random) {
  Vec<Dim> x;
  for (double& number : x) number = std::uniform_real_distribution<double>(-1, 1)(random);
  return x;
}

template <int Dim>
SweepBody<Dim> random_body(std::mt19937& random) {
  SweepBody<Dim> body;
  Eigen::Map<Vec<Dim>>(body.v) = random_vector<Dim>(random);
  for (double& w : body.w) w = random_vector<1>(random)[0];
  for (double& m : body.inverse_mass) m = 1.5 + random_vector<1>(random)[0];
  body.inverse_inertia[0] = 1.5;
  if constexpr (Dim == 3) {
    const Vec<3> x = random_vector<3>(random);
    const Mat<3> J = Mat<3>::Identity() + 2 * x * x.transpose();
    for (int i = 0, at = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) body.inverse_inertia[at++] = J(i, j);
  }
  return body;
}

// Contacts of all kinds: opening, closing, sliding, soft, without friction, with the ground; one lane without
// a contact.
template <class Shape>
Packs<Shape> random_packs() {
  constexpr int Dim = Packs<Shape>::Dim;
  std::mt19937 random(7);
  Packs<Shape> s;
  for (int body = 0; body < kBodies; ++body) s.bodies[body] = random_body<Dim>(random);
  for (int i = 0; i < kPacks; ++i)
    for (int k = 0; k < kLanes; ++k) {
      SweepContact<Dim>& c = s.contacts.emplace_back();
      c.a = k > 0 ? 2 * k : kBodies;
      c.b = 2 * k + 1;
      c.normal = random_vector<Dim>(random).normalized();
      c.arm_a = 0.5 * random_vector<Dim>(random);
      c.arm_b = 0.5 * random_vector<Dim>(random);
      c.shift = 0.1 * random_vector<Dim>(random);
      if (k % 3 > 0) c.r = 0.3 * random_vector<Dim>(random) + Vec<Dim>::Unit(0);
      c.mu = i % 5 == 0 ? 0 : 0.5;
      c.compliance_normal = c.compliance_tangent = i % 4 == 0 ? 0.2 : 0;
      typename Shape::Pack& pack = s.packs[i];
      pack.a[k] = pack.b[k] = kBodies;
      if (i == 3 && k == kEmptyLane) {
        c = {};
        c.a = c.b = kBodies;
        Shape::make_empty(k, pack);
        continue;
      }
      pack.a[k] = c.a;
      pack.b[k] = c.b;
      pack.taken = k + 1;
      const bool filled = Shape::fill(
          {c, s.bodies[c.a], s.bodies[c.b], c.a, c.b, Vec<Dim>::Zero(), Spin<Dim>::Zero()}, k, pack);
      EXPECT_TRUE(filled);
    }
  return s;
}

constexpr PackPass kPass = {0.6, 0.7, 1, 0.8, true, true, true, 0.3, 0.4, 0.5};

template <class Shape>
Packs<Shape> sweep(const PackKernels& kernels, bool exact, int times) {
  Packs<Shape> s = random_packs<Shape>();
  PackPass pass = kPass;
  pass.exact = exact;
  for (int i = 0; i < times; ++i) {
    const auto frozen = s.bodies;
    (kernels.*Shape::kSweep)(pass, {s.packs.data(), kPacks, i % 2 ? kPacks : 0}, s.bodies[0].v, frozen[0].v,
                             s.sums);
  }
  return s;
}

template <class Shape>
class GeneralPacks : public ::testing::Test {};
using Shapes = ::testing::Types<PlaneShape, SpaceShape>;
TYPED_TEST_SUITE(GeneralPacks, Shapes);

TYPED_TEST(GeneralPacks, give_the_same_bits_with_all_instructions_of_this_processor) {
  using Pack = typename TypeParam::Pack;
  for (const bool exact : {true, false}) {
    const Packs<TypeParam> plain = sweep<TypeParam>(*pack_kernels(Instructions::plain), exact, 4);
    for (const Instructions instructions : kAllInstructions) {
      const PackKernels* kernels = pack_kernels(instructions);
      if (!kernels) continue;
      const Packs<TypeParam> other = sweep<TypeParam>(*kernels, exact, 4);
      for (std::size_t i = 0; i < plain.bodies.size(); ++i)
        for (int k = 0; k < Packs<TypeParam>::Dim; ++k)
          ASSERT_EQ(plain.bodies[i].v[k], other.bodies[i].v[k]) << "body " << i;
      EXPECT_EQ(std::memcmp(plain.packs.data(), other.packs.data(), kPacks * sizeof(Pack)), 0);
      EXPECT_EQ(std::memcmp(&plain.sums, &other.sums, sizeof(PackSums)), 0);
    }
  }
}

// u^ of a contact of which the impulse is r.
template <int Dim>
Vec<Dim> velocity(const std::vector<SweepBody<Dim>>& bodies, const SweepContact<Dim>& c, const Vec<Dim>& r) {
  Vec<Dim> u = relative_velocity<Dim>(bodies[c.a], bodies[c.b], c) + c.shift + c.compliance_tangent * r;
  u[0] += (c.compliance_normal - c.compliance_tangent) * r[0];
  return u;
}

template <int Dim>
double law_error(const SweepContact<Dim>& c, const Vec<Dim>& r, const Vec<Dim>& u) {
  const auto rt = r.template tail<Dim - 1>(), ut = u.template tail<Dim - 1>();
  return std::sqrt(natural_map_square(r[0], u[0], rt.squaredNorm(), ut.squaredNorm(), rt.dot(ut), c.mu));
}

TYPED_TEST(GeneralPacks, judge_as_single_contacts_do) {
  constexpr int Dim = Packs<TypeParam>::Dim;
  Packs<TypeParam> s = random_packs<TypeParam>();
  const VelocityMargins margins = {kPass.margin_normal, kPass.margin_sliding, kPass.margin_impulse};
  SweepPass pass;
  pass.inverse_mass = kPass.inverse_mass;
  pass.margins = &margins;
  SweepSums expected, found;
  for (const SweepContact<Dim>& c : s.contacts) {
    const Vec<Dim> u = velocity<Dim>(s.bodies, c, c.r);
    const auto rt = c.r.template tail<Dim - 1>(), ut = u.template tail<Dim - 1>();
    judge(pass, c.r[0], u[0], rt.squaredNorm(), ut.squaredNorm(), rt.dot(ut), c.mu, expected);
  }
  const auto frozen = s.bodies;
  (best_pack_kernels().*TypeParam::kSweep)(kPass, {s.packs.data(), kPacks, 0}, s.bodies[0].v, frozen[0].v,
                                           s.sums);
  add_lanes(s.sums, found);
  EXPECT_NEAR(found.residual, expected.residual, 1e-13 * expected.residual);  // round-off of 160 terms
  EXPECT_EQ(found.outside, expected.outside);
  EXPECT_GT(expected.outside, 20);
  EXPECT_LT(expected.outside, kPacks * kLanes - 20);
}

// The impulse of a lane after `times` visits of its pack alone, from the bodies at the start; what it and
// the bodies then are obeys Coulomb's law to `tolerance`.
template <class Shape>
void check_lone_packs(bool exact, int times, double tolerance) {
  constexpr int Dim = Packs<Shape>::Dim;
  const Packs<Shape> start = random_packs<Shape>();
  PackPass pass = kPass;
  pass.exact = exact;
  pass.extrapolation = 0;
  pass.follow = 0.5;
  int sliding = 0;
  for (int i = 0; i < kPacks; ++i) {
    typename Shape::Pack pack = start.packs[i];
    auto bodies = start.bodies;
    PackSums sums{};
    for (int time = 0; time < times; ++time) {
      const auto frozen = bodies;
      (best_pack_kernels().*Shape::kSweep)(pass, {&pack, 1, 1}, bodies[0].v, frozen[0].v, sums);
    }
    for (int k = 0; k < kLanes; ++k) {
      const SweepContact<Dim>& c = start.contacts[kLanes * i + k];
      Vec<Dim> r;
      for (int axis = 0; axis < Dim; ++axis) r[axis] = pack.r[axis][k];
      const Vec<Dim> u = velocity<Dim>(bodies, c, r);
      EXPECT_LT(law_error<Dim>(c, r, u), tolerance) << "pack " << i << ", lane " << k;
      sliding += c.mu > 0 && r[0] > 0 && u.template tail<Dim - 1>().norm() > 0.01;
    }
  }
  EXPECT_GT(sliding, 10);
}

TYPED_TEST(GeneralPacks, solve_coulombs_law_exactly_at_every_contact) {
  // Of squares of numbers near 1: the root of their round-off.
  check_lone_packs<TypeParam>(true, 1, 1e-7);
}

TYPED_TEST(GeneralPacks, come_to_coulombs_law_by_visits_of_the_convex_problem) {
  check_lone_packs<TypeParam>(false, 200, 1e-7);
}

// A heap of which the lowest bodies can only move up and down: W of their contacts with the ground is
// singular.
template <int Dim>
VelocityProblem<Dim> heap_with_rails(int side) {
  VelocityProblem<Dim> problem;
  problem.bodies.resize(1);
  std::mt19937 random(3);
  for (int i = 0; i < side * side; ++i) {
    SweepBody<Dim> body = random_body<Dim>(random);
    for (double& v : body.v) v *= 0.01;
    for (double& w : body.w) w *= 0.01;
    body.v[Dim - 1] = -0.05;
    if (i < side) {
      std::fill(std::begin(body.inverse_inertia), std::end(body.inverse_inertia), 0.0);
      std::fill(std::begin(body.inverse_mass), std::end(body.inverse_mass) - 1, 0.0);
      std::fill(std::begin(body.w), std::end(body.w), 0.0);
      std::fill(std::begin(body.v), std::end(body.v) - 1, 0.0);
    }
    problem.bodies.push_back(body);
    for (const int below : {i < side ? 0 : i + 1 - side, i < side || i % side == 0 ? -1 : i}) {
      if (below < 0) continue;
      SweepContact<Dim> c;
      c.a = below;
      c.b = i + 1;
      c.normal = Vec<Dim>::Unit(below == i ? 0 : Dim - 1);
      if (below > 0) c.normal += 0.02 * random_vector<Dim>(random);
      c.normal.normalize();
      c.arm_a = below == 0 ? Vec<Dim>::Zero() : Vec<Dim>(0.5 * c.normal);
      c.arm_b = -0.5 * c.normal + 0.02 * random_vector<Dim>(random);
      c.point[0] = i % side;
      c.point[Dim - 1] = i / side;
      c.mu = 0.4;
      problem.contacts.push_back(c);
    }
  }
  return problem;
}

template <int Dim>
void check_rails() {
  VelocitySweepOptions options;
  options.tolerance = 1e-5;  // m/s; the fall of a step is 0.05
  VelocityProblem<Dim> one = heap_with_rails<Dim>(24);
  const VelocityReport report = VelocitySweeps<Dim>().solve(options, one);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(compute_residual<Dim>(one).rms, options.tolerance);
  const ThreadScope scope(4);
  VelocityProblem<Dim> many = heap_with_rails<Dim>(24);
  VelocitySweeps<Dim>().solve(options, many);
  for (std::size_t i = 0; i < one.contacts.size(); ++i) ASSERT_EQ(many.contacts[i].r, one.contacts[i].r);
}

TEST(OddContacts, are_solved_beside_packs_and_by_any_number_of_threads_in_2d) { check_rails<2>(); }
TEST(OddContacts, are_solved_beside_packs_and_by_any_number_of_threads_in_3d) { check_rails<3>(); }

}  // namespace
}  // namespace saltus::general_packs_test
