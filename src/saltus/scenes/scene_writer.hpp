// Scenes as TOML text.
#pragma once

#include <string>

#include "saltus/sim/scene.hpp"

namespace saltus {

// A text that reads back as the same scene: every number with the digits it needs (a quaternion to its last
// digit). Generated bodies are written one by one, functions from files as tables. `Scene::name` is the name
// of a file and not part of the text, nor are the places in the input.
template <int Dim>
std::string format_scene(const Scene<Dim>& scene);

}  // namespace saltus
