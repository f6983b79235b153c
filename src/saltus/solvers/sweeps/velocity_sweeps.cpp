#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

#include "saltus/solvers/sweeps/sweep_central.hpp"
#include "saltus/solvers/sweeps/sweep_exact.hpp"
#include "saltus/solvers/sweeps/sweep_plane.hpp"
#include "saltus/solvers/sweeps/sweep_space.hpp"
#include "saltus/solvers/sweeps/sweeper.hpp"

namespace saltus {

namespace {

template <class C>
void apply_all(VelocityProblem<kDim<C>>& problem) {
  for (const SweepContact<kDim<C>>& c : problem.contacts) {
    typename C::Vector p;
    p.template head<kDim<C>>() = c.p;
    if constexpr (C::kRollings > 0) p.template tail<C::kRollings>() = c.moment;
    apply_impulse<C>(c, p, problem.bodies[c.a], problem.bodies[c.b]);
  }
}

// With the blocks of a guest, which have felt the same velocities.
template <int Dim>
VelocityResidual judge_with(SweepGuest<Dim>& guest, VelocityProblem<Dim>& problem) {
  const GuestResidual guests = guest.apply_and_judge(problem.bodies);
  VelocityResidual all = update_residuals<Dim>(problem);
  const double contacts = static_cast<double>(problem.contacts.size()), count = contacts + guest.blocks();
  if (count > 0) all.rms = std::sqrt((all.rms * all.rms * contacts + guests.sum) / count);
  if (!(guests.largest <= all.max * all.max)) {
    all.max = std::sqrt(guests.largest);
    all.worst = -1;
  }
  return all;
}

// Velocities from the impulses, once more and from the start: round-off of thousands of sweeps is gone.
template <int Dim>
VelocityResidual apply_and_judge(VelocityProblem<Dim>& problem, SweepGuest<Dim>* guest) {
  if (problem.rolling)
    apply_all<std::conditional_t<Dim == 2, Rolling2, Rolling3>>(problem);
  else
    apply_all<std::conditional_t<Dim == 2, Coulomb2, Coulomb3>>(problem);
  return guest ? judge_with<Dim>(*guest, problem) : update_residuals<Dim>(problem);
}

// Whether one of the contacts that were left out as open is not.
template <int Dim>
bool has_closed(const std::vector<int>& open, const VelocityProblem<Dim>& problem) {
  return std::any_of(open.begin(), open.end(), [&](int i) {
    const SweepContact<Dim>& c = problem.contacts[i];
    return relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c)[0] + c.shift[0] < 0;
  });
}

// Nanoseconds of an update within a solve of problems in cache: the geometric mean of processors with packs of four numbers (18, 14 and
// 40, bench/sweep) and of eight (8, 9 and 20, problems of bench/choose). Rolling contacts by the same problems, at the same mean.
constexpr double kPlaneUpdate = 12, kCentralUpdate = 11, kSpaceUpdate = 28;
constexpr double kPlaneRolling = 70, kSpaceRolling = 550;
constexpr double kPlaneViscous = 250, kSpaceViscous = 750;

template <int Dim>
std::size_t count_rolling(const VelocityProblem<Dim>& problem) {
  if (!problem.rolling) return 0;
  return static_cast<std::size_t>(std::count_if(problem.contacts.begin(), problem.contacts.end(),
                                                [](const SweepContact<Dim>& c) { return c.mu_r > 0; }));
}

// Half of the contacts are enough: packs would be half empty.
template <int Dim>
bool rolls_everywhere(const VelocityProblem<Dim>& problem) {
  return 2 * count_rolling(problem) >= problem.contacts.size();
}

// The kernels of a dimension and the choice among them.
template <int Dim>
struct Sweepers;

template <>
struct Sweepers<2> {
  SweepOrder order;
  std::vector<SweepBody<2>> free;
  Sweeper<PlaneKernel> plane;
  Sweeper<ExactKernel<Coulomb2>> viscous;
  Sweeper<ExactKernel<Rolling2>> rolling;

  template <class Visit>
  void with_sweeper(const VelocityProblem<2>& problem, Visit&& visit) {
    if (problem.rolling && (rolls_everywhere(problem) || !PlaneKernel::accepts(problem)))
      return visit(rolling, false);
    if (!PlaneKernel::accepts(problem)) return visit(viscous, false);
    return visit(plane, !problem.rolling);  // contacts that roll have no convex problem
  }
};

template <>
struct Sweepers<3> {
  SweepOrder order;
  std::vector<SweepBody<3>> free;
  Sweeper<CentralKernel> central;
  Sweeper<SpaceKernel> space;
  Sweeper<ExactKernel<Coulomb3>> viscous;
  Sweeper<ExactKernel<Rolling3>> rolling;

  template <class Visit>
  void with_sweeper(const VelocityProblem<3>& problem, Visit&& visit) {
    if (problem.rolling && (rolls_everywhere(problem) || !SpaceKernel::accepts(problem)))
      return visit(rolling, false);
    if (!SpaceKernel::accepts(problem)) return visit(viscous, false);
    if (!problem.rolling && CentralKernel::accepts(problem)) return visit(central, true);
    return visit(space, !problem.rolling);
  }
};

}  // namespace

template <>
double sweep_cost<2>(const VelocityProblem<2>& problem) {
  const double count = static_cast<double>(problem.contacts.size());
  if (!PlaneKernel::accepts(problem)) return kPlaneViscous * count;
  const double rolling = static_cast<double>(count_rolling(problem));
  return kPlaneRolling * rolling + kPlaneUpdate * (count - rolling);
}
template <>
double sweep_cost<3>(const VelocityProblem<3>& problem) {
  const double count = static_cast<double>(problem.contacts.size());
  if (!SpaceKernel::accepts(problem)) return kSpaceViscous * count;
  const double rolling = static_cast<double>(count_rolling(problem));
  if (rolling > 0) return kSpaceRolling * rolling + kSpaceUpdate * (count - rolling);
  return (CentralKernel::accepts(problem) ? kCentralUpdate : kSpaceUpdate) * count;
}

template <int Dim>
struct VelocitySweeps<Dim>::Workspace : Sweepers<Dim> {
  VelocityReport sweep(const VelocitySweepOptions& options, SweepOrder::Open open,
                       VelocityProblem<Dim>& problem, SweepGuest<Dim>* guest);
};

template <int Dim>
VelocitySweeps<Dim>::VelocitySweeps() : workspace_(std::make_unique<Workspace>()) {}
template <int Dim>
VelocitySweeps<Dim>::~VelocitySweeps() = default;
template <int Dim>
VelocitySweeps<Dim>::VelocitySweeps(VelocitySweeps&&) noexcept = default;
template <int Dim>
VelocitySweeps<Dim>& VelocitySweeps<Dim>::operator=(VelocitySweeps&&) noexcept = default;

// Bodies hold free velocities.
template <int Dim>
VelocityReport VelocitySweeps<Dim>::Workspace::sweep(const VelocitySweepOptions& options,
                                                     SweepOrder::Open open, VelocityProblem<Dim>& problem,
                                                     SweepGuest<Dim>* guest) {
  VelocityReport report;
  this->with_sweeper(problem, [&](auto& sweeper, bool has_convex) {
    this->order.build(problem, open, sweeper.kLanes);
    for (const int i : this->order.open()) problem.contacts[i].p.setZero();
    report = sweeper.solve(options, has_convex && this->order.contacts() > 0, this->order, problem, guest);
    report.residual = apply_and_judge<Dim>(problem, guest);
    const bool within = !options.margins && report.residual.rms <= options.tolerance;
    if (within) report.status = SolveStatus::converged;
    const bool lost = !within && report.status == SolveStatus::converged;
    const bool was_better = !within && std::isfinite(sweeper.best_residual()) &&
                            !(report.residual.rms <= sweeper.best_residual());
    // The last sweep lost what one before it had reached, or its margins were not looked at.
    if (lost)
      sweeper.store_before(problem);
    else if (was_better)
      sweeper.store_best(problem);
    sweeper.release();
    if (!lost && !was_better) return;
    problem.bodies = this->free;
    report.residual = apply_and_judge<Dim>(problem, guest);
    // What a sweep found in passing counts only if the residual of the end confirms it.
    if (!options.margins && report.residual.rms > options.tolerance &&
        report.status == SolveStatus::converged)
      report.status = SolveStatus::stalled;
  });
  return report;
}

template <int Dim>
VelocityReport VelocitySweeps<Dim>::solve(const VelocitySweepOptions& options, VelocityProblem<Dim>& problem,
                                          SweepGuest<Dim>* guest) {
  Workspace& w = *workspace_;
  w.free = problem.bodies;
  VelocityReport report = w.sweep(
      options, options.margins ? SweepOrder::Open::take : SweepOrder::Open::leave_out, problem, guest);
  if (report.residual.rms > options.tolerance && has_closed(w.order.open(), problem)) {
    VelocitySweepOptions rest = options;
    rest.max_sweeps = std::max<std::int64_t>(1, options.max_sweeps - report.sweeps);
    problem.bodies = w.free;
    const VelocityReport all = w.sweep(rest, SweepOrder::Open::take, problem, guest);
    const std::int64_t sweeps = report.sweeps, updates = report.contact_updates;
    report = all;
    report.sweeps += sweeps;
    report.contact_updates += updates;
  }
  release_if_large(w.free);
  if (!std::isfinite(report.residual.rms)) report.status = SolveStatus::failed;
  return report;
}

template class VelocitySweeps<2>;
template class VelocitySweeps<3>;

}  // namespace saltus
