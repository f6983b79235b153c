// Contacts between two bodies of one joint, which may touch where it holds them (collide = true).
//
// A law that rebounds reads u-, the velocity before the step, with the Jacobians of the step. Of two bodies that are hinged, u- has besides the
// rotation about the hinge, which impulses of the contacts can change, what breaks the joint there (its centripetal velocity over half a step, what
// an impact left). No impulse of a contact can answer that: two contacts on either side of a hinge would ask for rebounds that contradict each
// other, and impulses would grow without bound. The law therefore reads the velocity that the joint leaves: the nearest one, in the
// metric of the two masses, that its rows allow.
#pragma once

#include <span>
#include <utility>

#include "saltus/contact/contact_set.hpp"
#include "saltus/contact/coupling.hpp"
#include "saltus/joints/joint_set.hpp"

namespace saltus {

// Lower slot of the two bodies and joint, sorted: of joints whose bodies may touch.
using JoinedPairs = std::span<const std::pair<int, int>>;

// The joint that lets these two touch; -1: none does.
template <int Dim>
int find_joint_of(JoinedPairs joined, const JointSet<Dim>& joints, std::span<const int> slot_of, int a,
                  int b);

// Sets the shifts of their rows by u- as the joints leave it. May be done again: the same rows come out.
template <int Dim>
void take_joints_off(JoinedPairs joined, const JointSet<Dim>& joints, std::span<const int> slot_of,
                     double mean, const Coupling<Dim>& coupling, std::span<const Contact<Dim>> contacts,
                     VelocityProblem<Dim>& problem);

}  // namespace saltus
