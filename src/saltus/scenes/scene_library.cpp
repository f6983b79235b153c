#include "saltus/scenes/scene_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& added_folders() {
  static std::vector<fs::path> folders;
  return folders;
}

// The experiments of papers have a folder of their own inside each.
std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("SALTUS_SCENES")) folders.emplace_back(chosen);
  for (const fs::path& folder : added_folders()) folders.push_back(folder);
  // An installed tree may be moved: its scenes are found from where the program is.
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "saltus" / "scenes");
  folders.emplace_back(SALTUS_SCENES_INSTALLED);
  folders.emplace_back(SALTUS_SCENES_SOURCE);
  for (std::size_t i = 0; i < folders.size(); i += 2)
    folders.insert(folders.begin() + static_cast<std::ptrdiff_t>(i) + 1, folders[i] / "experiments");
  return folders;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Studies lie beside the scenes they run: they are found by name too, but are not scenes.
bool is_study(const toml::table& tree) { return tree.contains("scene") && !tree.contains("dimension"); }

// What a list shows of a scene, or of a study; none for the other.
std::optional<std::string> read_title(const fs::path& path, bool study) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    const toml::table tree = parse_toml(text.str(), path.string());
    if (is_study(tree) != study) return std::nullopt;
    return tree["title"].value_or(std::string());
  } catch (const InputError& error) {
    if (study) return std::nullopt;
    return fmt::format("(cannot be read: {})", error.what());
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

std::vector<LibraryScene> list_kind(bool study) {
  std::vector<LibraryScene> scenes;
  for (LibraryScene& file : list_files()) {
    const std::optional<std::string> title = read_title(file.path, study);
    if (!title) continue;
    file.title = *title;
    scenes.push_back(std::move(file));
  }
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

std::string find_library_file(const std::string& name) {
  for (const fs::path& folder : library_folders())
    if (is_file(folder / name)) return (folder / name).string();
  return {};
}

std::string find_schema_folder() {
  for (const fs::path& folder : library_folders()) {
    std::error_code error;
    if (fs::is_directory(folder / "schema", error)) return (folder / "schema").string();
  }
  throw InputError("", "the scene library has no folder schema", {},
                   "an installed saltus, or its source tree; SALTUS_SCENES may name the library");
}

std::string find_schema_page(const std::string& name) {
  const fs::path folder = find_schema_folder();
  if (is_file(folder / name)) return (folder / name).string();
  return (folder.parent_path().parent_path() / "docs" / name).string();
}

void add_scene_folder(const std::string& folder) { added_folders().emplace_back(folder); }

std::vector<LibraryScene> list_scenes() { return list_kind(false); }
std::vector<LibraryScene> list_studies() { return list_kind(true); }

}  // namespace saltus
