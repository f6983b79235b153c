// Solves the problem of a step, one connected group of contacts after the other.
//
// Bodies that no chain of contacts joins have no influence on each other, to the last bit: each group
// has its own units of the residual (mean mass and length of its moving bodies), its own order of sweeps, its
// own end. A group is done when the root mean square of its residuals reaches the tolerance.
//
// Without gravity the tolerance is a part of the velocities that contacts would have without any force of contact: the
// pulls of bonds, which are forces inside the group however large, are taken off. Where nothing moves it is what
// round-off makes of the velocities that come together at the contacts.
//
// Small groups at rest stick if they can, whatever the solver: up to kSticking contacts, the relative
// velocity of each at the start of the step within kRest tolerances. Where the solver moves one by more than
// kMoves tolerances and impulses exist that hold all of them (solvers/sticking.hpp), those nearest to the
// last step's are taken, and the group is counted as one with several solutions.
//
// Where a step is solved again and again until something else is settled too (laws that are not linear, which contacts are active,
// systems that are not linear), groups that are settled keep their solution: they take as many solves as they would alone.
//
// Groups with anything else than contacts between rigid bodies (joints, bodies that deform) are solved as one
// mixed problem each (contact/coupled_solver.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/solvers/contact_groups.hpp"
#include "saltus/solvers/solver.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

inline constexpr int kSticking = 64;
inline constexpr double kRest = 10, kMoves = 2;

struct GroupSolverOptions {
  SolverKind solver = SolverKind::automatic;  // nlgs is the velocity form
  double tolerance = 1e-8;                    // of the rms residual of each group, m/s; or,
  bool of_free_velocity = false;              // with this, of the rms of |b| of the group, bonds left out
  double gap_rate = 0;  // 1/s: what the shift of a contact asks for of an error of its gap
  // Per body, then systems if given: no group is asked for less than the most of its own, but for `most`; empty: nothing.
  std::span<const double> least;
  double most = std::numeric_limits<double>::infinity();
  bool sticks = true;                  // what rests and can stick sticks (solvers/sticking.hpp)
  bool bonded = false;                 // rigid bonds pull: impulses must stay near those of the last step
  std::int64_t max_iterations = 5000;  // of each group; `auto`: of its sweeps
  int threads = 1;
  LocalSolverKind local = LocalSolverKind::cascade;
  std::optional<VelocityMargins> margins;  // given: sweeps, ended by these
  double held = 1e-8;                      // see contact/mixed_group.hpp
  double held_per_length = 0;              // the same, of displacements over the length of the group's bodies
  double time_limit = 0;                   // CPU seconds of a group's solver that factorises; 0: none
};

struct GroupSolution {
  bool converged = true;
  std::string reason;           // of the first group that is not
  double tolerance = 0;         // largest asked of a group, m/s
  VelocityResidual residual;    // over all contacts
  std::int64_t iterations = 0;  // most of a group
  std::int64_t contact_updates = 0;
  int groups = 0;
  int several = 0;                 // groups for which two solutions were found: the one that sticks was taken
  int several_contact = -1;        // a contact of the first of them
  int unsolved = 0;                // contacts with no local solution: the best bounded answer was taken
  int held = 0;                    // contacts and bounds that joints hold, on which no impulse acts: left out
  int held_contact = -1;           // the first contact of them
  std::vector<SolveStage> stages;  // of the largest group that `auto` solved by more than sweeps
};

// Keeps its buffers: after warm-up nothing is allocated while sweeps suffice.
template <int Dim>
class GroupSolver {
 public:
  GroupSolver();
  ~GroupSolver();
  GroupSolver(GroupSolver&&) noexcept;
  GroupSolver& operator=(GroupSolver&&) noexcept;

  // On entry bodies hold free velocities and contacts their warm start; on return both are the solution.
  // `start`: velocities of the bodies when the step began.
  // `coupling`: what else ties them, solved with them; none: nullptr.
  // `pulls`: of the bond of each contact, N s, in the free velocities; empty: none.
  // `kept`: of each body, then of each system: its group is as it was in the last solve, whose solution the problem and the coupling
  // hold already; empty: none is.
  GroupSolution solve(const GroupSolverOptions& options, std::span<const BodyVelocity<Dim>> start,
                      VelocityProblem<Dim>& problem, Coupling<Dim>* coupling = nullptr,
                      std::span<const double> pulls = {}, std::span<const char> kept = {});

  // Of the last solve.
  const ContactGroups<Dim>& groups() const;
  double tolerance_of(int group) const;  // m/s
  double mass_of(int group) const;       // kg, mean of what moves

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

extern template class GroupSolver<2>;
extern template class GroupSolver<3>;

}  // namespace saltus
