// The canonical problem u = W r + b on its own.
#pragma once

#include <string>
#include <vector>

#include "bindings.hpp"
#include "saltus/solvers/solver.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

struct Problem : ZeroedMemory {
  ContactProblem problem;
  std::string title;
  std::vector<std::string> warnings;
};

struct Solution : ZeroedMemory {
  SolveReport report;
  Eigen::VectorXd r, u;
};

}  // namespace saltus::bindings
