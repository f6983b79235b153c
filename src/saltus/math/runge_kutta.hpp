// One step of the Runge-Kutta method of Dormand and Prince, order 5 with an error of order 4, for dy/dt = f(t, y)
// (J.R. Dormand and P.J. Prince 1980; dense output of order 4: E. Hairer, S.P. Norsett, G. Wanner, Solving ordinary
// differential equations I, section II.6).
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>

namespace saltus {

using RightSide = std::function<void(double t, const Eigen::VectorXd& y, Eigen::VectorXd& slope)>;

class RungeKuttaStep {
 public:
  // From (t, y) by h, which may be of either sign. Buffers are kept.
  void take(const RightSide& f, double t, const Eigen::VectorXd& y, double h);

  double start() const { return t_; }
  double size() const { return h_; }
  const Eigen::VectorXd& end() const { return y1_; }
  // Root mean square of the error of each component in units of tolerance (1 + |y|): accepted up to 1.
  double error(double tolerance) const;
  // y at start + part size, part in [0, 1].
  void interpolate(double part, Eigen::VectorXd& y) const;

 private:
  double t_ = 0, h_ = 0;
  Eigen::VectorXd y0_, y1_, stage_;
  std::array<Eigen::VectorXd, 7> k_;
};

// The step to take after one of size h had this error: at most five times, at least a fifth of it.
double next_step_size(double h, double error);

}  // namespace saltus
