// Bodies of a scene.
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// One [[bodies]] table.
template <int Dim>
SceneBody<Dim> read_body(TableReader& table, SceneContext& context);

// The keys that a [[generate]] table shares with a body: all but name, shape, place, mass and inertia.
template <int Dim>
SceneBody<Dim> read_body_template(TableReader& table, SceneContext& context);

// x, y, rz (2D); x, y, z, rx, ry, rz (3D).
template <int Dim>
const std::vector<std::string>& dof_names();

}  // namespace saltus
