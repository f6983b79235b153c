#include "saltus/math/small_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

// Turns rows and columns p > q so that A(p, q) vanishes.
template <int N>
void rotate(int p, int q, SmallMatrix<N>& A) {
  const double tau = (A(p, p) - A(q, q)) / (2 * A(p, q));
  const double t = std::copysign(1 / (std::abs(tau) + std::hypot(1.0, tau)), tau);
  const double c = 1 / std::hypot(1.0, t), s = t * c;
  for (int k = 0; k < N; ++k) {
    const double kp = A(k, p), kq = A(k, q);
    A(k, q) = c * kq - s * kp;
    A(k, p) = s * kq + c * kp;
  }
  for (int k = 0; k < N; ++k) {
    const double pk = A(p, k), qk = A(q, k);
    A(q, k) = c * qk - s * pk;
    A(p, k) = s * qk + c * pk;
  }
}

}  // namespace

template <int N>
SmallVector<N> symmetric_eigenvalues(SmallMatrix<N> A) {
  constexpr int kRounds = 20;  // convergence is quadratic: five are plenty
  for (int i = 0; i < N; ++i)
    for (int j = i + 1; j < N; ++j) A(i, j) = A(j, i);
  for (int round = 0; round < kRounds; ++round) {
    double beside = 0, all = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        all += std::abs(A(i, j));
        if (i != j) beside += std::abs(A(i, j));
      }
    if (beside <= std::numeric_limits<double>::epsilon() * all) break;
    for (int p = 1; p < N; ++p)
      for (int q = 0; q < p; ++q)
        if (A(p, q) != 0) rotate<N>(p, q, A);
  }
  SmallVector<N> values = A.diagonal();
  std::sort(values.data(), values.data() + N);
  return values;
}

template SmallVector<1> symmetric_eigenvalues<1>(SmallMatrix<1>);
template SmallVector<2> symmetric_eigenvalues<2>(SmallMatrix<2>);
template SmallVector<3> symmetric_eigenvalues<3>(SmallMatrix<3>);

}  // namespace saltus
