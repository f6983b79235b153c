// What the readers of the parts of a scene share: where files are, what was declared, how much is allowed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

struct SceneContext {
  std::string scene_path;
  std::filesystem::path folder;  // of the scene file
  ReadLimits limits;
  double theta = 0.5;
  double start_time = 0, end_time = 1;                     // of the run
  std::map<std::string, std::optional<double>> materials;  // declared name -> density
  std::map<std::string, std::string> files;                // named file -> hash of its content

  // Name of a declared material; InputError with the nearest one otherwise. The key is optional in the first.
  std::string material(TableReader& table, std::string_view key) const;
  std::string checked_material(const std::string& name, const TableReader& table, std::string_view key) const;

  // Content of the file that the key names, relative to the scene file (or, where there is none, of the library), whose hash
  // goes into `files`.
  // InputError when it cannot be read.
  std::string load_file(TableReader& table, std::string_view key);
  std::string file_path(TableReader& table, std::string_view key) const;
};

}  // namespace saltus
