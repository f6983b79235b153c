#include "saltus/apps/scene_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "saltus/apps/command.hpp"
#include "saltus/scenes/trajectory_scene_text.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

namespace {

// The key of `run` that ends the scene: a scene may have only one of the two.
bool ends_by_steps(const SceneFile& file) { return has_key(file.text, "run.steps"); }

}  // namespace

void SceneOptions::add_to(CLI::App& command) {
  command.add_option("SCENE", scene, "A scene file, or a name that `saltus scenes` lists")->required();
  command.add_option("--dt", dt, "Length of a step, s (scheme.h)")->check(positive());
  command.add_option("--solver", solver, "What solves a step (solver.name)")
      ->check(one_of("solver", solver_names()));
  command
      .add_option("--tolerance", tolerance,
                  "Largest residual of a step, in units of g h (solver.tolerance), or in m/s in a scene "
                  "that has solver.tolerance_velocity")
      ->check(positive());
  command.add_option("--threads", threads, "Threads of the solver; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--set", set, "Changes keys of the scene: a.b.c=value, elements of lists counted from 0")
      ->type_name("KEY=VALUE");
}

void SceneOptions::add_end_to(CLI::App& command) {
  CLI::Option* time = command.add_option("--until", until, "End of the run, s (run.until)");
  command.add_option("--steps", steps, "Number of steps from the start of the scene (run.steps)")
      ->transform(whole_number())
      ->excludes(time);
}

SceneFile SceneOptions::read() const {
  std::vector<std::string> overrides = set;
  if (dt) overrides.push_back(fmt::format("scheme.h={}", *dt));
  if (!solver.empty()) overrides.push_back(fmt::format("solver.name={}", solver));
  SceneFile file = read_scene(scene, overrides);
  const auto [start, h, by_velocity] = std::visit(
      [](const auto& s) { return std::tuple(s.start_time, s.scheme.h, s.solver.tolerance_velocity > 0); },
      file.scene);
  if (tolerance)
    overrides.push_back(fmt::format("solver.tolerance{}={}", by_velocity ? "_velocity" : "", *tolerance));
  if (until && ends_by_steps(file))
    overrides.push_back(fmt::format("run.steps={}", std::llround((*until - start) / h)));
  else if (until)
    overrides.push_back(fmt::format("run.until={}", *until));
  if (steps && ends_by_steps(file))
    overrides.push_back(fmt::format("run.steps={}", *steps));
  else if (steps)
    overrides.push_back(fmt::format("run.until={}", start + h * static_cast<double>(*steps)));
  if (tolerance || until || steps) file = read_scene(scene, overrides);
  if (threads) std::visit([&](auto& s) { s.solver.threads = *threads; }, file.scene);
  return file;
}

}  // namespace saltus
