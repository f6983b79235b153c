// What a trajectory holds of meshes beside their simplices: finite elements, named surfaces, fields. All throw InputError, opened by
// the path, for a file that is damaged.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

// Of all systems of the file, in their order; their nodes and elements are there.
template <int Dim>
void read_cells(const TrajectoryData& data, const std::string& path, std::span<SystemMesh<Dim>* const> meshes);
template <int Dim>
void read_surfaces(const TrajectoryData& data, const std::vector<std::string>& names, const std::string& path,
                   std::span<SystemMesh<Dim>* const> meshes);

// The rows of nodes and cells of a frame, whose systems have their meshes.
template <int Dim>
void fill_fields(const TrajectoryData& rows, const std::string& path, Frame<Dim>& frame);

}  // namespace saltus
