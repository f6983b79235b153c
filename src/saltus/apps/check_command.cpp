#include <fmt/format.h>

#include "saltus/apps/command.hpp"
#include "saltus/base/log.hpp"
#include "saltus/running/scene_report.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus {

namespace {

void print_report(const std::string& path, const SceneReport& report) {
  fmt::print("{}\n", path);
  for (const auto& [subject, finding] : report.lines) fmt::print("  {:<18} {}\n", subject, finding);
  for (const std::string& warning : report.warnings) log_warning("{}", warning);
}

}  // namespace

void add_check_command(CLI::App& app) {
  struct Options {
    std::string scene;
    std::vector<std::string> set;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Tell what a run of a scene would do, and what is wrong with it");
  command->add_option("SCENE", options->scene, "A scene file, or a name that `saltus scenes` lists")
      ->required();
  command
      ->add_option("--set", options->set,
                   "Changes keys of the scene: a.b.c=value, elements of lists counted from 0")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1);
  add_examples(*command, {"saltus check arch", "saltus check scene.toml --set scheme.h=1e-4"});
  command->callback([options] {
    const SceneFile file = read_scene(options->scene, options->set);
    std::visit([&](const auto& scene) { print_report(file.path, build_scene_report(scene)); }, file.scene);
  });
}

}  // namespace saltus
