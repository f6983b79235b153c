// The state of a simulation: what a checkpoint holds, and with the model all that the next step depends on.
#pragma once

#include <cstdint>

#include "saltus/contact/contact_set.hpp"
#include "saltus/dynamics/body_set.hpp"
#include "saltus/sim/alpha_state.hpp"
#include "saltus/sim/controls.hpp"
#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus {

template <int Dim>
struct SimulationState {
  BodySet<Dim> bodies;
  ContactSet<Dim> contacts;
  std::int64_t steps = 0;
  std::size_t next_event = 0;  // of SimulationModel::events
  // Of step control: how often the next step is halved, the length of the last in parts of h, and what the last one left as
  // penetration_relative.
  int halvings = 0;
  double last_part = 1, overlap = 0;
  double part = 0;  // of the present h that is done: between steps 0
  int bonds = 0;    // that hold
  bool finite = true;
  RunSummary summary;
  InitialOverlaps overlaps;
  CoupledState<Dim> parts;  // what is not a rigid body, and what ties
  AlphaState<Dim> alpha;    // accelerations, of the schemes that carry them
  Controls<Dim> controls;   // set by the program
};

}  // namespace saltus
