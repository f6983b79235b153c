// The deformable bodies of a frame as one unstructured grid: see vtk_frames.hpp.
#pragma once

#include "saltus/exchange/vtk_file.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

template <int Dim>
VtkPiece build_vtk_meshes(const Frame<Dim>& frame);

}  // namespace saltus
