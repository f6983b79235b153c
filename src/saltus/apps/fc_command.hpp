// The commands under `saltus fc`, and the options they share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

void add_fc_export_command(CLI::App& fc);
void add_fc_info_command(CLI::App& fc);
void add_fc_solve_command(CLI::App& fc);
void add_fc_compare_command(CLI::App& fc);

// --form and --rolling: what the text format leaves open.
struct FcFormOptions {
  std::string form;
  bool rolling = false;
  CLI::Option* rolling_option = nullptr;

  void add_to(CLI::App& command);
  FcReadOptions read_options() const;
};

// --tolerance, --residual, --max-iterations, --time-limit, --threads, --local-solver, --repeat-for
struct FcSolveOptions {
  SolveOptions solve;
  std::string residual, local;
  double repeat_for = 0;

  void add_to(CLI::App& command);
  SolveOptions solve_options() const;
};

// Reads a problem and prints its warnings.
FcProblemFile read_with_warnings(const std::string& path, const FcReadOptions& options);

}  // namespace saltus
