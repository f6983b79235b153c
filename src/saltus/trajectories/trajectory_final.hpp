// The state at the end of a run as a scene that can be run on.
#pragma once

#include "saltus/sim/simulation.hpp"

namespace saltus {

// The scene of the simulation with its bodies where they are now: it starts at the present time and lasts as
// long as the first one did. Bodies that are gone are left out, bodies still to come stay. What contacts
// remember (impulses of the last step, elastic slip, bonds) is not part of a scene: `--resume` keeps it, this
// does not.
template <int Dim>
Scene<Dim> build_final_scene(const Simulation<Dim>& simulation);

}  // namespace saltus
