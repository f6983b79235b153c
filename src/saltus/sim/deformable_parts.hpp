// Deformable bodies of a scene become systems with surfaces.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/simulation_model.hpp"

namespace saltus {

// All of them: elastic rectangles (2D), then those with meshes of their own.
template <int Dim>
std::vector<SceneDeformable<Dim>> deformables(const Scene<Dim>& scene);
// Beams come after them.
template <int Dim>
const std::string& solid_name(const Scene<Dim>& scene, int solid);

template <int Dim>
void add_deformable(const SceneDeformable<Dim>& body, SimulationModel<Dim>& model, CoupledState<Dim>& state);

// Elements as triangles or tetrahedra between their nodes, to be drawn and stored, and which element each is a part of. Middle
// nodes of h20 are left out.
template <int Dim>
std::vector<std::array<int, Dim + 1>> cut_into_simplices(const SolidMesh<Dim>& mesh,
                                                         std::vector<int>& element_of);

}  // namespace saltus
