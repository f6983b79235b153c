// One state of a trajectory as a surface: STL (binary, for printers, CAD and meshers) or OBJ (text, bodies by name, for
// Blender and the like). Metres. Endless shapes (planes, drums) are left out; plane scenes are flat, at z = 0.
#pragma once

#include <string>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct SurfaceFile {
  std::string bytes;
  std::size_t polygons = 0, bodies = 0, left_out = 0;  // left_out: bodies without a bounded surface
};

enum class SurfaceKind { stl, obj };

// `sides`: of round things.
template <int Dim>
SurfaceFile build_surface_file(const TrajectoryReader<Dim>& reader, std::int64_t frame, SurfaceKind kind,
                               int sides);

}  // namespace saltus
