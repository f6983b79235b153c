// Random bodies in a chain or tree of joints, with contacts among them, to others and to the ground, as a problem of one
// connected group.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "saltus/contact/coupled_problem.hpp"
#include "saltus/contact/coupled_solver.hpp"
#include "saltus/contact/group_solver.hpp"

namespace saltus::testing {

template <int Dim>
struct Mechanism {
  VelocityProblem<Dim> problem;
  Coupling<Dim> coupling;
  std::vector<BodyVelocity<Dim>> start;
};

struct MechanismOptions {
  int links = 6, grains = 6;
  double friction = 0.3;
  double heavy = 1;        // mass of the last link over that of the others
  bool redundant = false;  // joints twice, one of them thrice
  bool others = false;     // half lines and balls between links
  bool rolling = false;
};

template <int Dim>
class MechanismBuilder {
 public:
  MechanismBuilder(const MechanismOptions& options, unsigned seed) : options_(options), random_(seed) {}

  Mechanism<Dim> build() {
    add_bodies();
    for (int i = 1; i <= options_.links; ++i) {
      // A tree: each link hangs on one before it, the first on the ground.
      const int parent = i == 1 ? 0 : 1 + static_cast<int>(random_() % (i - 1));
      const Vec<Dim> arm_a = vec(), arm_b = vec();
      const int copies = !options_.redundant ? 1 : i == 2 ? 3 : 2;
      for (int c = 0; c < copies; ++c) add_point(parent, arm_a, i, arm_b);
      if (options_.others && i % 2 == 0) add_turn(parent, i, SetKind::ball, 0.05);
      if (options_.others && i % 3 == 0) add_turn(parent, i, SetKind::half_line, 0);
    }
    const int last = static_cast<int>(m_.problem.bodies.size()) - 1;
    // Grains rest on the ground and on each other in a ring; each link touches one of them.
    for (int g = options_.links + 1; g <= last; ++g) {
      add_contact(0, g);
      if (g > options_.links + 1) add_contact(g - 1, g);
    }
    for (int i = 1; i <= options_.links && last > options_.links; ++i)
      if (i % 2 == 0 || options_.grains < 4)
        add_contact(i, options_.links + 1 + static_cast<int>(random_() % options_.grains));
    if (options_.grains == 0)
      for (int i = 1; i <= options_.links; ++i) add_contact(0, i);
    m_.start.assign(m_.problem.bodies.begin(), m_.problem.bodies.end());
    m_.coupling.index(static_cast<int>(m_.problem.bodies.size()));
    return std::move(m_);
  }

 private:
  static constexpr int kDofs = Dim + kSpins<Dim>;

  double pick() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vec<Dim> vec() {
    Vec<Dim> v;
    for (int i = 0; i < Dim; ++i) v[i] = pick();
    return v;
  }

  void add_bodies() {
    for (int i = 0; i <= options_.links + options_.grains; ++i) {
      SweepBody<Dim> body;
      if (i > 0) {
        const double mass = i == options_.links ? options_.heavy : 1 + 0.5 * pick();
        for (double& v : body.v) v = pick();
        for (double& w : body.w) w = pick();
        for (double& inverse : body.inverse_mass) inverse = 1 / mass;
        if constexpr (Dim == 2)
          body.inverse_inertia[0] = 2 / mass;
        else {
          const double J[6] = {2, 0.3, -0.2, 3, 0.1, 2.5};
          for (int k = 0; k < 6; ++k) body.inverse_inertia[k] = J[k] / mass;
        }
      }
      m_.problem.bodies.push_back(body);
    }
  }

  Eigen::MatrixXd point_jacobian(const Vec<Dim>& arm) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(kDofs, Dim);
    for (int i = 0; i < Dim; ++i) {
      const Vec<Dim> axis = Vec<Dim>::Unit(i);
      J.col(i).head(Dim) = axis;
      J.col(i).tail(kSpins<Dim>) = moment(arm, axis);
    }
    return J;
  }

  TiedBlock& add_block(SetKind kind, int rows, double radius) {
    TiedBlock& block = m_.coupling.add_block();
    block.set = {kind, rows, radius};
    block.shift = block.compliance = block.r = Eigen::VectorXd::Zero(rows);
    block.turns.assign(rows, 0);
    return block;
  }

  void add_point(int a, const Vec<Dim>& arm_a, int b, const Vec<Dim>& arm_b) {
    TiedBlock& block = add_block(SetKind::space, Dim, 0);
    block.ends[0].slot = a;
    block.ends[0].jacobian = -point_jacobian(arm_a);
    block.ends[1].slot = b;
    block.ends[1].jacobian = point_jacobian(arm_b);
  }

  void add_turn(int a, int b, SetKind kind, double radius) {
    TiedBlock& block = add_block(kind, 1, radius);
    block.turns[0] = 1;
    for (int e = 0; e < 2; ++e) {
      block.ends[e].slot = e == 0 ? a : b;
      block.ends[e].jacobian = Eigen::MatrixXd::Zero(kDofs, 1);
      block.ends[e].jacobian(kDofs - 1, 0) = e == 0 ? -1 : 1;
    }
  }

  void add_contact(int a, int b) {
    SweepContact<Dim> c;
    c.a = a, c.b = b;
    c.normal = vec().normalized();
    c.point = vec();
    c.arm_a = vec(), c.arm_b = vec();
    c.mu = options_.friction;
    if (options_.rolling && b % 2 == 0) {
      c.mu_r = 0.05;
      m_.problem.rolling = true;
    }
    m_.problem.contacts.push_back(c);
  }

  MechanismOptions options_;
  std::mt19937 random_;
  Mechanism<Dim> m_;
};

// The natural map of the whole problem at a solution, by the canonical form alone: rms over blocks, m/s.
template <int Dim>
double canonical_residual(const Mechanism<Dim>& free, const Mechanism<Dim>& solved) {
  Mechanism<Dim> judged = solved;
  judged.problem.bodies = free.problem.bodies;
  CoupledSolver<Dim> builder;
  const CoupledProblem& coupled = builder.build_all(judged.problem, judged.coupling);
  const ContactProblem canonical = build_canonical(coupled);
  const Eigen::VectorXd r = read_impulses(coupled, canonical);
  Eigen::VectorXd u;
  multiply(canonical.W, r, u);
  u += canonical.b;
  return compute_residuals(canonical, r, u).absolute / std::sqrt(static_cast<double>(coupled.blocks.size()));
}

}  // namespace saltus::testing
