// Bilateral rows of a global problem, G^T v + c = 0, as blocks of a mixed problem and back.
//
// As rows of G they are eliminated by `condense`, which fails when they depend on each other. As blocks whose
// set is the whole space they are solved with the contacts, and rows that say the same twice do no harm.
#pragma once

#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus {

// Contacts first, then G in blocks: rows one after the other that act on a common velocity share one.
// G of the result has no columns.
GlobalProblem build_bilateral_blocks(const GlobalProblem& problem);

// The way back: blocks of the whole space become rows of G after those there are, half lines contacts
// without friction; `sets` of the result is empty. Throws InputError when a block is a ball, which G and
// contacts cannot say.
GlobalProblem build_bilateral_rows(const GlobalProblem& problem);

// The same for the local form: the equations of V and R in u = W r + V l + q, V^T r + R l + s = 0.
struct LocalEqualities {
  ContactProblem contacts;
  Eigen::SparseMatrix<double> V, R;
  Eigen::VectorXd s;
};
// Throws InputError for a ball, and when W is not symmetric: V stands for two parts of W.
LocalEqualities build_local_equalities(const ContactProblem& problem);

// Components of a mixed problem that belong to its contacts (padding included) and to its equations.
struct BilateralSplit {
  std::vector<int> contacts, equations;
};
BilateralSplit split_bilateral(const std::vector<BlockSet>& sets, int block);

}  // namespace saltus
