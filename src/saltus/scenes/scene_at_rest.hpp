// run.at_rest: a scene starts without velocities, whatever its bodies are given. What a scene drives is driven all the same.
#pragma once

#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
void set_at_rest(Scene<Dim>& scene) {
  for (SceneBody<Dim>& body : scene.bodies) body.velocity.setZero(), body.spin.setZero();
  const auto stop = [](auto& body) { body.velocity.setZero(), body.spin.setZero(), body.v.assign(body.v.size(), 0.0); };
  for (auto& body : scene.deformable) stop(body);
  for (auto& body : scene.beams) stop(body);
  for (auto& body : scene.elastic) body.velocity.setZero(), body.spin = 0;
  for (auto& system : scene.systems) system.v.assign(system.v.size(), 0.0);
  for (auto& system : scene.lagrangian) system.v.assign(system.v.size(), 0.0);
}

}  // namespace saltus
