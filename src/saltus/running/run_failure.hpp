// Why a run could not go on, in one sentence for its author.
#pragma once

#include <string>

#include "saltus/sim/simulation.hpp"

namespace saltus {

// After a step whose report says `not_finite`: the body, its place in the input, the time, and the key whose
// function gives no finite number in that step, if one does.
template <int Dim>
std::string explain_failure(const Simulation<Dim>& simulation, const StepReport& report);

}  // namespace saltus
