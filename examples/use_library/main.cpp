// A 2 kg ball lands on the floor at 3 m/s while it slides at 1 m/s, friction 0.5. The
// inelastic contact stops it in both directions with the impulse (6, -2) N.s, which lies
// inside Coulomb's cone. The natural map tells that this is the solution.
#include <cstdio>

#include "saltus/solvers/residual.hpp"

int main() {
  const double mass = 2, fall = 3, slide = 1;
  saltus::ContactProblem problem;
  problem.cone = saltus::ConeKind::coulomb_2d;
  const Eigen::MatrixXd W = Eigen::MatrixXd::Identity(2, 2) / mass;
  problem.W = saltus::build_block_matrix(W.sparseView(), 2);
  problem.b = Eigen::Vector2d(-fall, slide);
  problem.mu = Eigen::VectorXd::Constant(1, 0.5);

  const Eigen::VectorXd r = Eigen::Vector2d(mass * fall, -mass * slide);
  const Eigen::VectorXd u = W * r + problem.b;
  const double residual = saltus::compute_residuals(problem, r, u).scaled;
  std::printf("impulse (%g, %g) N.s, residual %g\n", r[0], r[1], residual);
  return residual < 1e-12 ? 0 : 1;
}
