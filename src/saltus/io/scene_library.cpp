#include "saltus/io/scene_library.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/io/scene_names.hpp"

namespace saltus {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("SALTUS_SCENES")) folders.emplace_back(chosen);
  // An installed tree may be moved: its scenes are found from where the program is.
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "saltus" / "scenes");
  folders.emplace_back(SALTUS_SCENES_INSTALLED);
  folders.emplace_back(SALTUS_SCENES_SOURCE);
  return folders;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string read_title(const fs::path& path) {
  try {
    return toml::parse_file(path.string())["title"].value_or(std::string());
  } catch (const toml::parse_error& error) {
    return fmt::format("(not TOML: {})", error.description());
  }
}

// Names and paths, sorted; titles are left empty.
std::vector<LibraryScene> list_files() {
  std::vector<LibraryScene> scenes;
  for (const fs::path& folder : library_folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".toml") continue;
      const std::string name = entry.path().stem().string();
      const bool known =
          std::any_of(scenes.begin(), scenes.end(), [&](const LibraryScene& s) { return s.name == name; });
      if (!known) scenes.push_back({name, {}, entry.path().string()});
    }
  }
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

}  // namespace

std::string find_scene(const std::string& name) {
  if (is_file(name)) return name;
  std::vector<std::string> names;
  for (const LibraryScene& scene : list_files()) {
    if (scene.name == name) return scene.path;
    names.push_back(scene.name);
  }
  const std::string near = nearest_name(name, names);
  throw InputError(
      "", "no such scene",
      fmt::format("\"{}\"{}", name, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
      "a TOML file, or a name that `saltus scenes` lists");
}

std::vector<LibraryScene> list_scenes() {
  std::vector<LibraryScene> scenes = list_files();
  for (LibraryScene& scene : scenes) scene.title = read_title(scene.path);
  return scenes;
}

}  // namespace saltus
