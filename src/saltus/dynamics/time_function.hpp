// A number that depends on time: what drives a body, pushes it or turns it.
//
//   constant    value
//   table       straight lines through (time, value) points, constant before and after
//   sine        value + amplitude sin(2 pi frequency t + phase)
//   expression  a formula of t (math/expression.hpp)
//
// A file (an accelerogram) becomes a table: `load_time_table`.
#pragma once

#include <string>
#include <vector>

#include "saltus/math/expression.hpp"

namespace saltus {

struct TimeFunction {
  enum class Kind { constant, table, sine, expression };

  Kind kind = Kind::constant;
  double value = 0;                                // constant, and the mean of a sine
  double amplitude = 0, frequency = 0, phase = 0;  // sine: unit of the value, Hz, rad
  std::vector<double> times, values;               // table: times strictly increasing
  Expression formula;                              // expression

  static TimeFunction constant(double value);
  static TimeFunction table(std::vector<double> times, std::vector<double> values);  // checks: InputError
  static TimeFunction sine(double amplitude, double frequency, double phase = 0, double mean = 0);
  static TimeFunction expression(const std::string& text);  // checks: InputError

  double at(double t) const;
  // Slope just before t, so that a step that ends at a corner of a table sees the side it came from.
  double slope_before(double t) const;
  // Integral from t0 to t1: exact, but for an expression (Simpson's rule on one interval: error ~ h^5).
  double integral(double t0, double t1) const;
  bool is_zero() const { return kind == Kind::constant && value == 0; }
};

// Reads a text file of one or two columns (separated by blanks, commas or semicolons; lines that
// start with # are comments). Two columns are time and value; one column is values at the times
// 0, spacing, 2 spacing... A PEER record (dynamics/accelerogram.hpp) brings its own spacing. Values are
// multiplied by `scale`. Throws InputError with file:line.
TimeFunction load_time_table(const std::string& path, double spacing = 0, double scale = 1);

}  // namespace saltus
