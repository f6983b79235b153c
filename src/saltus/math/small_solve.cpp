#include "saltus/math/small_solve.hpp"

#include <Eigen/QR>
#include <cmath>
#include <utility>

namespace saltus {

template <int N>
SmallVector<N> solve_small(SmallMatrix<N> A, SmallVector<N> b) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    for (int j = k; j < N; ++j) std::swap(A(k, j), A(pivot, j));
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < N; ++i) {
      const double factor = A(i, k) / A(k, k);
      for (int j = k + 1; j < N; ++j) A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) b[k] -= A(k, j) * b[j];
    b[k] /= A(k, k);
  }
  return b;
}

template <int N>
SmallVector<N> solve_least_norm(const SmallMatrix<N>& A, const SmallVector<N>& b) {
  // One decomposition for all sizes, on the stack.
  constexpr int kLargest = 5;
  using Sized = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kLargest, kLargest>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kLargest, 1>;
  const Eigen::CompleteOrthogonalDecomposition<Sized> decomposition{Sized(A)};
  return decomposition.solve(Column(b));
}

template SmallVector<1> solve_small<1>(SmallMatrix<1>, SmallVector<1>);
template SmallVector<2> solve_small<2>(SmallMatrix<2>, SmallVector<2>);
template SmallVector<3> solve_small<3>(SmallMatrix<3>, SmallVector<3>);
template SmallVector<5> solve_small<5>(SmallMatrix<5>, SmallVector<5>);
template SmallVector<2> solve_least_norm<2>(const SmallMatrix<2>&, const SmallVector<2>&);
template SmallVector<3> solve_least_norm<3>(const SmallMatrix<3>&, const SmallVector<3>&);
template SmallVector<5> solve_least_norm<5>(const SmallMatrix<5>&, const SmallVector<5>&);

}  // namespace saltus
