// Where Painleve's paradox acts (Painleve 1895; Genot and Brogliato 1999).
//
// A contact that slides along d pushes back with r = r_n (1, -mu d), which changes its normal velocity by
// k r_n, k = W_nn - mu W_nt.d. If k <= 0, pressing lifts nothing: the contact cannot go on sliding, and it
// jams (an impact without collision) or takes off. W_nn <= mu |W_nt| alone says only that there is such a
// direction: the joints of a vault with mu = 2 have it at every step, stick, and are in no danger.
//
// So a contact is counted when it was touching without impact when the step began (|u_n| at most `slow`) and
//   - carries an impulse, and slid along a direction with k <= 0 at the start of the step, or slides so at
//     its end; or
//   - carries none, slid so at the start, and could as well have jammed: with the impulses of the others as
//     they are, sticking also satisfies the law.
// Sliding is faster than `slow`, m/s: what the forces of one step can stop is not told from sticking. Rolling
// friction counts in its worst direction. A contact is looked at alone, with its neighbours' impulses given.
#pragma once

#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

// Of a problem that is solved; u_start is the velocity of the contact at the start of the step, in its frame.
template <int Dim>
bool is_in_paradox(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& contact,
                   const Vec<Dim>& u_start, double slow);

}  // namespace saltus
