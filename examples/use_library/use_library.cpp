// A 2 kg ball lands on the floor at 3 m/s while it slides at 1 m/s, friction 0.5. The
// inelastic contact stops it in both directions: the impulse is (6, -2) N.s, inside
// Coulomb's cone.
#include <cmath>
#include <cstdio>
#include <saltus/solvers/solver.hpp>

int main() {
  const double mass = 2, fall = 3, slide = 1;
  saltus::ContactProblem problem;
  problem.cone = saltus::ConeKind::coulomb_2d;
  const Eigen::MatrixXd W = Eigen::MatrixXd::Identity(2, 2) / mass;
  problem.W = saltus::build_block_matrix(W.sparseView(), 2);
  problem.b = Eigen::Vector2d(-fall, slide);
  problem.mu = Eigen::VectorXd::Constant(1, 0.5);

  Eigen::VectorXd r, u;
  const saltus::SolveReport report = saltus::solve("auto", problem, {}, r, u);
  std::printf("%s: impulse (%g, %g) N.s, residual %g\n", name(report.status), r[0], r[1],
              report.residuals.scaled);
  const double error = std::hypot(r[0] - mass * fall, r[1] + mass * slide);
  // The tolerance of the solve, 1e-8, in units of the impulse that stops the ball (6.3 N.s).
  return report.status == saltus::SolveStatus::converged && error < 6.4e-8 ? 0 : 1;
}
