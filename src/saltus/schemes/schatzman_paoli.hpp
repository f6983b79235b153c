// The scheme of Schatzman and Paoli: the impact law holds on positions (Acary 2022, section 3.2; M. Schatzman
// and L. Paoli 1993).
//
//     M (q_(k+1) - 2 q_k + q_(k-1)) = h^2 F + h H p,    0 <= g(q_(k+1)) + e g(q_(k-1))  complementary to  p >= 0
//
// It is run by the verbs of Moreau-Jean with the velocity V = (q_(k+1) - q_k)/h for v: V moves a body by h V, so the
// weight of the end of the step in what displaces is 1, and the law in terms of u = H^T V is
//
//     0 <= u + (g_k + e g_(k-1))/h,    g_(k-1) = g_k - h u-
//
// for every contact that is listed, whether it is closed or not. Forces are taken at k+theta. The velocity that is
// shown and stored is the centred one, v_k = (V_k + V_(k+1))/2 = (q_(k+1) - q_(k-1))/(2h): that of t_k.
//
// The audit is at t_k: with a constant M
//
//     1/2 |V_(k+1)|_M^2 - 1/2 |V_k|_M^2 = v_k . (h F + H p)
//
// exactly, so that works are on v_k and the scheme itself loses nothing; energies held are those of (q_k, v_k). Gaps of systems
// may be curved, and systems may have constraints: both are linearised at the end of the free step. Joints are refused (what
// they hold and what acts along them is written on velocities), so are masses that depend on coordinates.
#pragma once

#include <string>

#include "saltus/schemes/options.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

StepWeights schatzman_paoli_weights(const SchemeOptions& options);

// Throws InputError for a law that the scheme has no place for: friction, cohesion, viscosity, and impact laws other
// than newton and gap-signorini. `where` opens the message.
void check_schatzman_paoli(const PairLaw& law, const std::string& where);

// Weights of the scheme that the options name.
StepWeights step_weights(const SchemeOptions& options);

}  // namespace saltus
