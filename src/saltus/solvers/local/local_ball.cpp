#include "saltus/solvers/local/local_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

// A velocity left by the free solution below this part of what went into it is round-off. Blocks of joints
// that are nearly singular lose more digits than contacts do.
constexpr double kConsistent = 1e-9;
constexpr double kRootTolerance = 1e-14;
constexpr int kMaxSteps = 200;  // bisection of any bracket ends before

}  // namespace

template <int N>
LocalBall<N>::LocalBall(const SmallMatrix<N>& W, int size, double radius)
    : A_(SmallMatrix<N>::Zero()), size_(size), radius_(radius) {
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) A_(i, j) = W(i, j);
  inverse_.setZero();
  if (size ==
      1) {  // dry friction of a joint: the decomposition of a deficient matrix takes memory of the heap
    if (A_(0, 0) != 0) inverse_(0, 0) = 1 / A_(0, 0);
    return;
  }
  for (int i = 0; i < N; ++i)
    inverse_.col(i) = solve_least_norm<N>(A_, SmallVector<N>(SmallVector<N>::Unit(i)));
}

template <int N>
bool LocalBall<N>::solve(SmallVector<N> b, SmallVector<N>& r) {
  for (int i = size_; i < N; ++i) b[i] = r[i] = 0;
  SmallVector<N> free = r;
  const bool solved = solve_free(b, free);
  if (solved || std::isinf(radius_)) r = free;
  if (solved || std::isinf(radius_)) return solved;
  r = search(b);
  return true;
}

// The solution of u = 0 in the ball nearest to r, if there is one.
template <int N>
bool LocalBall<N>::solve_free(const SmallVector<N>& b, SmallVector<N>& r) const {
  const SmallVector<N> shortest = -inverse_ * b;
  const double length = shortest.norm();
  if (!(length <= radius_)) return false;
  const SmallVector<N> unseen = r - inverse_ * (A_ * r);
  const double room = std::sqrt((radius_ - length) * (radius_ + length)), rest = unseen.norm();
  r = shortest + (rest > room ? room / rest : 1.0) * unseen;
  const SmallVector<N> seen = A_ * r;
  return (seen + b).norm() <= kConsistent * (seen.norm() + b.norm());
}

template <int N>
SmallVector<N> LocalBall<N>::search(const SmallVector<N>& b) {
  if (radius_ == 0) return SmallVector<N>::Zero();
  if (size_ == 1) return SmallVector<N>::Unit(0) * (b[0] > 0 ? -radius_ : radius_);
  double low = 0, high = std::numeric_limits<double>::infinity();
  double l = l_ > 0 ? l_ : b.norm() / radius_;
  SmallVector<N> r;
  for (int i = 0; i < kMaxSteps; ++i) {
    SmallMatrix<N> shifted = A_;
    shifted.diagonal().array() += l;
    r = -solve_small<N>(shifted, b);
    const double length = r.norm();
    if (std::abs(length - radius_) <= kRootTolerance * radius_) break;
    (length > radius_ ? low : high) = l;
    const double slope = r.dot(solve_small<N>(shifted, r));  // -|r| |r|'
    double next = l + (length - radius_) / radius_ * length * length / slope;
    if (!(next > low && next < high)) next = std::isinf(high) ? 4 * l : 0.5 * (low + high);
    if (!(next > low && next < high)) break;
    l = next;
  }
  l_ = l;
  return radius_ / r.norm() * r;
}

template class LocalBall<2>;
template class LocalBall<3>;
template class LocalBall<5>;

}  // namespace saltus
