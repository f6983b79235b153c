// Contact problems along the path of a scene, solved once more from their warm starts by each solver.
//
//     choice keep SCENE FILE STEP...            the problems of these steps into a file
//     choice race FILE TOLERANCE SOLVER...      one line per problem and solver, comma separated:
//                                               problem, contacts, groups, solver, cpu_s, rms_gh, converged,
//                                               stages
//
// TOLERANCE is in units of g h. CPU is that of one solve (the mean of several short ones), W included where a
// solver needs it.
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <vector>

#include "problem_file.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus {
namespace {

constexpr double kTimeLimit = 2;  // CPU s of a solver that factorises
constexpr std::int64_t kMaxSweeps = 5000;
constexpr double kLongEnough = 0.02;  // CPU s

double number(const std::string& text) {
  double value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value < 0) throw InputError("arguments", "number", text, "0 or more");
  return value;
}

void keep(const std::vector<std::string>& words) {
  std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) {
        Simulation<Dim> simulation(scene);
        std::vector<KeptProblem<Dim>> kept;
        for (std::size_t i = 3; i < words.size(); ++i) {
          while (simulation.steps() < number(words[i])) simulation.step();
          kept.push_back(keep_next_problem(simulation));
        }
        save_problems(kept, words[2]);
      },
      read_scene(words[1], {}).scene);
}

std::string stages_of(const GroupSolution& solution) {
  std::string text;
  for (const SolveStage& stage : solution.stages)
    text += fmt::format("{}{} {} {:.1e}", text.empty() ? "" : "; ", stage.solver, stage.iterations,
                        stage.residual);
  return text;
}

template <int Dim>
void race(const std::vector<KeptProblem<Dim>>& problems, double tolerance,
          std::span<const std::string> solvers) {
  GroupSolver<Dim> solver;
  for (std::size_t i = 0; i < problems.size(); ++i)
    for (const std::string& name : solvers) {
      GroupSolverOptions options;
      options.solver = solver_of_name(name);
      options.tolerance = tolerance * problems[i].gravity_step;
      options.max_iterations = name == "nlgs" ? kMaxSweeps : 5000;
      options.time_limit = kTimeLimit;
      GroupSolution solution;
      double seconds = 0;
      int times = 0;
      for (; times < 100 && seconds < kLongEnough; ++times) {
        VelocityProblem<Dim> problem = problems[i].problem;
        const Stopwatch cpu(Clock::process_cpu);
        solution = solver.solve(options, problems[i].start, problem);
        seconds += cpu.seconds();
      }
      fmt::print("{},{},{},{},{:.4g},{:.3g},{},{}\n", i, problems[i].problem.contacts.size(), solution.groups,
                 name, seconds / times, solution.residual.rms / problems[i].gravity_step,
                 solution.converged ? 1 : 0, stages_of(solution));
      std::fflush(stdout);
    }
}

void run(const std::vector<std::string>& words) {
  if (words.size() > 3 && words[0] == "keep") return keep(words);
  if (words.size() < 4 || words[0] != "race")
    throw InputError("arguments",
                     "usage: choice keep SCENE FILE STEP... | choice race FILE TOLERANCE SOLVER...");
  std::ifstream in;
  const std::span<const std::string> solvers(words.begin() + 3, words.end());
  if (open_problems(words[1], in) == 2)
    race(load_problems<2>(in), number(words[2]), solvers);
  else
    race(load_problems<3>(in), number(words[2]), solvers);
}

}  // namespace
}  // namespace saltus

int main(int argc, char** argv) {
  try {
    saltus::run({argv + 1, argv + argc});
  } catch (const saltus::InputError& error) {
    fmt::print(stderr, "choice: {}\n", error.what());
    return 2;
  }
  return 0;
}
