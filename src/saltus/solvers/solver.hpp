// What every solver of the canonical problem takes and gives back.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "saltus/solvers/problem.hpp"
#include "saltus/solvers/residual.hpp"

namespace saltus {

// In the order of solver_names().
enum class SolverKind { automatic, nlgs, newton, ipm, admm, apgd };
const char* name(SolverKind solver);                 // as scenes and the command line call it: auto, nlgs...
SolverKind solver_of_name(const std::string& name);  // InputError: there is none
const std::vector<std::string>& solver_names();

enum class SolveStatus { converged, max_iterations, time_limit, stalled, failed };
const char* name(SolveStatus status);

// How nlgs solves one contact.
enum class LocalSolverKind { cascade, newton, projection };

struct SolveOptions {
  double tolerance = 1e-8;
  ResidualKind residual = ResidualKind::scaled;
  std::int64_t max_iterations = 0;  // 0: the solver's own default
  double time_limit = 0;            // CPU seconds of the calling thread; 0: none
  int threads = 1;
  LocalSolverKind local = LocalSolverKind::cascade;
};

struct SolveStage {  // what `auto` did, in order
  std::string solver;
  std::int64_t iterations = 0;
  double residual = 0;  // reached, in the kind asked for
  double seconds = 0;   // on the wall clock: reading the processor's costs as much as a small solve
};

struct SolveReport {
  SolveStatus status = SolveStatus::failed;
  std::string reason;  // one sentence, always set
  std::int64_t iterations = 0;
  std::int64_t contact_updates = 0;  // local solves done, where the solver does them
  Residuals residuals;               // evaluated on the returned r and u
  std::vector<SolveStage> stages;
};

// On entry r is the warm start (empty: zero); on return (r, u) is the best point met, with u = W r + b.
// Numerical failure is a status, never an exception.
SolveReport solve(SolverKind solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u);

// The same by name: an unknown one is an InputError.
SolveReport solve(const std::string& solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u);

}  // namespace saltus
