#include <fmt/format.h>

#include "saltus/apps/command.hpp"
#include "saltus/base/log.hpp"
#include "saltus/scenes/scene_schema.hpp"

namespace saltus {

void add_schema_command(CLI::App& app) {
  struct Options {
    bool markdown = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "schema",
      "Print the schema of scene files (JSON Schema): keys, types, ranges, defaults, words, for editors");
  command->add_flag("--markdown", options->markdown, "Tables to read instead");
  add_examples(*command, {"saltus schema > scene.schema.json     then, in VS Code with the extension Even "
                          "Better TOML, a first line",
                          "                                      #:schema ./scene.schema.json    in a scene "
                          "completes and checks its keys"});
  command->callback([options] {
    set_log_level(LogLevel::error);  // scenes that have every key have some that others make idle
    const SceneSchema schema = build_scene_schema();
    fmt::print("{}", options->markdown ? format_schema_page(schema) : format_json_schema(schema));
  });
}

}  // namespace saltus
