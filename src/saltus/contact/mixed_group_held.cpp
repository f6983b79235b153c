// Contacts and bounds that bilateral blocks hold (contact/mixed_group.hpp).
//
// W of a block within what joints leave free may be nothing beside W of its bodies alone: links of a chain that touch where they are
// hinged, bodies that are welded together. What is left of W is round-off, and the impulse that divides by it is none: such
// blocks are left out. Between two bodies of one joint that is so where the contact passes the hinge within a hundredth: its
// impulses would be a hundred times what they hold, and the gap changes by 1e-4 of the bodies until it acts.
//
// Where W is small, or where two contacts of one hinge oppose each other, they still act, and there joints must not contradict them:
// a joint that takes back what it is off asks for a velocity at the contact as well, which no impulse of the contact can change.
// Contacts of joined bodies therefore do without the velocity that the corrections of joints give them, and do not
// rebound from what the last of them gave.
//
// W within a chain of n links costs n operations a block: of large mechanisms only contacts between two bodies of one joint are asked.
#include <algorithm>
#include <cmath>

#include "saltus/contact/mixed_group.hpp"

namespace saltus {

namespace {

// W of a block over that of its bodies alone: of one joint, left out; below which joints could contradict it.
constexpr double kHeldByOne = 1e-4, kNearlyHeld = 1e-3;
constexpr int kLarge = 256;  // bilateral rows of a group

// Is W of the first row above zero? Mhat^-1 is definite on what is free, and zero elsewhere.
bool can_be_moved(const BlockSystem& system, const BlockSystem::Block& block) {
  if (system.compliance[block.first_row] > 0) return true;
  for (const BlockSystem::End& end : system.ends_of(block)) {
    const BlockSystem::Part& part = system.parts[end.part];
    for (int i = 0; i < end.dofs; ++i) {
      const int dof = system.dof(end, i);
      if (system.jacobian[end.jacobian + i] != 0 && system.inverse_at(part, dof, dof) > 0) return true;
    }
  }
  return false;
}

}  // namespace

template <int Dim>
void MixedGroup<Dim>::find_joined(const Coupling<Dim>& coupling) {
  joined_.clear();
  for (const int tied : tied_) {
    const TiedBlock& block = coupling.blocks[tied];
    if (!block.corrects) continue;
    for (const TiedEnd& a : block.ends)
      for (const TiedEnd& b : block.ends)
        if (a.slot >= 0 && a.slot < b.slot) joined_.emplace_back(a.slot, b.slot);
  }
  std::sort(joined_.begin(), joined_.end());
}

// Velocities that bilateral blocks give by correcting alone, into corrections_; and what of the velocities at the start of the step was
// against them, into last_corrections_.
template <int Dim>
void MixedGroup<Dim>::find_corrections(const Coupling<Dim>& coupling) {
  const std::vector<double> ground = system_.ground, shift = system_.shift, r = system_.r;
  for (const bool last : {false, true}) {
    for (std::size_t i = 0; i < tied_.size(); ++i) {
      const BlockSystem::Block& block = system_.blocks[i];
      const TiedBlock& tied = coupling.blocks[tied_[i]];
      if (block.set.kind != SetKind::space) continue;
      for (int k = 0; k < block.rows(); ++k) {
        system_.ground[block.first_row + k] = 0;
        if (last || !tied.corrects) system_.shift[block.first_row + k] = tied.corrects ? tied.before[k] : 0;
      }
    }
    std::vector<double>& velocity = last ? last_corrections_ : corrections_;
    velocity.assign(system_.free.size(), 0.0);
    elimination_->enforce(system_, 0, velocity, system_.r);
  }
  system_.ground = ground, system_.shift = shift, system_.r = r;
}

// H^T v of a row.
template <int Dim>
double MixedGroup<Dim>::velocity_of(const BlockSystem::Block& block, int row,
                                    const std::vector<double>& velocity) const {
  double u[BlockSystem::kMostRows] = {};
  for (const BlockSystem::End& end : system_.ends_of(block))
    system_.add_velocity(end, block.rows(), velocity.data() + system_.parts[end.part].velocity, u);
  return u[row];
}

template <int Dim>
void MixedGroup<Dim>::take_off_correction(const BlockSystem::Block& block, int contact) {
  Correction& taken = taken_off_.emplace_back();
  taken.contact = contact;
  double* shift = system_.shift.data() + block.first_row;
  for (int k = 0; k < Dim; ++k) taken.shift[k] = -velocity_of(block, k, corrections_);
  if (shift[0] < 0) taken.shift[0] += std::min(std::abs(velocity_of(block, 0, last_corrections_)), -shift[0]);
  for (int k = 0; k < Dim; ++k) shift[k] += taken.shift[k];
}

template <int Dim>
void MixedGroup<Dim>::free_held(const GroupSolverOptions& options, const VelocityProblem<Dim>& problem,
                                const Coupling<Dim>& coupling) {
  find_joined(coupling);
  told_ = false;
  bool corrections_known = false;
  const auto are_joined = [&](int a, int b) {
    return std::binary_search(joined_.begin(), joined_.end(), std::pair(std::min(a, b), std::max(a, b)));
  };
  for (std::size_t i = 0; i < system_.blocks.size(); ++i) {
    BlockSystem::Block& block = system_.blocks[i];
    if (block.set.kind == SetKind::space || block.set.kind == SetKind::ball) continue;
    if (elimination_->rows() == 0 && can_be_moved(system_, block)) continue;  // no joint holds it
    const bool is_contact = i >= tied_.size();
    const int contact = is_contact ? contacts_[i - tied_.size()] : -1;
    const bool is_joined = is_contact && are_joined(problem.contacts[contact].a, problem.contacts[contact].b);
    if (!is_joined && elimination_->rows() > kLarge) continue;
    const Elimination::Mobility W = elimination_->mobility(system_, block);
    const double asked = -system_.shift[block.first_row];
    double held = is_joined ? std::max(options.held, kHeldByOne) : options.held;
    if (is_contact) held = std::max(held, options.held_per_length * asked / system_.length);
    if (!(W.held > held * W.alone)) {
      const double u = system_.ground[block.first_row] + velocity_of(block, 0, reduced_);
      told_ |= u - asked <= tolerance_;
      block.left_out = true;
      std::fill_n(system_.r.begin() + block.first_row, block.rows(), 0.0);
      if (is_contact)
        held_contacts_.push_back(contact);
      else
        held_tied_.push_back(tied_[i]);
      continue;
    }
    if (!is_contact || joined_.empty() || (W.held > kNearlyHeld * W.alone && !is_joined)) continue;
    if (!corrections_known) find_corrections(coupling);
    corrections_known = true;
    take_off_correction(block, contact);
  }
  general_blocks_ =
      static_cast<int>(std::count_if(system_.blocks.begin(), system_.blocks.end(),
                                     [](const BlockSystem::Block& block) { return block.is_swept(); }));
}

template void MixedGroup<2>::find_joined(const Coupling<2>&);
template void MixedGroup<3>::find_joined(const Coupling<3>&);
template void MixedGroup<2>::find_corrections(const Coupling<2>&);
template void MixedGroup<3>::find_corrections(const Coupling<3>&);
template double MixedGroup<2>::velocity_of(const BlockSystem::Block&, int, const std::vector<double>&) const;
template double MixedGroup<3>::velocity_of(const BlockSystem::Block&, int, const std::vector<double>&) const;
template void MixedGroup<2>::take_off_correction(const BlockSystem::Block&, int);
template void MixedGroup<3>::take_off_correction(const BlockSystem::Block&, int);
template void MixedGroup<2>::free_held(const GroupSolverOptions&, const VelocityProblem<2>&,
                                       const Coupling<2>&);
template void MixedGroup<3>::free_held(const GroupSolverOptions&, const VelocityProblem<3>&,
                                       const Coupling<3>&);

}  // namespace saltus
