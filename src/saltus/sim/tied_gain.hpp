// The energy that laws gained in a group which joints and systems are part of: the sums of sim/energy_gain.hpp with every
// block that holds or stops (a joint, a stop, the gap of a system) beside the contacts. What pushes, damps or
// rubs in a joint (a compliance, a ball) counts as smooth: it acts before or after. What a prescribed velocity puts in is not counted.
#pragma once

#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/sim/energy_gain.hpp"

namespace saltus {

// Impulses of a step on its bodies and systems, and the velocities it started from.
template <int Dim>
struct TiedImpulses {
  std::span<const BodyVelocity<Dim>> start;      // per slot
  std::span<const Eigen::VectorXd> start_parts;  // per system, of the degrees of freedom that take part
  std::vector<Vec<Dim>>&
      force;  // per slot: of contacts and of all blocks in, without what pushes or rubs out
  std::vector<Spin<Dim>>& moment;
  std::vector<Eigen::VectorXd>& parts;  // per system: a buffer
  std::span<const Mat<Dim>> dipole;     // per slot: sum of impulse arm^T of contacts, which stretches facets; or empty
};

// Adds the blocks of a group to its sums, and what its systems make of the impulses (Q); the bodies' share of Q is not added. Where neither a
// contact nor a block did positive work, so that nothing can have been gained, Q is left out.
// Returns the block whose work was the largest, -1: none did any beyond that of the contacts.
template <int Dim>
int add_tied_energy(const Coupling<Dim>& coupling, std::span<const int> blocks, std::span<const int> bodies,
                    double mass, const TiedImpulses<Dim>& impulses, ContactEnergy& energy);

}  // namespace saltus
