// Random multi-contact problems with a known structure: bodies of random mass and inertia,
// contacts between random pairs, W = H^T M^-1 H.
#pragma once

#include <Eigen/SparseCore>
#include <random>
#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus::testing {

// W is singular when contacts * block exceeds the dofs (bodies * block here).
inline ContactProblem random_problem(ConeKind cone, int contacts, int bodies, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<> gaussian;
  std::uniform_real_distribution<> uniform(0.1, 1.0);
  const int block = block_size(cone);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < contacts; ++c)
    for (const int body : {c % bodies, int(engine() % bodies)})
      for (int i = 0; i < block; ++i)
        for (int j = 0; j < block; ++j)
          entries.emplace_back(body * block + i, c * block + j, gaussian(engine));
  Eigen::SparseMatrix<double> H(bodies * block, contacts * block);
  H.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd inverse_mass(bodies * block);
  for (double& m : inverse_mass) m = uniform(engine);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> W = H.transpose() * inverse_mass.asDiagonal() * H;

  ContactProblem problem;
  problem.cone = cone;
  problem.W = build_block_matrix(W, block);
  // In the range of H^T, as free velocities of bodies are: a solution exists.
  Eigen::VectorXd velocity(bodies * block);
  for (double& v : velocity) v = gaussian(engine);
  problem.b = H.transpose() * velocity;
  problem.mu.resize(contacts);
  for (double& mu : problem.mu) mu = uniform(engine);
  if (is_rolling(cone)) {
    problem.mu_r.resize(contacts);
    for (double& mu : problem.mu_r) mu = 0.3 * uniform(engine);
  }
  return problem;
}

}  // namespace saltus::testing
