// Shapes and places of bodies in a scene.
#pragma once

#include "saltus/geometry/shapes.hpp"
#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// The table `shape = { kind = ..., ... }`; checked, InputError when not usable.
template <int Dim>
Shape<Dim> read_shape(TableReader table, SceneContext& context);

// position, and angle (2D) or rotation or quaternion (3D).
template <int Dim>
Pose<Dim> read_pose(TableReader& table);
template <>
Pose<2> read_pose<2>(TableReader& table);
template <>
Pose<3> read_pose<3>(TableReader& table);

}  // namespace saltus
