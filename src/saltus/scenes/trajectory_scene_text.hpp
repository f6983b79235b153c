// Questions to the text of a scene (SceneFile::text).
#pragma once

#include <string>
#include <vector>

namespace saltus {

// The key is written in the scene: "run.steps". Throws InputError when the text is not TOML.
bool has_key(const std::string& scene_text, const std::string& key);

// The other files that the scene was read from, relative to the folder of `scene_path`.
std::vector<std::string> named_files(const std::string& scene_text, const std::string& scene_path);

}  // namespace saltus
