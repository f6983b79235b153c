#include <limits>
#include <thread>

#include "saltus/apps/command.hpp"
#include "saltus/apps/fc_command.hpp"
#include "saltus/base/log.hpp"

namespace saltus {

namespace {

const std::vector<std::string> kResidualNames{"natural", "relative-b", "siconos", "scaled"};
const std::vector<std::string> kLocalSolverNames{"cascade", "newton", "projection"};

LocalSolverKind parse_local_solver(const std::string& text) {
  if (text == "newton") return LocalSolverKind::newton;
  return text == "projection" ? LocalSolverKind::projection : LocalSolverKind::cascade;
}

// CLI11 takes "nan" for a number; no option here can be one.
const CLI::Validator kAboveZero(
    [](const std::string& text) -> std::string {
      double value = 0;
      if (CLI::detail::lexical_cast(text, value) && value > 0 &&
          value < std::numeric_limits<double>::infinity())
        return {};
      return "got " + text + ", allowed: a number above 0";
    },
    "");

}  // namespace

void FcFormOptions::add_to(CLI::App& command) {
  command
      .add_option("--form", form,
                  "Form of a text problem, which the format leaves open (default: by its name)")
      ->check(one_of("form", {"local", "global"}));
  rolling_option = command.add_flag("--rolling,!--no-rolling", rolling,
                                    "Whether a text problem has rolling friction (default: blocks of 5 do)");
}

FcReadOptions FcFormOptions::read_options() const {
  FcReadOptions options;
  if (!form.empty()) options.global = form == "global";
  if (rolling_option->count() > 0) options.rolling = rolling;
  return options;
}

void FcSolveOptions::add_to(CLI::App& command) {
  command.add_option("--tolerance", solve.tolerance, "Residual to reach")
      ->check(kAboveZero)
      ->capture_default_str();
  command
      .add_option("--residual", residual,
                  "Which residual: natural (absolute), relative-b (by |b|), siconos, or scaled (no units)")
      ->check(one_of("residual", kResidualNames))
      ->default_str(name(solve.residual));
  command.add_option("--max-iterations", solve.max_iterations, "Limit (default: the solver's own)")
      ->check(positive());
  command.add_option("--time-limit", solve.time_limit, "CPU seconds for one solve (default: none)")
      ->check(kAboveZero);
  command.add_option("--threads", solve.threads, "Threads; 0: one per core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_option("--local-solver", local, "How nlgs solves one contact")
      ->check(one_of("local solver", kLocalSolverNames))
      ->default_str(kLocalSolverNames.front());
  command
      .add_option("--repeat-for", repeat_for,
                  "Repeat each solve for so many CPU seconds and give mean times, for measurements")
      ->check(kAboveZero);
}

SolveOptions FcSolveOptions::solve_options() const {
  SolveOptions options = solve;
  if (!residual.empty()) options.residual = *parse_residual_kind(residual);
  options.local = parse_local_solver(local);
  if (options.threads == 0)
    options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return options;
}

FcProblemFile read_with_warnings(const std::string& path, const FcReadOptions& options) {
  FcProblemFile file = read_fc_problem(path, options);
  for (const std::string& warning : file.warnings) log_warning("{}", warning);
  return file;
}

}  // namespace saltus
