#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "saltus/apps/command.hpp"
#include "saltus/apps/fc_command.hpp"
#include "saltus/apps/scene_options.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/scenes/trajectory_scene_text.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus {

namespace {

struct FcExport {
  SceneOptions scene;
  std::int64_t at = 0;
  std::string out, form = "local";
  bool force = false;
};

template <int Dim>
void export_problem(Scene<Dim> scene, const FcExport& command) {
  // The end of the scene is not the end of its problems.
  scene.end_time = std::numeric_limits<double>::infinity();
  Simulation<Dim> simulation(std::move(scene));
  Progress progress("export", static_cast<double>(command.at));
  while (simulation.steps() < command.at) {
    if (simulation.step().status == StepStatus::not_finite)
      throw InputError(command.scene.scene,
                       fmt::format("the state is not finite after step {}", simulation.steps()));
    progress.update(static_cast<double>(simulation.steps()));
  }

  FcProblemFile file;
  if (command.form == "global")
    file.problem = simulation.build_global_problem();
  else
    file.problem = simulation.build_contact_problem();
  file.title = fmt::format("{}, step {}", simulation.scene().name, command.at);
  file.description = fmt::format(
      "{}; contact problem of the step from t = {:g} s to {:g} s, written by saltus " SALTUS_VERSION,
      simulation.scene().title, simulation.time(), simulation.time() + simulation.scene().scheme.h);
  const int contacts = std::visit([](const auto& problem) { return problem.contacts(); }, file.problem);
  if (contacts == 0)
    throw InputError(
        command.scene.scene,
        fmt::format("no contact is active in step {}: there is no problem to write", command.at));
  write_fclib(command.out, file);
  const auto bilateral = std::visit(
      [](const auto& problem) {
        return std::count_if(problem.sets.begin(), problem.sets.end(),
                             [](const BlockSet& set) { return set.kind == SetKind::space; });
      },
      file.problem);
  fmt::print("{}: {} contacts{}, {} form, the step from t = {:g} s\n", command.out, contacts - bilateral,
             bilateral > 0 ? fmt::format(" and {} bilateral blocks", bilateral) : std::string(), command.form,
             simulation.time());
}

}  // namespace

void add_fc_export_command(CLI::App& fc) {
  auto command = std::make_shared<FcExport>();
  CLI::App* app = fc.add_subcommand("export", "Write the contact problem of a step of a scene as FCLib");
  command->scene.add_to(*app);
  app->add_option("--at", command->at, "Number of steps done before the one whose problem is written")
      ->required()
      ->transform(whole_number());
  app->add_option("--out", command->out, "FCLib file to write")->required();
  app->add_option("--form", command->form, "local: W and b; global: M, H and f")
      ->check(one_of("form", {"local", "global"}));
  add_examples(*app,
               {"saltus fc export wall.toml --at 100 --out wall-100.hdf5", "saltus fc solve wall-100.hdf5"});
  add_force(*app, command->force);
  app->callback([command] {
    const SceneFile file = command->scene.read();
    OutputClaims claims(command->force);
    claims.protect(file.path);
    for (const std::string& path : named_files(file.text, file.path)) claims.protect(path);
    command->out = claims.claim("--out", command->out, OutputKind::file);
    std::visit([&](const auto& scene) { export_problem(scene, *command); }, file.scene);
  });
}

}  // namespace saltus
