// Any bytes as a scene: the reader answers with a scene or an InputError, and what it reads it writes back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const saltus::ReadLimits limits{.bodies = 200, .files = false};
  try {
    const saltus::SceneFile file = saltus::parse_scene(text, "fuzz.toml", {}, limits);
    std::visit(
        [&](const auto& scene) {
          const std::string once = format_scene(scene);
          // What was read within the limits reads again; anything else is a fault of the writer.
          try {
            saltus::parse_scene(once, "again.toml", {}, limits);
          } catch (const saltus::InputError&) {
            std::abort();
          }
        },
        file.scene);
  } catch (const saltus::InputError&) {
  }
  return 0;
}
