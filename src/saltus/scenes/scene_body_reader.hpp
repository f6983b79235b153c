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

// { velocity = f }, { position = f } or { acceleration = f }.
Drive read_drive(TableReader table, SceneContext& context);
// Numbers of collision groups, as bits.
std::uint32_t read_group_bits(TableReader& table, std::string_view key, std::uint32_t fallback);

}  // namespace saltus
