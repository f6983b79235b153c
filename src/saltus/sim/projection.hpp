// The problem on positions of a projected scheme (schemes/projected.hpp): the constraints at the present poses as a problem
// in velocity form, in which a "velocity" is the displacement of the pass, m or rad, and a shift what a constraint is off.
#pragma once

#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

template <int Dim>
struct Projection {
  VelocityProblem<Dim> problem;  // bodies that have not moved, contacts without friction
  Coupling<Dim> coupling;        // joints, gaps and constraints of systems, contacts that are held closed
  std::vector<std::vector<int>> part_place;  // of each degree of freedom in its SystemPart; -1: takes no part
  ContactGroups<Dim> groups;                 // of all constraints of a pass
  std::vector<double> least;                 // per slot: what the solver may leave of a pass, m
  GroupSolver<Dim> solver;
  std::vector<BodyVelocity<Dim>> still;

  // Place of a degree of freedom in its SystemPart; from now on it takes part.
  int take_part(int system, int dof) {
    int& place = part_place[system][dof];
    if (place < 0) {
      place = static_cast<int>(coupling.systems[system].dofs.size());
      coupling.systems[system].dofs.push_back(dof);
    }
    return place;
  }
};

}  // namespace saltus
