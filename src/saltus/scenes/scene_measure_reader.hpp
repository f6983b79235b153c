// Reads [[measures]] and run.stop of a scene (docs/measures.md), and measures given by a word or a table.
#pragma once

#include "saltus/scenes/scene_table.hpp"
#include "saltus/sim/scene_measures.hpp"

namespace saltus {

template <int Dim>
std::vector<MeasureSpec<Dim>> read_measures(TableReader& scene);

std::vector<StopCondition> read_stops(TableReader& run);

// A kind ("stress") or an inline table ("{ kind = \"wall\", body = \"lid\" }"); `where` names it in messages.
template <int Dim>
MeasureSpec<Dim> parse_measure(const std::string& text, const std::string& where);

}  // namespace saltus
