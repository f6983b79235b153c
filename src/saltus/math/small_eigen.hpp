// Eigenvalues of a symmetric matrix of one to three rows.
#pragma once

#include "saltus/math/small_solve.hpp"

namespace saltus {

// Ascending, each within a few round-offs of the largest; only the lower triangle of A is read. By Jacobi's
// rotations (Golub and Van Loan, section 8.5), which take little to compile. Not finite where A is not.
template <int N>
SmallVector<N> symmetric_eigenvalues(SmallMatrix<N> A);

}  // namespace saltus
