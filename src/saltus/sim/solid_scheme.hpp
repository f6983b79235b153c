// What of a scene the explicit and quasi-static schemes have no place for, said when it is built.
#pragma once

#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/simulation_model.hpp"

namespace saltus {

// Throws InputError with the reason.
template <int Dim>
void check_solid_scheme(const SimulationModel<Dim>& model, CoupledState<Dim>& parts);

}  // namespace saltus
