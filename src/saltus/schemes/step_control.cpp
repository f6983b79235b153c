#include "saltus/schemes/step_control.hpp"

#include <algorithm>

namespace saltus {

bool is_to_be_halved(const StepControl& control, const StepReport& report, double overlap_before) {
  if (report.solid_failed) return true;
  if (!control.on) return false;
  if (report.status != StepStatus::converged) return true;
  return report.penetration_relative > std::max(control.overlap, overlap_before);
}

StepReport join(const StepReport& first, StepReport next) {
  for (double EnergyBalance::*part :
       {&EnergyBalance::gravity, &EnergyBalance::forces, &EnergyBalance::drives, &EnergyBalance::damping,
        &EnergyBalance::plastic, &EnergyBalance::viscous,
        &EnergyBalance::gyroscopic, &EnergyBalance::impact, &EnergyBalance::friction, &EnergyBalance::elastic,
        &EnergyBalance::cohesion, &EnergyBalance::joints, &EnergyBalance::scheme, &EnergyBalance::projection,
        &EnergyBalance::defect, &EnergyBalance::scale, &EnergyBalance::gain})
    next.energy.*part += first.energy.*part;
  for (int StepReport::*count :
       {&StepReport::ambiguous, &StepReport::unsolved, &StepReport::several, &StepReport::held,
        &StepReport::gain_groups, &StepReport::fast_bodies, &StepReport::separation_passes,
        &StepReport::bonds_formed, &StepReport::bonds_broken, &StepReport::lost_membranes,
        &StepReport::projection_passes, &StepReport::halved})
    next.*count += first.*count;
  next.iterations += first.iterations;
  next.contact_updates += first.contact_updates;
  next.separation_sweeps += first.separation_sweeps;
  next.overlaps_left |= first.overlaps_left;
  next.solid_failed |= first.solid_failed;
  for (double StepReport::*worst :
       {&StepReport::residual_rms, &StepReport::residual_max, &StepReport::residual_rms_gh,
        &StepReport::residual_max_gh, &StepReport::momentum, &StepReport::projection_left,
        &StepReport::newton_residual, &StepReport::inertia_ratio, &StepReport::compression, &StepReport::penetration,
        &StepReport::penetration_solver})
    next.*worst = std::max(next.*worst, first.*worst);
  if (first.penetration_relative > next.penetration_relative) {
    next.penetration_relative = first.penetration_relative;
    next.penetration_a = first.penetration_a, next.penetration_b = first.penetration_b;
  }
  if (first.status == StepStatus::unconverged && next.status == StepStatus::converged)
    next.status = first.status, next.reason = first.reason;
  return next;
}

}  // namespace saltus
