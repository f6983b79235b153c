// Bars, strings and beams of a scene: [[beams]].
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

template <int Dim>
std::vector<SceneBeam<Dim>> read_beams(TableReader& scene, SceneContext& context);

}  // namespace saltus
