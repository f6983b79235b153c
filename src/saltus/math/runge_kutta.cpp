#include "saltus/math/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

// Of stage i: its time, and the weights of the stages before it.
constexpr double kTime[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kStage[7][6] = {{},
                                 {1.0 / 5},
                                 {3.0 / 40, 9.0 / 40},
                                 {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                 {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                 {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                 {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Order 5 less order 4.
constexpr double kError[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double kDense[7] = {-12715105075.0 / 11282082432.0,  0,
                              87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                              701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                              69997945.0 / 29380423.0};

}  // namespace

void RungeKuttaStep::take(const RightSide& f, double t, const Eigen::VectorXd& y, double h) {
  t_ = t;
  h_ = h;
  y0_ = y;
  for (int i = 0; i < 7; ++i) {
    stage_ = y0_;
    for (int j = 0; j < i; ++j)
      if (kStage[i][j] != 0) stage_ += h * kStage[i][j] * k_[j];
    k_[i].resize(y.size());
    f(t + kTime[i] * h, stage_, k_[i]);
  }
  y1_ = stage_;  // the last stage is the end
}

double RungeKuttaStep::error(double tolerance) const {
  double sum = 0;
  for (Eigen::Index c = 0; c < y0_.size(); ++c) {
    double e = 0;
    for (int i = 0; i < 7; ++i) e += kError[i] * k_[i][c];
    e *= h_ / (tolerance * (1 + std::max(std::abs(y0_[c]), std::abs(y1_[c]))));
    sum += e * e;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(1, y0_.size())));
}

void RungeKuttaStep::interpolate(double part, Eigen::VectorXd& y) const {
  const double rest = 1 - part;
  y.resize(y0_.size());
  for (Eigen::Index c = 0; c < y0_.size(); ++c) {
    const double change = y1_[c] - y0_[c], bend = h_ * k_[0][c] - change;
    double dense = 0;
    for (int i = 0; i < 7; ++i) dense += kDense[i] * k_[i][c];
    y[c] =
        y0_[c] + part * (change + rest * (bend + part * (change - h_ * k_[6][c] - bend + rest * h_ * dense)));
  }
}

double next_step_size(double h, double error) {
  constexpr double kSafety = 0.9, kMost = 5, kLeast = 0.2, kOrder = 5;
  if (!std::isfinite(error)) return kLeast * h;
  const double factor = error > 0 ? kSafety * std::pow(error, -1 / kOrder) : kMost;
  return h * std::clamp(factor, kLeast, kMost);
}

}  // namespace saltus
