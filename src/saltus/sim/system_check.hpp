// Lagrangian systems of a scene, looked at before a run: every derivative of their formulas against differences, and
// the mass, at the start and at a few states about it.
#pragma once

#include <string>
#include <vector>

#include "saltus/sim/scene.hpp"

namespace saltus {

// A sentence for each finding, with the state it was found at; at most a few per system. Throws InputError as building
// the scene does.
template <int Dim>
std::vector<std::string> check_systems(const Scene<Dim>& scene);

}  // namespace saltus
