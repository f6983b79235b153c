#include "saltus/scenes/scene_context.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/scenes/scene_library.hpp"

namespace saltus {

std::string SceneContext::checked_material(const std::string& name, const TableReader& table,
                                           std::string_view key) const {
  if (materials.count(name)) return name;
  std::vector<std::string> names;
  for (const auto& [known, density] : materials) names.push_back(known);
  const std::string near = nearest_name(name, names);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
  table.fail(key, fmt::format("\"{}\"{}", name, hint),
             fmt::format("{}; a material is declared by [materials.NAME]", join_names(names)));
}

std::string SceneContext::material(TableReader& table, std::string_view key) const {
  return checked_material(table.text(key, "default"), table, key);
}

std::string SceneContext::file_path(TableReader& table, std::string_view key) const {
  const std::filesystem::path named(table.text(key)), beside = folder / named;
  std::error_code error;
  if (named.is_absolute() || std::filesystem::is_regular_file(beside, error)) return beside.string();
  // A scene of the library that was copied out of it (saltus info --scene) names files that stayed there.
  const std::string in_library = find_library_file(named.string());
  return in_library.empty() ? beside.string() : in_library;
}

std::string SceneContext::load_file(TableReader& table, std::string_view key) {
  const std::string path = file_path(table, key);
  if (!limits.files) table.fail(key, '"' + path + '"', "no file: this scene is read without others");
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    table.fail(key, '"' + path + '"', "a file that exists (paths count from the folder of the scene)");
  if (path != (folder / table.text(key)).string())
    log_info("{}: {} is taken from the library: {}", scene_path, table.text(key), path);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) table.fail(key, '"' + path + '"', "a file that can be read, and is not empty");
  StateHash hash;
  hash.add(content.view());
  files[table.text(key)] = hash.hex();
  return content.str();
}

}  // namespace saltus
