// What a run reports about its truth: the figures of its steps (schemes/step_report.hpp), worst, 95th
// percentile and mean, and sums.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/schemes/step_report.hpp"

namespace saltus {

// Worst, 95th percentile and mean of a figure over the steps, with when the worst happened. The percentile
// is exact up to 4096 steps, then of a deterministic thinning of them.
class Statistic {
 public:
  void add(double value, double time);
  double worst() const { return worst_; }
  double worst_time() const { return worst_time_; }
  double mean() const { return count_ ? sum_ / static_cast<double>(count_) : 0; }
  double p95() const;
  std::int64_t count() const { return count_; }

  // Writes one that is const, reads another.
  template <class Archive, class Self>
  static void transfer(Archive& archive, Self& s) {
    archive(s.worst_), archive(s.worst_time_), archive(s.sum_), archive(s.count_), archive(s.stride_),
        archive(s.sample_);
  }

 private:
  double worst_ = 0, worst_time_ = 0, sum_ = 0;
  std::int64_t count_ = 0, stride_ = 1;
  std::vector<double> sample_;  // every stride_-th value
};

struct PhaseTimes {  // CPU seconds
  double free_motion = 0, detection = 0, problem = 0, solve = 0, update = 0, separation = 0, audit = 0;
};

// Bodies that overlap by more than this part of the thinner one are warned of.
inline constexpr double kOverlap = 0.01;

struct RunSummary {
  std::int64_t steps = 0, contact_updates = 0, iterations = 0, unconverged_steps = 0;
  std::vector<char> missed;  // why the first of them was, and
  double missed_time = 0;    // when
  double time = 0;
  int bodies = 0, contacts_max = 0;
  double contacts_sum = 0;
  Statistic residual_rms, residual_max, residual_rms_gh, residual_max_gh;
  Statistic momentum, energy_defect, penetration, penetration_solver, energy_gain;
  Statistic penetration_relative, compression;
  Statistic inertia_ratio;  // of deformable bodies, as in StepReport
  Statistic newton;      // residual of the Newton loops of a scheme that has them
  EnergyBalance energy;  // sums over the run (stored energies: the last ones)
  std::int64_t fast_steps = 0;
  std::int64_t overlap_steps = 0;                 // more than kOverlap of the thickness of a body
  BodyId penetration_a = -1, penetration_b = -1;  // of the worst penetration_relative
  std::int64_t ambiguous_steps = 0;               // a contact was in Painleve's paradox, or had no solution
  std::int64_t several_steps = 0;  // a group at rest had several solutions: the one that sticks was taken
  BodyId several_a = -1, several_b = -1;  // bodies of such a group, the last time
  std::int64_t held_steps = 0;            // a contact was left out that joints hold
  BodyId held_a = -1,
         held_b = -1;  // bodies of such a contact, the last time; -1: it was the bound of a joint
  BodyId fastest = -1;
  std::int64_t separated_steps =
      0;  // in which overlaps were taken back on positions, and those that left some
  std::int64_t left_steps = 0;
  std::int64_t separation_passes = 0, separation_sweeps = 0;
  std::int64_t lost_membrane_steps = 0;
  std::int64_t halved_steps = 0;       // taken again with half their length
  double shortest_step = 0;            // s; 0: none was taken
  std::int64_t handed_over_steps = 0;  // by the event-driven scheme to time stepping
  std::int64_t bonds_start = 0, bonds_formed = 0, bonds_broken = 0;  // formed later: adhesive contacts
  std::int64_t gain_steps = 0;                                       // steps whose laws gained energy, and
  std::int64_t gain_groups = 0;     // in how many connected groups of contacts
  BodyId gain_a = -1, gain_b = -1;  // bodies of the contact of the largest gain
  int gain_gap = -1;                // or the gap of a system
  PhaseTimes cpu;

  double contacts_mean() const { return steps ? contacts_sum / static_cast<double>(steps) : 0; }
  double iterations_mean() const {
    return steps ? static_cast<double>(iterations) / static_cast<double>(steps) : 0;
  }
  void add(const StepReport& report);
};

}  // namespace saltus
