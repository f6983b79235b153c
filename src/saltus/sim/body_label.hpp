// What messages call a body: its name in quotes, or its place in the scene, counted from 0 as --set does.
#pragma once

#include <string>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
std::string body_label(const SceneBody<Dim>& body, std::size_t index) {
  return body.name.empty() ? "body " + std::to_string(index) : '"' + body.name + '"';
}

template <int Dim>
std::string body_label(const Scene<Dim>& scene, BodyId id) {
  const auto index = static_cast<std::size_t>(id);
  return id >= 0 && index < scene.bodies.size() ? body_label(scene.bodies[index], index)
                                                : "body " + std::to_string(id);
}

}  // namespace saltus
