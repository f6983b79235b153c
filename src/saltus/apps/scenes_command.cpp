#include <fmt/format.h>

#include <algorithm>

#include "saltus/apps/command.hpp"
#include "saltus/base/log.hpp"
#include "saltus/scenes/scene_library.hpp"

namespace saltus {

void add_scenes_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "scenes", "List the scene library and its studies; names work wherever a scene file does");
  add_examples(*command, {"saltus scenes", "saltus run demo"});
  command->callback([] {
    const std::vector<LibraryScene> scenes = list_scenes(), studies = list_studies();
    if (scenes.empty())
      log_warning("no scene found: the environment variable SALTUS_SCENES may name their folder");
    std::size_t width = 0;
    for (const auto* list : {&scenes, &studies})
      for (const LibraryScene& scene : *list) width = std::max(width, scene.name.size());
    for (const LibraryScene& scene : scenes) fmt::print("{:<{}}  {}\n", scene.name, width, scene.title);
    if (!studies.empty()) fmt::print("\nStudies, run by `saltus study NAME`:\n");
    for (const LibraryScene& study : studies) fmt::print("{:<{}}  {}\n", study.name, width, study.title);
  });
}

}  // namespace saltus
