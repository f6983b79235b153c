// Bars, strings and beams of a scene become systems with followers.
#pragma once

#include <optional>

#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/simulation_model.hpp"

namespace saltus {

// After all other systems: that is their order.
template <int Dim>
void add_beam(const SceneBeam<Dim>& body, SimulationModel<Dim>& model, CoupledState<Dim>& state);

// Why this scheme has no place for a mass matrix that is not definite; none: it has.
std::optional<std::string> needs_mass(const SchemeOptions& scheme);
// Throws InputError with that reason.
void refuse_massless(const SchemeOptions& scheme, const std::string& where);

}  // namespace saltus
