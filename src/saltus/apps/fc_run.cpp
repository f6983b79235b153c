#include "saltus/apps/fc_run.hpp"

#include <algorithm>

#include "saltus/base/timer.hpp"
#include "saltus/solvers/bilateral.hpp"

namespace saltus {

namespace {

void solve_once(const FcProblemFile& file, SolveOptions options, Bilateral bilateral, FcRun& run) {
  run.r.resize(0);
  if (const auto* local = std::get_if<ContactProblem>(&file.problem)) {
    run.report = solve(run.solver, *local, options, run.r, run.u);
    return;
  }
  const Stopwatch cpu(Clock::thread_cpu);
  const GlobalProblem& global = std::get<GlobalProblem>(file.problem);
  const bool keeps = bilateral == Bilateral::kept && global.bilateral() > 0;
  const ContactProblem condensed = condense(keeps ? build_bilateral_blocks(global) : global);
  if (options.time_limit > 0)  // 0 would mean no limit at all
    options.time_limit = std::max(options.time_limit - cpu.seconds(), 1e-9);
  run.report = solve(run.solver, condensed, options, run.r, run.u);
  if (!keeps) return;
  run.all_r = run.r;
  run.r.conservativeResize(global.w.size());
  run.u.conservativeResize(global.w.size());
}

}  // namespace

FcRun run_solver(const FcProblemFile& file, const std::string& solver, const SolveOptions& options,
                 double repeat_for, Bilateral bilateral) {
  FcRun run;
  run.solver = solver;
  const Stopwatch cpu(Clock::process_cpu), wall(Clock::wall);
  do {  // as often again as so far: reading the clock costs as much as a problem of one contact
    const int batch = std::max(1, run.repetitions);
    for (int i = 0; i < batch; ++i) solve_once(file, options, bilateral, run);
    run.repetitions += batch;
  } while (cpu.seconds() < repeat_for);
  run.cpu_seconds = cpu.seconds() / run.repetitions;
  run.wall_seconds = wall.seconds() / run.repetitions;
  return run;
}

int degrees_of_freedom(const FcProblemFile& file) {
  if (const auto* global = std::get_if<GlobalProblem>(&file.problem)) return global->degrees_of_freedom();
  return std::get<ContactProblem>(file.problem).size();
}

int contacts(const FcProblemFile& file) {
  return std::visit([](const auto& problem) { return problem.contacts(); }, file.problem);
}

ConeKind cone(const FcProblemFile& file) {
  return std::visit([](const auto& problem) { return problem.cone; }, file.problem);
}

}  // namespace saltus
