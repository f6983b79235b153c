// The solvers of one connected group of contacts, given in velocity form: by sweeps, by a solver of the
// canonical problem, or by what measurement on the way recommends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/contact/group_solver.hpp"

namespace saltus {

// What a group had on entry, kept for a second solver. Its memory is reused.
template <int Dim>
struct EntryState {
  std::vector<SweepBody<Dim>> bodies;  // free velocities
  std::vector<Vec<Dim>> r;             // warm start
  std::vector<Eigen::Matrix<double, Dim - 1, 1>> moment;
  std::vector<int> touching;  // contacts of each body: room to count blocks

  void keep(const VelocityProblem<Dim>& problem) {
    bodies = problem.bodies;
    r.clear();
    moment.clear();
    for (const SweepContact<Dim>& c : problem.contacts) {
      r.push_back(c.r);
      moment.push_back(c.moment);
    }
  }
};

struct PartSolution {
  bool converged = false;
  double tolerance = 0;  // asked, m/s
  double mass = 1;       // kg, mean of what moves: the unit of the group's residual
  std::string reason;
  VelocityResidual residual;
  std::int64_t iterations = 0, contact_updates = 0;
  int unsolved = 0;
  bool several = false;
  int held = 0, held_contact = -1;
  std::vector<SolveStage> stages;
};

template <int Dim>
PartSolution solve_by_sweeps(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps,
                             VelocityProblem<Dim>& problem);

template <int Dim>
PartSolution solve_canonically(const GroupSolverOptions& options, VelocityProblem<Dim>& problem);

// Sweeps while their measured rate promises the tolerance for less than solvers that factorise would cost;
// these then.
template <int Dim>
PartSolution solve_automatically(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps,
                                 EntryState<Dim>& entry, VelocityProblem<Dim>& problem);

}  // namespace saltus
