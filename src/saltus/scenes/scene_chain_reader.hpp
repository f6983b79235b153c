// [[chains]]: links and the joints between them (generate/generate_chain.hpp).
#pragma once

#include "saltus/generate/generate_chain.hpp"
#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// Adds bodies and joints to the scene; no more than `room` bodies.
template <int Dim>
void read_chains(TableReader& scene, SceneContext& context, Scene<Dim>& into);

}  // namespace saltus
