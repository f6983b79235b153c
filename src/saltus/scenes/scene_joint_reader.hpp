// Joints of a scene: [[joints]].
#pragma once

#include <vector>

#include "saltus/scenes/scene_context.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/sim/scene_joint.hpp"

namespace saltus {

template <int Dim>
std::vector<SceneJoint<Dim>> read_joints(TableReader& scene, SceneContext& context);

}  // namespace saltus
