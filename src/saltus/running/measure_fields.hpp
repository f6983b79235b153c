// Which fields of a trajectory (output.fields) a measure is computed from.
#pragma once

#include <string>
#include <vector>

#include "saltus/sim/scene_measures.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

template <int Dim>
std::vector<std::string> needed_fields(const MeasureSpec<Dim>& spec);

// InputError when a field that the measure needs was not stored: which one, and how to store it.
template <int Dim>
void require_fields(const TrajectoryFile& file, const MeasureSpec<Dim>& spec);

}  // namespace saltus
