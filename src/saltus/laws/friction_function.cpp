#include "saltus/laws/friction_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr double kLeastSpeed = 1e-9;  // m/s

bool increases(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

}  // namespace

FrictionFunction::FrictionFunction(const std::string& formula, const std::string& where) {
  try {
    expression_ = Expression(formula);
  } catch (const InputError& error) {
    throw InputError(where, fmt::format("friction function: {}", error.what()), formula,
                     "a formula of t, the sliding speed in m/s");
  }
  constexpr double kFirst = 1e-6, kLast = 1e3, kRatio = 1.0057730632;  // 400 a decade
  double last = at(0);
  if (!(last == 0))
    throw InputError(where, "friction function at speed 0", fmt::format("{} N", last),
                     "0: what resists at rest is `friction`");
  for (double speed = kFirst; speed <= kLast; speed *= kRatio) {
    const double force = at(speed);
    if (!(force >= 0) || !std::isfinite(force))
      throw InputError(where, fmt::format("friction function at {:.3g} m/s", speed),
                       fmt::format("{} N", force), "finite, 0 or more");
    monotone_ &= force >= last * (1 - 1e-12);
    last = force;
  }
}

FrictionFunction::FrictionFunction(std::vector<double> speeds, std::vector<double> forces,
                                   const std::string& where)
    : speeds_(std::move(speeds)), forces_(std::move(forces)) {
  if (speeds_.size() < 2 || speeds_.size() != forces_.size())
    throw InputError(where, "points of a friction function",
                     fmt::format("{} speeds, {} forces", speeds_.size(), forces_.size()),
                     "two or more of each, as many of one as of the other");
  if (speeds_[0] != 0 || !increases(speeds_))
    throw InputError(where, "speeds of a friction function", fmt::format("{}", fmt::join(speeds_, ", ")),
                     "0, then increasing");
  if (forces_[0] != 0 || *std::min_element(forces_.begin(), forces_.end()) < 0)
    throw InputError(where, "forces of a friction function", fmt::format("{}", fmt::join(forces_, ", ")),
                     "0, then 0 or more");
  monotone_ = std::is_sorted(forces_.begin(), forces_.end());
}

double FrictionFunction::at(double speed) const {
  if (speeds_.empty()) return expression_.value(speed);
  const auto next = std::upper_bound(speeds_.begin(), speeds_.end(), speed);
  if (next == speeds_.end()) return forces_.back();
  const auto i = static_cast<std::size_t>(next - speeds_.begin());
  const double part = (speed - speeds_[i - 1]) / (speeds_[i] - speeds_[i - 1]);
  return forces_[i - 1] + part * (forces_[i] - forces_[i - 1]);
}

double FrictionFunction::secant(double speed) const {
  const double v = std::max(speed, kLeastSpeed);
  return at(v) / v;
}

}  // namespace saltus
