// Scenes from TOML files. docs/scene.md lists every key.
//
//     SceneFile file = read_scene("bouncing-ball", {"scheme.h=1e-4"});
//     std::visit([](auto& scene) { ... }, file.scene);
//
// Mistakes are InputErrors with file:line:column (scenes/scene_table.hpp). What only the simulation can see
// (a pair without a law, an impossible inertia) is its own error, opened by SceneBody::where.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "saltus/sim/scene.hpp"

namespace saltus {

using AnyScene = std::variant<Scene<2>, Scene<3>>;

struct ReadLimits {
  std::int64_t bodies = 10'000'000;  // more is an error before anything is allocated for them
  bool files = true;                 // false: a scene that names another file is an error
  std::vector<std::string> outer;    // scenes that are being read and take bodies from this one
};

struct SceneFile {
  AnyScene scene;
  std::string path;
  // The keys of the file with the overrides in place, sorted, and a hash of every other file it names:
  // stored in the output so that a later run can tell what changed (first_difference).
  std::string text;
};

// `name`: a file, or a scene of the library (scenes/scene_library.hpp). `overrides`: "key.path=value" as given to
// --set, in order; the value is TOML (a bare word counts as text), array elements are counted from 0.
SceneFile read_scene(const std::string& name, const std::vector<std::string>& overrides = {});

// The same from text; `path` stands in messages, and its folder is where other files are looked for.
SceneFile parse_scene(const std::string& text, const std::string& path,
                      const std::vector<std::string>& overrides = {}, const ReadLimits& limits = {});

// Path of the first key whose value differs between two SceneFile::text ("scheme.h"); empty: none does. The
// number of threads and the end of the run are left aside: states on the way do not depend on them.
std::string first_difference(const std::string& text_a, const std::string& text_b);

}  // namespace saltus
