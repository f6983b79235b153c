// Measures and stop conditions as the text of a scene.
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_measures.hpp"

namespace saltus {

template <int Dim>
void write_measures(const std::vector<MeasureSpec<Dim>>& measures, TextWriter& out);

// The value of run.stop.
std::string format_stops(const std::vector<StopCondition>& stops);

}  // namespace saltus
