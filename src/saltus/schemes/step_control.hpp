// Step control: a step that fails or is inaccurate is taken again as two of half the length, each of which may be halved in turn,
// and steps grow back by doubling as soon as the times allow: two halves that succeed are followed by a whole.
//
// Fails: the solve, a Newton loop or a projection misses its tolerance, or the state is not finite. Inaccurate: the deepest overlap of
// two bodies at its end, relative to the thinner one, is above a limit and deeper than it was before the step. (Bodies that are wedged
// stay as they are: no step would cure them.)
//
// A deformable body whose step has no solution that Newton's method finds, or is above the critical one, is cause enough by itself:
// such steps are halved also where step control is off.
//
// Lengths are h/2^k, so that every multiple of h, where outputs, checkpoints and events of the scene are, is met exactly; what is decided
// depends on the state alone, so that runs are as reproducible as without.
#pragma once

#include "saltus/schemes/step_report.hpp"

namespace saltus {

struct StepControl {
  bool on = false;
  int halvings = 10;      // most: h/2^halvings is the shortest step, which counts however it ends
  double overlap = 0.01;  // of the thickness of the thinner body
};

// Whether the step is to be taken again; `overlap_before`: penetration_relative of the last step.
bool is_to_be_halved(const StepControl& control, const StepReport& report, double overlap_before);

// What two steps, one after the other, report together: works and counts are summed, of residuals and overlaps the worst stays.
StepReport join(const StepReport& first, StepReport next);

}  // namespace saltus
