// Lagrangian systems, as [[system]] with `coordinates`.
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_systems.hpp"

namespace saltus {

// Throws InputError for functions of a program: a scene has no place for them.
template <int Dim>
void write_lagrangian(const SceneLagrangianSystem<Dim>& system, TextWriter& out);

}  // namespace saltus
