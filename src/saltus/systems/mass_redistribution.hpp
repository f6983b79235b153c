// Mass without inertia at contact nodes (Khenous, Laborde and Renard 2008): nodes that touch have no mass, so that a contact
// takes no velocity away and its force does not chatter; the others take it over.
//
// The new matrix is the one next to the old (sum of squares of entries, on its own pattern) with zero rows at these nodes, the same
// mass, centre of mass and second moments. It is not definite: schemes and projections that invert M have no place for it.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

namespace saltus {

// M has the same block for each of Dim directions (coordinates Dim node + direction) and none between them. Throws InputError: no
// node left, or what is left is not positive definite (too few nodes for so much mass).
template <int Dim>
Eigen::SparseMatrix<double> redistribute_mass(const Eigen::SparseMatrix<double>& M,
                                              const std::vector<Eigen::Matrix<double, Dim, 1>>& nodes,
                                              const std::vector<int>& massless, const std::string& where);

}  // namespace saltus
