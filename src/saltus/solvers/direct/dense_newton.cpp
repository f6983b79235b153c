#include "saltus/solvers/direct/dense_newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus {

namespace {

constexpr int kN = kLargestDense;
constexpr int kMaxHalvings = 6;

// One disc of a contact: its components and the ratio of its radius to the normal component. A ball is a disc
// of given radius, the whole space one without limit: they have no normal component.
struct Disc {
  int normal, first, size;
  double ratio, radius = 0;
};
constexpr int kNone = -1;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();
// Added to the diagonal of equations, where W may be singular: in Newton's matrix only, and so of no influence
// on what it converges to.
constexpr double kProximal = 1e-10;

class DenseFunction {
 public:
  explicit DenseFunction(const ContactProblem& problem) : problem_(problem) {
    for (int c = 0; c < problem.contacts(); ++c) {
      begin_[c] = size_;
      const int size = problem.is_mixed() ? problem.sets[c].size : problem.W.block;
      for (int i = 0; i < size; ++i) at_[size_++] = c * problem.W.block + i;
      begin_[c + 1] = size_;
    }
    fill_matrix();
    for (int c = 0; c < problem.contacts(); ++c) add_block(c);
  }

  int size() const { return size_; }
  int at(int i) const { return at_[i]; }  // component of the problem: padding is left out

  // Sets y and the value at r; returns its norm, every part in the unit of sqrt(impulse velocity).
  double evaluate(const double* r, double* value) {
    for (int i = 0; i < size_; ++i) {
      double u = problem_.b[at_[i]];
      for (int j = 0; j < size_; ++j) u += W_[i][j] * r[j];
      y_[i] = r[i] - rho_[i] * u;
      value[i] = r[i];
    }
    for (int k = 0; k < normals_; ++k) value[normal_[k]] -= std::max(y_[normal_[k]], 0.0);
    for (int d = 0; d < discs_; ++d) {
      const Disc& disc = disc_[d];
      const double radius = radius_of(disc), length = length_of(disc);
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
    for (int i = 0; i < size_; ++i) square += rho_[i] * problem_.b[at_[i]] * problem_.b[at_[i]];
    return std::sqrt(square);
  }

  // step = J^-1 value, J the generalised Jacobian at the last point evaluated.
  bool solve(const double* value, double* step) {
    for (int k = 0; k < normals_; ++k) {
      const int i = normal_[k];
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
      for (int p = W.row_begin[row]; p < W.row_begin[row + 1]; ++p) {
        const int first = begin_[row], other = begin_[W.column[p]];
        for (int j = 0; j < begin_[W.column[p] + 1] - other; ++j)
          for (int i = 0; i < begin_[row + 1] - first; ++i)
            W_[first + i][other + j] = W.block_at(p)[i + W.block * j];
      }
  }

  void add_block(int c) {
    const int first = begin_[c], size = begin_[c + 1] - first;
    const SetKind kind = problem_.is_mixed() ? problem_.sets[c].kind : SetKind::coulomb;
    if (kind == SetKind::ball) add_disc({kNone, first, size, 0, problem_.sets[c].radius});
    if (kind == SetKind::space)
      for (int i = 0; i < size; ++i) add_disc({kNone, first + i, 1, 0, kUnlimited});
    if (kind == SetKind::ball || kind == SetKind::space) return;
    normal_[normals_++] = first;
    set_rho(first, 1);
    const int tangents = std::min(space_dimension(problem_.cone), size) - 1, rollings = size - 1 - tangents;
    if (tangents > 0) add_disc({first, first + 1, tangents, problem_.mu[c]});
    if (rollings > 0) add_disc({first, first + 1 + tangents, rollings, problem_.rolling(c)});
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

  double normal_of(const Disc& disc) const {
    return disc.normal == kNone ? 0.0 : std::max(y_[disc.normal], 0.0);
  }
  double radius_of(const Disc& disc) const { return disc.radius + disc.ratio * normal_of(disc); }

  double length_of(const Disc& disc) const {
    double square = 0;
    for (int i = disc.first; i < disc.first + disc.size; ++i) square += y_[i] * y_[i];
    return std::sqrt(square);
  }

  // Rows of r_p - P(y_p), with dy = I - rho W: inside the disc rho W; outside
  // I - d (ratio dy_n) - (radius / length) (I - d d^T) dy_p, d = y_p / length.
  void fill_disc(const Disc& disc) {
    const double n = normal_of(disc), radius = radius_of(disc), length = length_of(disc);
    const int end = disc.first + disc.size;
    if (length <= radius) {
      for (int i = disc.first; i < end; ++i)
        for (int j = 0; j < size_; ++j) J_[i][j] = rho_[i] * W_[i][j];
      if (disc.radius == kUnlimited) J_[disc.first][disc.first] += kProximal;
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

  int size_ = 0, discs_ = 0, normals_ = 0;
  const ContactProblem& problem_;
  double W_[kN][kN], J_[kN][kN];
  double rho_[kN], y_[kN];
  Disc disc_[kN];
  int normal_[kN], at_[kN], begin_[kN + 1];
};

}  // namespace

int improve_by_dense_newton(const ContactProblem& problem, int max_steps, Eigen::VectorXd& r) {
  assert(problem.size() <= kLargestDense);
  DenseFunction function(problem);
  const int size = function.size();
  double value[kN], step[kN], x[kN], trial[kN];
  for (int i = 0; i < size; ++i) x[i] = r[function.at(i)];
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
  for (int i = 0; i < size; ++i) r[function.at(i)] = x[i];
  return steps;
}

}  // namespace saltus
