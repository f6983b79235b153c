#include "saltus/solvers/direct/dense_newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

constexpr int kN = kLargestDense;
constexpr int kMaxHalvings = 6;

// One disc of a contact: its components and the ratio of its radius to the normal component.
struct Disc {
  int normal, first, size;
  double ratio;
};

class DenseFunction {
 public:
  explicit DenseFunction(const ContactProblem& problem) : size_(problem.size()), problem_(problem) {
    const int block = problem.W.block, tangents = space_dimension(problem.cone) - 1;
    const int rollings = block - 1 - tangents;
    fill_matrix();
    for (int c = 0; c < problem.contacts(); ++c) {
      set_rho(c * block, 1);
      add_disc({c * block, c * block + 1, tangents, problem.mu[c]});
      if (rollings > 0) add_disc({c * block, c * block + 1 + tangents, rollings, problem.rolling(c)});
    }
  }

  // Sets y and the value at r; returns its norm, every part in the unit of sqrt(impulse velocity).
  double evaluate(const double* r, double* value) {
    for (int i = 0; i < size_; ++i) {
      double u = problem_.b[i];
      for (int j = 0; j < size_; ++j) u += W_[i][j] * r[j];
      y_[i] = r[i] - rho_[i] * u;
      value[i] = r[i];
    }
    for (int i = 0; i < size_; i += problem_.W.block) value[i] -= std::max(y_[i], 0.0);
    for (int d = 0; d < discs_; ++d) {
      const Disc& disc = disc_[d];
      const double radius = disc.ratio * std::max(y_[disc.normal], 0.0), length = length_of(disc);
      const double scale = length > radius ? radius / length : 1;
      for (int i = disc.first; i < disc.first + disc.size; ++i) value[i] -= scale * y_[i];
    }
    double square = 0;
    for (int i = 0; i < size_; ++i) square += value[i] * value[i] / rho_[i];
    return std::sqrt(square);
  }

  // |b| in the unit of `evaluate`.
  double size_of_problem() const {
    double square = 0;
    for (int i = 0; i < size_; ++i) square += rho_[i] * problem_.b[i] * problem_.b[i];
    return std::sqrt(square);
  }

  // step = J^-1 value, J the generalised Jacobian at the last point evaluated.
  bool solve(const double* value, double* step) {
    for (int i = 0; i < size_; i += problem_.W.block) {
      std::fill_n(J_[i], size_, 0.0);
      if (y_[i] > 0)
        for (int j = 0; j < size_; ++j) J_[i][j] = rho_[i] * W_[i][j];
      else
        J_[i][i] = 1;
    }
    for (int d = 0; d < discs_; ++d) fill_disc(disc_[d]);
    std::copy_n(value, size_, step);
    return eliminate(step);
  }

 private:
  void fill_matrix() {
    const BlockMatrix& W = problem_.W;
    for (int i = 0; i < size_; ++i) std::fill_n(W_[i], size_, 0.0);
    for (int row = 0; row < W.rows; ++row)
      for (int p = W.row_begin[row]; p < W.row_begin[row + 1]; ++p)
        for (int j = 0; j < W.block; ++j)
          for (int i = 0; i < W.block; ++i)
            W_[row * W.block + i][W.column[p] * W.block + j] = W.block_at(p)[i + W.block * j];
  }

  void set_rho(int first, int size) {
    double trace = 0;
    for (int i = first; i < first + size; ++i) trace += W_[i][i];
    for (int i = first; i < first + size; ++i) rho_[i] = trace > 0 ? size / trace : 1;
  }

  void add_disc(const Disc& disc) {
    set_rho(disc.first, disc.size);
    disc_[discs_++] = disc;
  }

  double length_of(const Disc& disc) const {
    double square = 0;
    for (int i = disc.first; i < disc.first + disc.size; ++i) square += y_[i] * y_[i];
    return std::sqrt(square);
  }

  // Rows of r_p - P(y_p), with dy = I - rho W: inside the disc rho W; outside
  // I - d (ratio dy_n) - (radius / length) (I - d d^T) dy_p, d = y_p / length.
  void fill_disc(const Disc& disc) {
    const double n = std::max(y_[disc.normal], 0.0), radius = disc.ratio * n, length = length_of(disc);
    const int end = disc.first + disc.size;
    if (length <= radius) {
      for (int i = disc.first; i < end; ++i)
        for (int j = 0; j < size_; ++j) J_[i][j] = rho_[i] * W_[i][j];
      return;
    }
    const auto dy = [&](int i, int j) { return (i == j ? 1.0 : 0.0) - rho_[i] * W_[i][j]; };
    const double shrink = radius / length;
    for (int j = 0; j < size_; ++j) {
      double along = 0;
      for (int k = disc.first; k < end; ++k) along += y_[k] / length * dy(k, j);
      const double out = (n > 0 ? disc.ratio * dy(disc.normal, j) : 0.0) - shrink * along;
      for (int i = disc.first; i < end; ++i)
        J_[i][j] = (i == j ? 1.0 : 0.0) - shrink * dy(i, j) - y_[i] / length * out;
    }
  }

  // Gauss with row pivots, on J_ in place.
  bool eliminate(double* x) {
    for (int k = 0; k < size_; ++k) {
      int pivot = k;
      for (int i = k + 1; i < size_; ++i)
        if (std::abs(J_[i][k]) > std::abs(J_[pivot][k])) pivot = i;
      if (!(std::abs(J_[pivot][k]) > 0)) return false;
      if (pivot != k) {
        std::swap_ranges(J_[k] + k, J_[k] + size_, J_[pivot] + k);
        std::swap(x[k], x[pivot]);
      }
      for (int i = k + 1; i < size_; ++i) {
        const double factor = J_[i][k] / J_[k][k];
        if (factor == 0) continue;
        for (int j = k + 1; j < size_; ++j) J_[i][j] -= factor * J_[k][j];
        x[i] -= factor * x[k];
      }
    }
    for (int k = size_ - 1; k >= 0; --k) {
      for (int j = k + 1; j < size_; ++j) x[k] -= J_[k][j] * x[j];
      x[k] /= J_[k][k];
      if (!std::isfinite(x[k])) return false;
    }
    return true;
  }

  int size_, discs_ = 0;
  const ContactProblem& problem_;
  double W_[kN][kN], J_[kN][kN];
  double rho_[kN], y_[kN];
  Disc disc_[kN];
};

}  // namespace

int improve_by_dense_newton(const ContactProblem& problem, int max_steps, Eigen::VectorXd& r) {
  assert(problem.size() <= kLargestDense);
  const int size = problem.size();
  DenseFunction function(problem);
  double value[kN], step[kN], x[kN], trial[kN];
  std::copy_n(r.data(), size, x);
  double norm = function.evaluate(x, value);
  const double round_off = 1e-15 * function.size_of_problem();
  int steps = 0;
  while (steps < max_steps && norm > round_off) {
    if (!function.solve(value, step)) break;
    ++steps;
    double next = norm, length = 1;
    for (int k = 0; k <= kMaxHalvings && !(next < norm); ++k, length *= 0.5) {
      for (int i = 0; i < size; ++i) trial[i] = x[i] - length * step[i];
      next = function.evaluate(trial, value);
    }
    if (!(next < norm)) break;
    std::copy_n(trial, size, x);
    norm = next;
  }
  std::copy_n(x, size, r.data());
  return steps;
}

}  // namespace saltus
