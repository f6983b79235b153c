// Ends of joints at nodes of deformable bodies, and ties, which are joints of every node of a boundary.
//
// An end is a follower (sim/followers.hpp) that nothing touches: a node, or a point or a mean of sides as shares of their nodes. A joint holds it as it holds
// any other body, so that ties are bilateral blocks in the one solve of a step.
#pragma once

#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/simulation_model.hpp"

namespace saltus {

// Joints that a tie of a scene made in a run before go.
template <int Dim>
void forget_ties(Scene<Dim>& scene);

// Adds the followers, the joints of ties and CoupledModel::joint_ends, once systems are there. Throws InputError: a body, a group or a node that is
// not there, nothing near enough (how far it is).
template <int Dim>
void add_mesh_ends(SimulationModel<Dim>& model, const CoupledState<Dim>& state);

}  // namespace saltus
