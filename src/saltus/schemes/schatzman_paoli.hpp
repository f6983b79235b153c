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
// shown and stored is the centred one, (V_k + V_(k+1))/2 = (q_(k+1) - q_(k-1))/(2h): that of t_k.
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
