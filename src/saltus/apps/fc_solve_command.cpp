#include <fmt/format.h>

#include <algorithm>

#include "saltus/apps/command.hpp"
#include "saltus/apps/fc_command.hpp"
#include "saltus/apps/fc_output.hpp"
#include "saltus/apps/fc_report.hpp"
#include "saltus/apps/fc_run.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/solvers/bilateral.hpp"

namespace saltus {

namespace {

struct SolveCommand {
  std::vector<std::string> paths;
  std::string solver = "auto", out;
  bool json = false, contacts = false, force = false, keep_bilateral = false;
  FcFormOptions form;
  FcSolveOptions solve;
};

void write_solution(const std::string& path, FcProblemFile file, const FcRun& run) {
  FcSolution solution{run.r, run.u, {}, {}};
  const auto* global = std::get_if<GlobalProblem>(&file.problem);
  if (global && run.all_r.size() > 0) {
    const GlobalProblem mixed = build_bilateral_blocks(*global);
    const std::vector<int> equations = split_bilateral(mixed.sets, block_size(mixed.cone)).equations;
    solution.v = compute_global_solution(mixed, run.all_r).v;
    solution.l = run.all_r(equations);
  } else if (global) {
    GlobalSolution velocities = compute_global_solution(*global, run.r);
    solution.v = std::move(velocities.v);
    solution.l = std::move(velocities.l);
  }
  file.solution = std::move(solution);
  write_fclib(path, file);
}

void print_result(const SolveCommand& options, std::size_t width, const std::string& path,
                  const FcProblemFile& file, const FcRun& run) {
  const FcSummary summary = summarise(path, file);
  if (options.json) {
    fmt::print("{}\n", format_json(summary, run));
  } else {
    fmt::print("{}\n", format_table_row(summary, run, width, options.solve.solve_options().residual));
    const std::string details = format_details(run);
    if (!details.empty()) fmt::print("{}\n", details);
    if (options.contacts) fmt::print("{}", format_contacts(cone(file), run.r, run.u));
  }
  std::fflush(stdout);
}

void solve_all(const SolveCommand& options) {
  const std::vector<std::string> outputs = options.out.empty()
                                               ? std::vector<std::string>{}
                                               : plan_outputs(options.out, options.paths, options.force);
  const SolveOptions solve_options = options.solve.solve_options();
  std::size_t width = 7;
  for (const std::string& path : options.paths) width = std::max(width, path.size());
  if (!options.json) fmt::print("{}\n", format_table_head(width, solve_options.residual));

  bool any_bad = false, all_converged = true;
  for (std::size_t i = 0; i < options.paths.size(); ++i) {
    try {
      const FcProblemFile file = read_with_warnings(options.paths[i], options.form.read_options());
      const FcRun run = run_solver(file, options.solver, solve_options, options.solve.repeat_for,
                                   options.keep_bilateral ? Bilateral::kept : Bilateral::eliminated);
      all_converged = all_converged && run.report.status == SolveStatus::converged;
      print_result(options, width, options.paths[i], file, run);
      if (!outputs.empty()) write_solution(outputs[i], file, run);
    } catch (const InputError& error) {
      log_error("{}", error.what());
      any_bad = true;
    }
  }
  if (any_bad) exit_with(kBadInput);
  if (!all_converged) exit_with(kNotConverged);
}

}  // namespace

void add_fc_solve_command(CLI::App& fc) {
  const auto options = std::make_shared<SolveCommand>();
  CLI::App* command = fc.add_subcommand("solve",
                                        "Solve problems. Exit status: 0 all converged, 2 a file or an "
                                        "argument was bad, 3 some did not converge");
  command->add_option("FILE", options->paths, "Problems: FCLib HDF5 or Siconos text")->required();
  command->add_option("--solver", options->solver, "Solver")
      ->check(one_of("solver", solver_names()))
      ->capture_default_str();
  options->solve.add_to(*command);
  options->form.add_to(*command);
  command->add_flag(
      "--keep-bilateral", options->keep_bilateral,
      "Solve the bilateral rows G of a global problem with its contacts, as blocks of their own, "
      "instead of eliminating them: works also when they depend on each other");
  command->add_option("--out", options->out,
                      "Write problem and solution as FCLib HDF5; with several inputs, the folder for them");
  add_force(*command, options->force);
  CLI::Option* contacts =
      command->add_flag("--contacts", options->contacts, "Also list impulse and velocity of every contact");
  command->add_flag("--json", options->json, "One JSON object per problem and line instead of a table")
      ->excludes(contacts);
  add_examples(
      *command,
      {"saltus fc solve problem.hdf5", "saltus fc solve problem.hdf5 --tolerance 1e-8 --residual relative-b",
       "saltus fc solve problem.dat --form global --out solved.hdf5",
       "saltus fc solve data/*.hdf5 --solver nlgs --time-limit 20 --json > results.jsonl"});
  command->callback([options] { solve_all(*options); });
}

}  // namespace saltus
