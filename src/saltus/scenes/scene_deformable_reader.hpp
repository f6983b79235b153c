// Deformable bodies of a scene: [[deformable]].
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

template <int Dim>
std::vector<SceneDeformable<Dim>> read_deformable(TableReader& scene, SceneContext& context);

}  // namespace saltus
