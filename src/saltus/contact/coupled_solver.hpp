// Solves a connected group in which not everything is a contact between rigid bodies. `nlgs` sweeps it in velocity form
// (contact/mixed_group.hpp); `auto` does as well, and hands over to the canonical problem of mixed blocks where sweeps
// are given up or have no place for it; the others solve that problem at once.
#pragma once

#include <string>
#include <vector>

#include "saltus/contact/coupled_problem.hpp"
#include "saltus/contact/coupling.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/contact/load_limits.hpp"
#include "saltus/contact/mixed_group.hpp"
#include "saltus/contact/velocity_auto.hpp"
#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

template <int Dim>
class CoupledSolver {
 public:
  // On entry bodies and systems hold free velocities, contacts and blocks their warm start; on return all are
  // the solution. Residuals are per block, contacts first.
  PartSolution solve(const GroupSolverOptions& options, int group, const ContactGroups<Dim>& groups,
                     VelocitySweeps<Dim>& velocity_sweeps, VelocityProblem<Dim>& problem,
                     Coupling<Dim>& coupling);
  // Impulses with which contacts of a group of bodies and joints stick (`sticks`: of each contact of the group), the nearest to those on
  // entry: then problem and coupling are that solution. Bounds of joints that were reached (those blocks hold what a solve left) go on
  // pushing as they did. False: there are none; nothing has changed.
  bool stick(int group, const ContactGroups<Dim>& groups, const std::vector<char>& sticks,
             VelocityProblem<Dim>& problem, Coupling<Dim>& coupling, PartSolution& solution);

  // The group as plain data; and all groups as one problem.
  const CoupledProblem& build(int group, const ContactGroups<Dim>& groups,
                              const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  const CoupledProblem& build_all(const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);

 private:
  void clear(const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  int part_of_slot(int slot, const VelocityProblem<Dim>& problem);
  int part_of_system(int system, const Coupling<Dim>& coupling);
  CoupledEnd end_at_slot(int slot, const Eigen::MatrixXd& jacobian, const Vec<Dim>& arm,
                         const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void add_contact(int contact, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void add_block(const TiedBlock& block, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void set_units();
  void find_limits(const Coupling<Dim>& coupling);
  PartSolution solve_canonically(const GroupSolverOptions& options, bool polishes);
  SolveReport solve_with_limits(SolverKind solver, bool polishes, const SolveOptions& asked,
                                ContactProblem& canonical, Eigen::VectorXd& r, Eigen::VectorXd& u);
  // What joints hold has no impulse; and how much of it there is.
  void clear_held(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const;
  void tell_held(PartSolution& solution) const;
  void write_back(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling);

  MixedGroup<Dim> mixed_;
  LoadLimits limits_;
  CoupledProblem coupled_;
  std::vector<int> contacts_, tied_;          // of the group, in the order of the blocks
  std::vector<int> part_slot_, part_system_;  // of each part; -1
  std::vector<int> slot_part_, system_part_;  // the way back; -1
  std::vector<std::vector<char>> turns_;
};

extern template class CoupledSolver<2>;
extern template class CoupledSolver<3>;

}  // namespace saltus
