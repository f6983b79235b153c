#include "saltus/solvers/velocity_nlgs.hpp"

#include "saltus/solvers/sweep_central.hpp"
#include "saltus/solvers/sweep_exact.hpp"
#include "saltus/solvers/sweep_plane.hpp"
#include "saltus/solvers/sweep_space.hpp"
#include "saltus/solvers/sweeper.hpp"

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

// Velocities from the impulses, once more and from the start: round-off of thousands of sweeps is gone.
template <int Dim>
VelocityResidual apply_and_judge(VelocityProblem<Dim>& problem) {
  if (problem.rolling)
    apply_all<std::conditional_t<Dim == 2, Rolling2, Rolling3>>(problem);
  else
    apply_all<std::conditional_t<Dim == 2, Coulomb2, Coulomb3>>(problem);
  return compute_residual<Dim>(problem);
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
    if (problem.rolling) return visit(rolling, false);
    if (!PlaneKernel::accepts(problem)) return visit(viscous, false);
    return visit(plane, true);
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
    if (problem.rolling) return visit(rolling, false);
    if (!SpaceKernel::accepts(problem)) return visit(viscous, false);
    if (CentralKernel::accepts(problem)) return visit(central, true);
    return visit(space, true);
  }
};

}  // namespace

template <int Dim>
struct VelocityNlgs<Dim>::Workspace : Sweepers<Dim> {};

template <int Dim>
VelocityNlgs<Dim>::VelocityNlgs() : workspace_(std::make_unique<Workspace>()) {}
template <int Dim>
VelocityNlgs<Dim>::~VelocityNlgs() = default;
template <int Dim>
VelocityNlgs<Dim>::VelocityNlgs(VelocityNlgs&&) noexcept = default;
template <int Dim>
VelocityNlgs<Dim>& VelocityNlgs<Dim>::operator=(VelocityNlgs&&) noexcept = default;

template <int Dim>
VelocityReport VelocityNlgs<Dim>::solve(const VelocityNlgsOptions& options, VelocityProblem<Dim>& problem) {
  Workspace& w = *workspace_;
  w.order.build(problem);
  w.free = problem.bodies;
  VelocityReport report;
  w.with_sweeper(problem, [&](auto& sweeper, bool has_convex) {
    report = sweeper.solve(options, has_convex, w.order, problem);
    report.residual = apply_and_judge<Dim>(problem);
    const bool within = !options.margins && report.residual.rms <= options.tolerance;
    if (within) report.status = SolveStatus::converged;
    if (within) return;
    // The last sweep lost what one before it had reached, or its margins were not looked at.
    if (report.status == SolveStatus::converged)
      sweeper.store_before(problem);
    else if (std::isfinite(sweeper.best_residual()) && !(report.residual.rms <= sweeper.best_residual()))
      sweeper.store_best(problem);
    else
      return;
    problem.bodies = w.free;
    report.residual = apply_and_judge<Dim>(problem);
    // What a sweep found in passing counts only if the residual of the end confirms it.
    if (!options.margins && report.residual.rms > options.tolerance &&
        report.status == SolveStatus::converged)
      report.status = SolveStatus::stalled;
  });
  if (!std::isfinite(report.residual.rms)) report.status = SolveStatus::failed;
  return report;
}

template class VelocityNlgs<2>;
template class VelocityNlgs<3>;

}  // namespace saltus
