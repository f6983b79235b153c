// One frictional contact problem from memory to its answer, timed.
#pragma once

#include <string>

#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

struct FcRun {
  std::string solver;
  SolveReport report;
  Eigen::VectorXd r, u;                      // of the contacts
  Eigen::VectorXd all_r;                     // of contacts and bilateral blocks, where these are kept
  double cpu_seconds = 0, wall_seconds = 0;  // one solve, forming W from the global form included
  int repetitions = 0;
};

enum class Bilateral { eliminated, kept };

// Forms W where the file holds the global form, and solves from zero. Bilateral rows of the global form are
// eliminated, or kept as blocks of a mixed problem (solvers/bilateral.hpp). With repeat_for > 0 all
// of that is repeated until it has taken as many CPU seconds, and the times are means. The
// time limit of the options covers forming W. Throws InputError when W cannot be formed.
FcRun run_solver(const FcProblemFile& file, const std::string& solver, const SolveOptions& options,
                 double repeat_for, Bilateral bilateral = Bilateral::eliminated);

// Of the form the file holds: velocities when it is global, else the size of W.
int degrees_of_freedom(const FcProblemFile& file);

int contacts(const FcProblemFile& file);
ConeKind cone(const FcProblemFile& file);

}  // namespace saltus
