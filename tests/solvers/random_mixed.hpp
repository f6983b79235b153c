// Random problems whose blocks have all kinds of sets, and how much impulses break their laws.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <random>
#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus::testing {

struct MixedRecipe {
  ConeKind cone = ConeKind::coulomb_3d;
  int blocks = 24;
  int degrees_of_freedom = 100;
  // Every space block is given twice: W is singular on the bilateral rows, and they agree.
  bool doubled = false;
  std::vector<SetKind> kinds = {SetKind::coulomb, SetKind::half_line, SetKind::space, SetKind::ball};
};

inline BlockSet random_set(const MixedRecipe& recipe, std::mt19937_64& engine) {
  const int block = block_size(recipe.cone), dimension = space_dimension(recipe.cone);
  const SetKind kind = recipe.kinds[engine() % recipe.kinds.size()];
  const int any = 1 + int(engine() % block);
  std::uniform_real_distribution<> uniform(0.05, 1.0);
  switch (kind) {
    case SetKind::half_line: return {kind, 1};
    case SetKind::space: return {kind, any};
    case SetKind::ball: return {kind, any, engine() % 8 == 0 ? 0.0 : uniform(engine)};
    case SetKind::coulomb: break;
  }
  return {kind, engine() % 2 == 0 ? block : dimension};
}

// Each block acts on a few degrees of freedom of unequal mass; padding has columns of zeros in H.
inline GlobalProblem random_mixed_global(const MixedRecipe& recipe, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<> gaussian;
  std::uniform_real_distribution<> uniform(0.1, 1.0);
  const int block = block_size(recipe.cone), dofs = recipe.degrees_of_freedom;
  GlobalProblem problem;
  problem.cone = recipe.cone;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_block = [&](const BlockSet& set, int source) {
    const int at = int(problem.sets.size()) * block;
    if (source < 0)
      for (int j = 0; j < set.size; ++j)
        for (int k = 0; k < 8; ++k) entries.emplace_back(engine() % dofs, at + j, gaussian(engine));
    const std::size_t known = entries.size();
    for (std::size_t k = 0; source >= 0 && k < known; ++k)
      if (entries[k].col() / block == source)
        entries.emplace_back(entries[k].row(), at + entries[k].col() % block, entries[k].value());
    problem.sets.push_back(set);
  };
  while (int(problem.sets.size()) < recipe.blocks) {
    const BlockSet set = random_set(recipe, engine);
    add_block(set, -1);
    if (recipe.doubled && set.kind == SetKind::space) add_block(set, int(problem.sets.size()) - 1);
  }
  const int blocks = int(problem.sets.size());
  problem.H.resize(dofs, blocks * block);
  problem.H.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd mass(dofs), velocity(dofs);
  for (double& m : mass) m = 1 / uniform(engine);
  for (double& v : velocity) v = gaussian(engine);
  problem.M = Eigen::SparseMatrix<double>(mass.asDiagonal());
  problem.f = mass.cwiseProduct(velocity);  // so that b is in the range of H^T and a solution exists
  problem.w = Eigen::VectorXd::Zero(blocks * block);
  problem.G.resize(dofs, 0);
  problem.mu.resize(blocks);
  for (double& mu : problem.mu) mu = 0.5 * uniform(engine);
  if (is_rolling(recipe.cone)) problem.mu_r = 0.2 * problem.mu.reverse();
  return problem;
}

inline ContactProblem random_mixed_problem(const MixedRecipe& recipe, unsigned seed) {
  return condense(random_mixed_global(recipe, seed));
}

// The largest breach of a block's law, read off its definition (block_set.hpp); velocities and w r in units
// of |b|, w the mean diagonal of W.
class MixedViolation {
 public:
  MixedViolation(const ContactProblem& problem, const Eigen::VectorXd& r) : problem_(problem) {
    const Eigen::SparseMatrix<double> W = build_sparse(problem.W);
    const double w = W.diagonal().sum() / double((W.diagonal().array() > 0).count());
    unit_ = w / problem.b.norm();
    x_ = r * unit_;
    u_ = (W * r + problem.b) / problem.b.norm();
    for (int c = 0; c < problem.contacts(); ++c) look(c);
  }
  double worst() const { return worst_; }

 private:
  void look(int c) {
    const BlockSet& set = problem_.sets[c];
    const int at = c * problem_.W.block, tangents = space_dimension(problem_.cone) - 1;
    note(x_.segment(at + set.size, problem_.W.block - set.size).norm());
    if (set.kind == SetKind::space) note(u_.segment(at, set.size).norm());
    if (set.kind == SetKind::ball)
      disc(x_.segment(at, set.size), u_.segment(at, set.size), set.radius * unit_);
    if (set.kind == SetKind::half_line || set.kind == SetKind::coulomb) {
      note(-x_[at]);
      note(-u_[at]);
      note(std::min(std::abs(x_[at]), std::abs(u_[at])));
    }
    if (set.kind != SetKind::coulomb) return;
    disc(x_.segment(at + 1, tangents), u_.segment(at + 1, tangents), problem_.mu[c] * x_[at]);
    const int rollings = set.size - 1 - tangents;
    if (rollings > 0)
      disc(x_.segment(at + 1 + tangents, rollings), u_.segment(at + 1 + tangents, rollings),
           problem_.rolling(c) * x_[at]);
  }

  // |x| <= radius, and radius u = -|u| x: velocity only against the full impulse.
  void disc(const Eigen::VectorXd& x, const Eigen::VectorXd& u, double radius) {
    note(x.norm() - radius);
    note((radius * u + u.norm() * x).norm() / (radius + 1));
  }
  void note(double breach) { worst_ = std::isfinite(breach) ? std::max(worst_, breach) : INFINITY; }

  const ContactProblem& problem_;
  Eigen::VectorXd x_, u_;
  double unit_ = 1, worst_ = 0;
};

}  // namespace saltus::testing
