// Deformable bodies as [[deformable]].
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
void write_deformable(const SceneDeformable<Dim>& body, TextWriter& out);

}  // namespace saltus
