// A force that grows with the sliding speed, beside Coulomb's friction (M. Jean 1995, figure 6): while a
// contact is closed the body slides against f(|u_t|), in N, along -u_t. A formula of t, the speed in m/s, or
// a table, straight between its points and constant after the last.
#pragma once

#include <string>
#include <vector>

#include "saltus/math/expression.hpp"

namespace saltus {

class FrictionFunction {
 public:
  // InputError, opened by `where`: a mistake in the formula, f(0) not 0, f negative or not finite somewhere
  // (looked at from 1 um/s to 1 km/s, 400 speeds a decade); speeds that do not increase from 0, forces that
  // are negative, that do not begin with 0 or are not as many.
  FrictionFunction(const std::string& formula, const std::string& where);
  FrictionFunction(std::vector<double> speeds, std::vector<double> forces, const std::string& where);

  double at(double speed) const;  // N
  // f(v)/v, N s/m; below a nanometre per second that of one.
  double secant(double speed) const;

  // Grows or stays everywhere it was looked at: one impulse answers to each step.
  bool is_monotone() const { return monotone_; }

  const std::string& formula() const { return expression_.text(); }  // empty: a table
  const std::vector<double>& speeds() const { return speeds_; }
  const std::vector<double>& forces() const { return forces_; }

 private:
  Expression expression_;
  std::vector<double> speeds_, forces_;
  bool monotone_ = true;
};

}  // namespace saltus
