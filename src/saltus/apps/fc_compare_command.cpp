#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "saltus/apps/command.hpp"
#include "saltus/apps/fc_command.hpp"
#include "saltus/apps/fc_comparison.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace fs = std::filesystem;

namespace {

struct CompareOptions {
  std::string folder, out;
  bool force = false;
  std::vector<std::string> solvers;
  FcFormOptions form;
  FcSolveOptions solve;
};

std::vector<std::string> list_problems(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file(error) && (extension == ".dat" || extension == ".hdf5"))
      paths.push_back(entry.path().string());
  }
  if (error) throw InputError(folder, "cannot list the folder (" + error.message() + ")");
  if (paths.empty())
    throw InputError(folder, "there is no problem in this folder", "", "files *.dat or *.hdf5");
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Problems that cannot be read are reported, counted in `bad` and left out.
FcComparison run_all(const CompareOptions& options, const std::vector<std::string>& paths, int& bad) {
  FcComparison comparison{options.solvers, {}, {}};
  Progress progress("fc compare", double(paths.size() * options.solvers.size()));
  double done = 0;
  for (const std::string& path : paths) {
    try {
      const FcProblemFile file = read_with_warnings(path, options.form.read_options());
      std::vector<FcRun> runs;
      for (const std::string& solver : options.solvers) {
        progress.update(done++,
                        [&] { return fmt::format("{} on {}", solver, fs::path(path).filename().string()); });
        runs.push_back(run_solver(file, solver, options.solve.solve_options(), options.solve.repeat_for));
        runs.back().r.resize(0);
        runs.back().u.resize(0);
      }
      comparison.problems.push_back(summarise(path, file));
      comparison.runs.push_back(std::move(runs));
    } catch (const InputError& error) {
      log_error("{}", error.what());
      ++bad;
    }
  }
  progress.finish();
  return comparison;
}

void compare_all(const CompareOptions& options) {
  const std::vector<std::string> paths = list_problems(options.folder);
  make_folder(options.out);
  OutputClaims claims(options.force);
  for (const std::string& path : paths) claims.protect(path);
  const auto place = [&](const char* name) {
    return claims.claim("--out", (fs::path(options.out) / name).string(), OutputKind::stream);
  };
  const std::string csv = place("comparison.csv"), svg = place("profile.svg");

  int bad = 0;
  const FcComparison comparison = run_all(options, paths, bad);
  fmt::print("{}", format_table(comparison));
  write_output(csv, format_csv(comparison));
  write_output(svg, format_svg(build_profile(comparison, options.solve.solve_options())));
  fmt::print("written: {}, {}\n", csv, svg);
  if (bad > 0) exit_with(kBadInput);
}

}  // namespace

void add_fc_compare_command(CLI::App& fc) {
  const auto options = std::make_shared<CompareOptions>();
  options->solve.repeat_for = 0.02;
  CLI::App* command = fc.add_subcommand(
      "compare", "Each solver on each problem of a folder: table of CPU seconds, CSV, performance profile");
  command->add_option("DIR", options->folder, "Folder with problems (*.dat, *.hdf5)")->required();
  command->add_option("--solvers", options->solvers, "Solvers, separated by commas")
      ->delimiter(',')
      ->required()
      ->check(one_of("solver", solver_names()));
  options->solve.add_to(*command);
  options->form.add_to(*command);
  command->add_option("--out", options->out, "Folder for comparison.csv and profile.svg")->required();
  add_force(*command, options->force);
  add_examples(*command,
               {"saltus fc compare data --solvers auto,nlgs,admm --tolerance 1e-4 --out results",
                "saltus fc compare data --solvers auto,newton --tolerance 1e-8 --residual relative-b \\",
                "    --time-limit 20 --out results"});
  command->callback([options] { compare_all(*options); });
}

}  // namespace saltus
