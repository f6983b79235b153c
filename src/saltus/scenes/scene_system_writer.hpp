// What moves and is not rigid, as [[system]] and [[elastic]]. Matrices are written by their entries, whatever
// form they were read from.
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_systems.hpp"

namespace saltus {

std::string format_matrix(const SceneMatrix& matrix);
void write_system(const SceneLinearSystem& system, TextWriter& out);
void write_elastic(const SceneElasticBody& body, TextWriter& out);

}  // namespace saltus
