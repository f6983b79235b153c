// Joints and ties of a scene: [[joints]], [[ties]].
#pragma once

#include <vector>

#include "saltus/scenes/scene_context.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/sim/scene_joint.hpp"
#include "saltus/sim/scene_tie.hpp"

namespace saltus {

template <int Dim>
std::vector<SceneJoint<Dim>> read_joints(TableReader& scene, SceneContext& context);
std::vector<SceneTie> read_ties(TableReader& scene);

}  // namespace saltus
