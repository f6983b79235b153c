// Which fields (output.fields) a trajectory holds: what was not stored reads as zero, and must not be shown as such.
#pragma once

#include <string>
#include <vector>

#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

bool has_field(const TrajectoryFile& file, const std::string& field);

// "FIELD, which was not stored: run again with ...", of the first of them that is missing; empty: all are there.
std::string describe_missing(const TrajectoryFile& file, const std::vector<std::string>& fields);

// InputError when one of them was not stored: what needs it ("the colour velocity"), which one, how to store it.
void require_fields(const TrajectoryFile& file, const std::vector<std::string>& fields,
                    const std::string& what);

}  // namespace saltus
