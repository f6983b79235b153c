// Nonlinear Gauss-Seidel in velocity form: contacts one after the other, each solved exactly against
// the latest velocities of its two bodies (Jean 1999, Moreau 1999). W is never stored: an update
// reads and writes two body records, whatever the number of their neighbours.
//
// Between sweeps the iterate is pushed on with extrapolation (extrapolation.hpp; the local problem that makes this
// possible: sweep_kernel.hpp). The order of a sweep is a function of the problem (sweep_order.hpp): with the
// threads of the ThreadScope around a solve, however many, the answer has the same bits. The residual of a
// contact is
//
//     e_c = |r_c - P_K(r_c - m u~_c)| / m     (m/s; rolling components by the length of the problem)
//
// and a solve ends when its root mean square, evaluated on one frozen state, reaches the tolerance; or,
// by the margins of Jean 1995 (section 1.5), when every contact is as close to the graphs of
// Signorini and Coulomb as they say. Same input, same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "saltus/solvers/solver.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

template <int Dim>
class SweepGuest;

// Of velocities (a gap margin divided by h) and impulses (a force margin times h).
struct VelocityMargins {
  double normal = 0, sliding = 0, impulse = 0;
};

struct VelocitySweepOptions {
  double tolerance = 1e-8;  // m/s, of the rms residual
  std::int64_t max_sweeps = 5000;
  std::optional<VelocityMargins> margins;
  bool accelerate = true;  // false: plain sweeps, to compare with
  // Asked after a sweep that was judged, with the number of sweeps so far and the residual (rms, m/s) of the
  // iterate it started from: true ends the solve, as stalled.
  std::function<bool(std::int64_t sweeps, double residual)> give_up = {};
};

struct VelocityResidual {
  double rms = 0, max = 0;  // m/s
  int worst = -1;           // contact of the largest
};

// Of the velocities and impulses in the problem as they stand.
template <int Dim>
VelocityResidual compute_residual(const VelocityProblem<Dim>& problem);
// The same, and each contact is told its own.
template <int Dim>
VelocityResidual update_residuals(VelocityProblem<Dim>& problem);
// The same of some contacts: sqrt(sum e^2) over them, m/s.
template <int Dim>
double compute_residual_norm(const VelocityProblem<Dim>& problem, std::span<const int> contacts);

// Nanoseconds that a sweep of the problem takes on one thread, by the kernel that would sweep it: to weigh
// sweeps against other solvers, by the same figures on every machine.
template <int Dim>
double sweep_cost(const VelocityProblem<Dim>& problem);

struct VelocityReport {
  SolveStatus status = SolveStatus::converged;
  std::int64_t sweeps = 0, contact_updates = 0;
  VelocityResidual residual;
  int unsolved = 0;  // contacts with no local solution in the last sweep: the best bounded answer was taken
};

// Keeps its buffers between solves: after warm-up nothing is allocated.
template <int Dim>
class VelocitySweeps {
 public:
  VelocitySweeps();
  ~VelocitySweeps();
  VelocitySweeps(VelocitySweeps&&) noexcept;
  VelocitySweeps& operator=(VelocitySweeps&&) noexcept;

  // On entry bodies hold free velocities and contacts their warm start; on return both are the
  // solution (a best effort when the status is not `converged`).
  // `guest`: what is swept beside the contacts, its blocks counted in the residual (worst: of the contacts).
  VelocityReport solve(const VelocitySweepOptions& options, VelocityProblem<Dim>& problem,
                       SweepGuest<Dim>* guest = nullptr);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

extern template class VelocitySweeps<2>;
extern template class VelocitySweeps<3>;

}  // namespace saltus
