// What moves in a scene and is not rigid: [[system]] and [[elastic]].
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

std::vector<SceneLinearSystem> read_systems(TableReader& scene, SceneContext& context);
std::vector<SceneElasticBody> read_elastic(TableReader& scene, SceneContext& context);

}  // namespace saltus
