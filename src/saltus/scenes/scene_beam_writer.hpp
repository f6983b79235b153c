// Bars, strings and beams as TOML text.
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_beam.hpp"

namespace saltus {

template <int Dim>
void write_beam(const SceneBeam<Dim>& body, TextWriter& out);

}  // namespace saltus
