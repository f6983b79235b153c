// Lagrangian systems of a scene: [[system]] with `coordinates`.
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// Formulas are parsed, so that a mistake in one has its place; whether they make a system that can move is checked when
// the scene is built (sim/system_gaps.hpp).
template <int Dim>
std::vector<SceneLagrangianSystem<Dim>> read_lagrangian(TableReader& scene, SceneContext& context);

}  // namespace saltus
