// Impulses with which all contacts of a set stick, the nearest to given ones:
//
//     minimise |r - r0|^2    subject to    W r + b = 0  and  r in K(mu, mu_r)    on the set, r = 0 elsewhere
//
// (b: its part in the range of W; the rest no impulses can take back.) Any such r solves Coulomb's law with u = 0,
// and where contacts outnumber degrees of freedom it need not be the only solution: a box held between two jaws may
// also drop and turn, with impulses that obey the law as exactly (hyperstatic contact). What sticks and can go on
// sticking sticks, with the impulses nearest to those of the last step (M. Jean 1999, section 8: the history is part of
// the state).
//
// The dual is r = P_K(r0 - W y) with F(y) = W r + b = 0, the gradient of a concave function of y: semi-smooth
// Newton with the matrix W P_K' W, dense, and a line search on that function, all of it in the range of W
// (sticking.cpp). Without a solution y runs away: that is seen by the number of steps.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus {

// In a mixed problem K is the set of each block: joints that are in it hold.
//
// On entry r is r0; `sticks` has an entry per contact. True: r is the solution, |W r + b| on the set, in the range of W, at most
// `tolerance` (Euclidean norm, units of b). False: there is none, or it was not found; r is left as it was.
bool solve_sticking(const ContactProblem& problem, const std::vector<char>& sticks, double tolerance,
                    Eigen::VectorXd& r);

}  // namespace saltus
