#include "saltus/sim/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void Statistic::add(double value, double time) {
  constexpr std::size_t kSample = 4096;
  if (count_ == 0 || value > worst_) {
    worst_ = value;
    worst_time_ = time;
  }
  sum_ += value;
  if (sample_.capacity() < kSample) sample_.reserve(kSample);
  if (count_ % stride_ == 0) {
    if (sample_.size() == kSample) {
      for (std::size_t i = 0; i < kSample / 2; ++i) sample_[i] = sample_[2 * i];
      sample_.resize(kSample / 2);
      stride_ *= 2;
    }
    if (count_ % stride_ == 0) sample_.push_back(value);
  }
  ++count_;
}

double Statistic::p95() const {
  if (sample_.empty()) return 0;
  std::vector<double> sorted = sample_;
  const std::size_t rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(sorted.size()))) - 1;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank), sorted.end());
  return sorted[rank];
}

void RunSummary::add(const StepReport& report) {
  (steps == 0 ? bonds_start : bonds_formed) += report.bonds_formed;
  bonds_broken += report.bonds_broken;
  ++steps;
  contact_updates += report.contact_updates;
  iterations += report.iterations;
  if (report.status == StepStatus::unconverged && unconverged_steps++ == 0) {
    missed.assign(report.reason.begin(), report.reason.end());
    missed_time = report.time;
  }
  time = report.time;
  bodies = report.bodies;
  contacts_max = std::max(contacts_max, report.contacts);
  contacts_sum += report.contacts;
  residual_rms.add(report.residual_rms, report.time);
  residual_max.add(report.residual_max, report.time);
  residual_rms_gh.add(report.residual_rms_gh, report.time);
  residual_max_gh.add(report.residual_max_gh, report.time);
  momentum.add(report.momentum, report.time);
  penetration.add(report.penetration, report.time);
  penetration_solver.add(report.penetration_solver, report.time);
  if (report.penetration_relative > kOverlap) ++overlap_steps;
  if (report.penetration_relative > penetration_relative.worst())
    penetration_a = report.penetration_a, penetration_b = report.penetration_b;
  penetration_relative.add(report.penetration_relative, report.time);
  compression.add(report.compression, report.time);
  newton.add(report.newton_residual, report.time);
  inertia_ratio.add(report.inertia_ratio, report.time);
  const EnergyBalance& e = report.energy;
  energy_defect.add(e.relative_defect(), report.time);
  if (e.gain > 0) {
    ++gain_steps;
    gain_groups += report.gain_groups;
    if (e.gain > energy_gain.worst())
      gain_a = report.gain_a, gain_b = report.gain_b, gain_gap = report.gain_gap;
  }
  energy_gain.add(e.gain, report.time);
  energy.kinetic = e.kinetic;
  energy.potential = e.potential;
  energy.elastic_stored = e.elastic_stored;
  energy.hardening_stored = e.hardening_stored;
  for (double EnergyBalance::*part :
       {&EnergyBalance::gravity, &EnergyBalance::forces, &EnergyBalance::drives, &EnergyBalance::damping,
        &EnergyBalance::plastic, &EnergyBalance::viscous,
        &EnergyBalance::gyroscopic, &EnergyBalance::impact, &EnergyBalance::friction, &EnergyBalance::elastic,
        &EnergyBalance::cohesion, &EnergyBalance::joints, &EnergyBalance::scheme, &EnergyBalance::projection,
        &EnergyBalance::defect, &EnergyBalance::scale, &EnergyBalance::gain})
    energy.*part += e.*part;
  if (report.ambiguous > 0 || report.unsolved > 0) ++ambiguous_steps;
  if (report.held > 0) {
    ++held_steps;
    held_a = report.held_a, held_b = report.held_b;
  }
  if (report.several > 0) {
    ++several_steps;
    several_a = report.several_a, several_b = report.several_b;
  }
  if (report.separation_passes > 0) ++separated_steps;
  if (report.overlaps_left) ++left_steps;
  separation_passes += report.separation_passes;
  separation_sweeps += report.separation_sweeps;
  if (report.lost_membranes > 0) ++lost_membrane_steps;
  if (report.handed_over) ++handed_over_steps;
  halved_steps += report.halved;
  if (report.length > 0 && (shortest_step == 0 || report.length < shortest_step))
    shortest_step = report.length;
  if (report.fast_bodies > 0) {
    ++fast_steps;
    fastest = report.fastest;
  }
}

}  // namespace saltus
