// A connected group with blocks beside contacts between rigid bodies, solved in velocity form.
//
// Bilateral blocks are eliminated (solvers/elimination.hpp); contacts between bodies that no block ties are packed and
// swept by their own kernels; every other block, contacts of tied bodies and of systems among them, by the general
// kernel (solvers/sweeps/general_blocks.hpp), in the same sweeps.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/contact/load_limits.hpp"
#include "saltus/contact/velocity_auto.hpp"
#include "saltus/solvers/contact_groups.hpp"
#include "saltus/solvers/elimination.hpp"
#include "saltus/solvers/sweeps/general_blocks.hpp"

namespace saltus {

// Beside more packed contacts than this a solver that factorises is out of proportion to sweeps: factors of piles fill
// in. (Mechanisms are long rather than wide.)
inline constexpr int kLargestDirect = 3000;

// Keeps its buffers: after warm-up nothing is allocated while sweeps suffice and the same blocks tie the same bodies.
template <int Dim>
class MixedGroup {
 public:
  // Takes the group. False where the velocity form has no place for it: a viscous contact of a tied body.
  bool gather(int group, const ContactGroups<Dim>& groups, const VelocityProblem<Dim>& problem,
              const Coupling<Dim>& coupling);
  bool may_factorise() const { return packed_.contacts.size() <= kLargestDirect; }
  int blocks() const { return static_cast<int>(system_.blocks.size() + packed_.contacts.size()); }

  // Eliminates the bilateral blocks of what is gathered, and leaves out what they hold: blocks whose W is no more than
  // options.held of that of their bodies alone, or of displacements no more than held_per_length times what they are to open, in
  // lengths of bodies (mixed_group_held.cpp). False: bilateral blocks contradict each other.
  bool prepare(const GroupSolverOptions& options, const VelocityProblem<Dim>& problem,
               const Coupling<Dim>& coupling);
  // What is gathered and prepared, solved.
  PartSolution solve(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps);
  void write_back(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const;

  // What `prepare` found, for another solver: contacts and tied blocks that are left out, ascending, and what it added to the
  // shifts of contacts.
  struct Correction {
    int contact = 0;
    Vec<Dim> shift = Vec<Dim>::Zero();
  };
  bool is_held_told() const { return told_; }  // one of them would be closing, or just closed
  std::span<const int> held_contacts() const { return held_contacts_; }
  std::span<const int> held_tied() const { return held_tied_; }
  std::span<const Correction> taken_off() const { return taken_off_; }
  // The impulses alone, as a warm start of another solver.
  void write_impulses(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const;

 private:
  static constexpr int kDofs = Dim + kSpins<Dim>;
  using Body = SweepBody<Dim>;

  void clear(const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void add_tied(int tied, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void pack_contacts(std::span<const int> contacts, const VelocityProblem<Dim>& problem,
                     const Coupling<Dim>& coupling);
  void add_contact(int contact, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  BlockSystem::Block& open_block(const BlockSet& set);
  void close_block(BlockSystem::Block& block) {
    block.ends = static_cast<int>(system_.ends.size()) - block.first_end;
  }
  // Ends with a jacobian of (v, w) of a body, and of degrees of freedom of a system.
  template <class Jacobian>
  void add_body_end(int slot, const Jacobian& jacobian, const Vec<Dim>& arm,
                    const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  template <class Jacobian>
  void add_system_end(int system, std::span<const int> dofs, const Jacobian& jacobian,
                      const Coupling<Dim>& coupling);
  int part_of_slot(int slot, const VelocityProblem<Dim>& problem);
  int part_of_system(int system, const Coupling<Dim>& coupling);
  bool is_core(int slot, const Coupling<Dim>& coupling) const;
  void set_units();
  double rms_of_free_velocity() const;
  double round_off_of_free_velocity() const;

  void find_joined(const Coupling<Dim>& coupling);
  void find_corrections(const Coupling<Dim>& coupling);
  void take_off_correction(const BlockSystem::Block& block, int contact);
  void free_held(const GroupSolverOptions& options, const VelocityProblem<Dim>& problem,
                 const Coupling<Dim>& coupling);
  double velocity_of(const BlockSystem::Block& block, int row, const std::vector<double>& velocity) const;

  void choose_elimination(const Coupling<Dim>& coupling);
  bool eliminate(double tolerance);
  void sweep(const GroupSolverOptions& options, double tolerance, VelocitySweeps<Dim>& velocity_sweeps,
             PartSolution& solution);
  void choose_joints();
  struct Squares {
    double bilateral = 0, others = 0;
  };
  Squares finish(double enough);
  double residual_square(const BlockSystem::Block& block) const;  // (m/s)^2, of u_ and r as they stand
  double others_square() const;
  double load_of(int block) const;

  BlockSystem system_;
  // Of each mechanism, by the first of its bilateral blocks, so that an analysis outlasts the groups solved in
  // between; the first for groups without any. The one used last comes first. And that of the group at hand.
  std::vector<std::vector<std::unique_ptr<Elimination>>> eliminations_;
  Elimination* elimination_ = nullptr;
  GeneralBlocks<Dim> general_;
  VelocityProblem<Dim> packed_;
  std::vector<SweepBody<Dim>> packed_free_;
  LoadLimits limits_;
  int general_blocks_ = 0;
  Joints joints_ = Joints::tight;
  double sweep_operations_ = 0;

  std::vector<int> tied_, contacts_,
      packed_contact_;                        // numbers of the system's blocks, in its order; of the packed
  std::vector<char> turns_;                   // per row
  std::vector<int> part_slot_, part_system_;  // of each part; -1
  std::vector<int> slot_part_, slot_packed_;  // the way back; -1
  std::vector<int> touched_slots_;            // of which slot_part_ or slot_packed_ is set
  std::vector<int> system_part_, packed_slot_;
  std::vector<int> packed_place_;  // of packed contacts among those of the group
  std::vector<int> block_of_tied_;
  std::vector<double> reduced_, velocity_, u_, impulse_;
  std::vector<int> ends_of_part_;
  double tolerance_ = 0;  // m/s, of what is prepared
  std::vector<int> held_contacts_, held_tied_;
  std::vector<Correction> taken_off_;
  std::vector<std::pair<int, int>> joined_;  // slots that a joint holds to each other
  std::vector<double> corrections_, last_corrections_;
  bool told_ = false;
};

extern template class MixedGroup<2>;
extern template class MixedGroup<3>;

}  // namespace saltus
