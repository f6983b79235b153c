// A frame of a trajectory as measures see it.
#pragma once

#include "saltus/sim/snapshot.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

// Shapes live as long as the reader. Quantities of fields that were not written are zero.
template <int Dim>
void take_snapshot(const TrajectoryReader<Dim>& reader, std::int64_t frame, Snapshot<Dim>& snapshot);

}  // namespace saltus
