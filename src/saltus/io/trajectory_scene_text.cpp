#include "saltus/io/trajectory_scene_text.hpp"

#include <toml++/toml.h>

#include "saltus/base/input_error.hpp"
#include "saltus/io/scene_table.hpp"

namespace saltus {

bool has_key(const std::string& scene_text, const std::string& key) {
  try {
    return static_cast<bool>(parse_bounded(scene_text).at_path(key));
  } catch (const toml::parse_error& error) {
    throw InputError("", "the text of a scene is not TOML: " + std::string(error.description()));
  }
}

}  // namespace saltus
