// What joints hold, as rows on positions: for schemes that correct these.
//
// A row asks of a displacement d of its bodies, with J the rates of the coordinate at the present poses,
//
//     J d + off = 0,       off what the joint is off: held coordinates, and the row of a gear, a screw or a pulley
//     J d + gap >= 0,      limits of free directions, slack ropes
//
// Motors, springs and friction of joints ask for no position.
#pragma once

#include <span>

#include "saltus/contact/coupling.hpp"
#include "saltus/joints/joint_set.hpp"

namespace saltus {

// Appends a block for each, with the shift `off` or `gap`; bounds that are further than `reach` (per slot: the most of the bodies of
// the joint) from being met are left out. Bounds of free directions that push in the blocks of `step` are held closed,
// J d + gap = 0; null: none are.
template <int Dim>
void add_position_blocks(const JointSet<Dim>& joints, std::span<const int> slot_of,
                         std::span<const Pose<Dim>> poses, std::span<const double> reach,
                         const Coupling<Dim>* step, Coupling<Dim>& coupling);

// Appends the rows of one joint to a problem that moves its bodies for another reason: what the joint is off stays as it is, and
// so do directions that a motor without a limit prescribes, J d = 0; bounds are not passed, J d + max(gap, 0) >= 0.
template <int Dim>
void add_kept_blocks(const JointSet<Dim>& joints, int index, std::span<const int> slot_of,
                     std::span<const Pose<Dim>> poses, double reach, Coupling<Dim>& coupling);

}  // namespace saltus
