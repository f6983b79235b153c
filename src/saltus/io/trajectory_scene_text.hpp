// Questions to the text of a scene (SceneFile::text).
#pragma once

#include <string>

namespace saltus {

// The key is written in the scene: "run.steps". Throws InputError when the text is not TOML.
bool has_key(const std::string& scene_text, const std::string& key);

}  // namespace saltus
