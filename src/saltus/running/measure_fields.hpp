// Which fields of a trajectory (output.fields) a measure is computed from.
#pragma once

#include <string>
#include <vector>

#include "saltus/sim/scene_measures.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

template <int Dim>
std::vector<std::string> needed_fields(const MeasureSpec<Dim>& spec);

bool has_field(const TrajectoryFile& file, const std::string& field);

// InputError when a field that the measure needs was not stored: which one, and how to store it.
template <int Dim>
void require_fields(const TrajectoryFile& file, const MeasureSpec<Dim>& spec);

}  // namespace saltus
