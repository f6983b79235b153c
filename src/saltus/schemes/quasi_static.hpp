// Equilibrium at the end of every step: M does not act.
//
//     0 = h F(t_1) - h C v_1 - h f(q_1) + H r,    q_1 = q + h v_1
//
// Velocities are displacements over h, and laws hold on the gaps that a step ends with: Signorini on positions, Coulomb on what slid
// in the step. Time is that of loads, drives and viscous materials. A body that its supports do not hold has no equilibrium of its
// own (K is singular) and is refused, also where contacts would hold it.
#pragma once

#include <string>

#include "saltus/schemes/options.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

StepWeights quasi_static_weights(const SchemeOptions& options);

// Throws InputError for a law of impacts, or one with a force that depends on velocities of masses. `where` opens the message.
void check_quasi_static(const PairLaw& law, const std::string& where);

}  // namespace saltus
