// Nonlinear Gauss-Seidel on u = W r + b: contacts one after the other, each solved exactly
// against the latest impulses of the others (Jean 1999). velocity_sweeps.hpp has the form that never stores W.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "saltus/solvers/solver.hpp"

namespace saltus {

enum class SweepDirection { forward, backward };

// The iteration alone: sweeps on demand, set up once, so that another solver can interleave
// it with tests of its own. The problem must outlive it. Building costs about one sweep.
class MatrixSweeps {
 public:
  explicit MatrixSweeps(const ContactProblem& problem, LocalSolverKind local = LocalSolverKind::cascade);
  ~MatrixSweeps();
  MatrixSweeps(MatrixSweeps&&) noexcept;
  MatrixSweeps& operator=(MatrixSweeps&&) noexcept;

  // One sweep over all contacts, in place. Returns sqrt(sum |W_nn dr|^2), the change it made as
  // a velocity: an estimate of the residual up to a factor, not finite if r is no longer so.
  double sweep(Eigen::VectorXd& r, SweepDirection direction = SweepDirection::forward);

  std::int64_t sweeps() const { return sweeps_; }
  std::int64_t contact_updates() const;
  // Contacts for which the last sweep found no local solution and took the best bounded answer.
  int unsolved() const;
  // Contacts with W_nn <= mu |W_nt| (Painleve): their law may have several solutions, or none.
  int ambiguous() const;

  class Sweeper;

 private:
  std::unique_ptr<Sweeper> sweeper_;
  std::int64_t sweeps_ = 0;
};

}  // namespace saltus
