// Linear systems of one contact: up to five unknowns. Plain loops, compiled once per size: Eigen's
// decompositions of small fixed matrices take minutes to compile and are no faster here.
#pragma once

#include <Eigen/Core>

namespace saltus {

template <int N>
using SmallMatrix = Eigen::Matrix<double, N, N>;
template <int N>
using SmallVector = Eigen::Matrix<double, N, 1>;

// x with A x = b, by elimination with row pivots. Not finite where A is singular.
template <int N>
SmallVector<N> solve_small(SmallMatrix<N> A, SmallVector<N> b);

// The shortest of the x that minimise |A x - b|: a solution wherever one exists, whatever the rank of A.
template <int N>
SmallVector<N> solve_least_norm(const SmallMatrix<N>& A, const SmallVector<N>& b);

}  // namespace saltus
