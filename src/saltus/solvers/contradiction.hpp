// Whether the bilateral rows of a problem contradict each other.
//
// Rows whose impulses y move nothing, W y = 0, must agree on the free velocity: with y.b != 0 no impulse
// makes u = 0 on all of them. Such y is looked for in the equations alone (W semidefinite: what moves none of
// them moves no other block), as the part of b that proximal steps leave in place.
#pragma once

#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus {

// Blocks whose equations contradict each other; empty where none do. Costs a factorisation.
std::vector<int> find_contradiction(const ContactProblem& problem);

}  // namespace saltus
