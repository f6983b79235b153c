#include "saltus/scenes/trajectory_scene_text.hpp"

#include <toml++/toml.h>

#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

namespace {

toml::table parse(const std::string& scene_text) {
  try {
    return parse_bounded(scene_text);
  } catch (const toml::parse_error& error) {
    throw InputError("", "the text of a scene is not TOML: " + std::string(error.description()));
  }
}

}  // namespace

std::vector<std::string> named_files(const std::string& scene_text, const std::string& scene_path) {
  std::vector<std::string> files;
  const toml::table tree = parse(scene_text);
  if (const toml::table* named = tree["files"].as_table())
    for (const auto& [name, hash] : *named)
      files.push_back((std::filesystem::path(scene_path).parent_path() / std::string(name.str())).string());
  return files;
}

bool has_key(const std::string& scene_text, const std::string& key) {
  return static_cast<bool>(parse(scene_text).at_path(key));
}

}  // namespace saltus
