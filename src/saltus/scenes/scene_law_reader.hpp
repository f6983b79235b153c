// Materials and contact laws of a scene.
#pragma once

#include <vector>

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// [materials.NAME] into the context.
void read_materials(TableReader& scene, SceneContext& context);

// [[laws]], each between two materials.
std::vector<SceneLaw> read_laws(TableReader& scene, const SceneContext& context);

// The keys of a law: [law] and [[laws]].
PairLaw read_law(TableReader& table, const SceneContext& context);

}  // namespace saltus
