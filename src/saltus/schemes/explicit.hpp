// Explicit in the forces of deformable bodies, implicit in contact (Jean 1995, sections 4 and 5.1).
//
//     M (v_1 - v) = h F(t_m) - h C v - h f(q_m) + H r,    q_m = q + (1-theta) h v,    q_1 = q_m + theta h v_1
//
// M is lumped, so that Mhat = M is a diagonal: a step has no factor and no turns of Newton's method. f is taken where contacts are
// looked for, and q_m goes by h v_1 from step to step: the central differences of Verlet, of second order, stable for h below
// 2/omega of the fastest oscillation. Elements give a bound of it from below (fem/internal_forces.hpp); a scene whose h is above
// the bound is refused with the number, and a run whose bodies stiffen beyond it says so.
//
// dynamic_relaxation is the same for motions so slow that inertia does not matter: elements whose own bound is below h get a fictitious
// density that raises it (gravity keeps the real one), and the ratio of inertia to internal forces, of every step in its report, tells
// whether the motion is still slow.
#pragma once

#include "saltus/schemes/options.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

StepWeights explicit_weights(const SchemeOptions& options);

}  // namespace saltus
