// Keeps a solver honest: evaluates the true residual of the problem as it was given, keeps
// the best point met, and watches the limits.
#pragma once

#include <Eigen/Core>
#include <string>

#include "saltus/base/timer.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

class Monitor {
 public:
  Monitor(const ContactProblem& problem, const SolveOptions& options, std::int64_t default_iterations);

  // Residual (of the kind asked for) of the impulses r, put on their cones first. Keeps r when
  // it is the best so far.
  double evaluate(const Eigen::VectorXd& r);
  bool converged() const { return best_ <= options_.tolerance; }
  double best_residual() const { return best_; }
  const Eigen::VectorXd& best_point() const { return best_r_; }
  // Whether round-off in u = W r + b alone explains the best residual: no solver can do much better.
  bool is_at_round_off() const;

  std::int64_t max_iterations() const { return max_iterations_; }
  bool out_of_time() const;
  double cpu_seconds() const;  // since construction, of the calling thread, if there is a time limit

  // Writes the best point to (r, u) and the report. `give_up` is used when the point is not
  // converged and no limit was hit; it names the reason in plain words.
  SolveReport finish(std::int64_t iterations, SolveStatus give_up, const std::string& reason,
                     Eigen::VectorXd& r, Eigen::VectorXd& u) const;

 private:
  double compute_residual(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const;

  const ContactProblem& problem_;
  SolveOptions options_;
  std::int64_t max_iterations_;
  // Reading the processor's clock takes longer than a problem of one contact: small ones go by the wall's.
  Clock clock_;
  double start_;
  double speed_;  // |b|, 1 when that is zero
  double best_;   // residual of best_r_
  Eigen::VectorXd best_r_, best_u_, trial_r_, trial_u_;
};

// Puts every contact of r on its cone.
void project_on_cones(const ContactProblem& problem, Eigen::VectorXd& r);

}  // namespace saltus
