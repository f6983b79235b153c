// What a scene is to the event-driven scheme (schemes/event_driven.hpp): each system by itself, and in the plane the free
// rigid bodies together as one.
//
// A contact of rigid bodies is one of: a disk or a corner of a convex polygon on a fixed half-plane, a disk on a disk.
// What has no place here is refused when the scene is built: joints, constraints, points of systems, elastic bodies,
// membranes and servos, driven bodies, other shapes, bodies in space, periods, laws other than newton,
// velocity-signorini, quasi-inelastic and gap-signorini (without restitution the same here), friction in space.
#pragma once

#include <vector>

#include "saltus/sim/event_rigid.hpp"

namespace saltus {

template <int Dim>
struct EventParts {
  // Constant after construction.
  std::vector<std::vector<int>> gaps;  // of each system, in parts.gaps
  std::vector<int> bodies;             // slots that move
  std::vector<EventTouch> touches;     // of the contacts of `rigid`, between slots

  // Of the run: modes and sizes of steps follow from the state, to the tolerance.
  std::vector<EventDriven> systems;  // as parts.systems
  std::vector<EventDriven> rigid;    // none or one
};

}  // namespace saltus
