// Scenes from a tree of TOML values, whoever made it: a file, or a program that has no file.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "saltus/scenes/scene_reader.hpp"

namespace saltus {

// As parse_scene. Values of a tree that was not parsed have no line: messages then give the path of the key
// ("bodies.3.shape.radius") alone. The folder of `path` is where other files are looked for.
SceneFile read_scene_tree(toml::table tree, const std::string& path, const ReadLimits& limits = {});

}  // namespace saltus
