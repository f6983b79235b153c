#include "saltus/fem/beam_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"

namespace saltus {

BeamSection rectangle_section(double width, double height) {
  BeamSection s;
  s.area = width * height;
  s.inertia = width * height * height * height / 12;
  s.inertia_side = height * width * width * width / 12;
  // St Venant's torsion of a rectangle, within 0.5 % (Roark).
  const double a = std::max(width, height), b = std::min(width, height), r = b / a;
  s.torsion = a * b * b * b * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
  s.radius = height / 2;
  return s;
}

BeamSection circle_section(double radius) { return tube_section(radius, radius); }

BeamSection tube_section(double radius, double wall) {
  const double inner = radius - wall;
  const auto power = [&](int n) { return std::pow(radius, n) - std::pow(inner, n); };
  BeamSection s;
  s.area = std::numbers::pi * power(2);
  s.inertia = s.inertia_side = std::numbers::pi / 4 * power(4);
  s.torsion = 2 * s.inertia;
  s.radius = radius;
  return s;
}

void check_section(const BeamSection& section, bool bends, int dimension, const std::string& where) {
  const auto check = [&](double value, const char* what, bool is_valid, const char* allowed) {
    if (!is_valid || !std::isfinite(value)) throw InputError(where, what, fmt::format("{}", value), allowed);
  };
  const char* positive = "a number above 0";
  check(section.area, "area", section.area > 0, positive);
  check(section.young, "young", section.young > 0, positive);
  check(section.density, "density", section.density > 0, positive);
  check(section.poisson, "poisson", section.poisson > -1 && section.poisson <= 0.5, "above -1, up to 0.5");
  check(section.radius, "radius", section.radius > 0, positive);
  check(section.tension, "tension", true, "a number");
  check(section.shear_factor, "shear_factor", section.shear_factor >= 0, "0 or more");
  if (!bends) return;
  check(section.inertia, "inertia", section.inertia > 0, positive);
  if (dimension < 3) return;
  check(section.inertia_side, "inertia_side", section.inertia_side > 0, positive);
  check(section.torsion, "torsion", section.torsion > 0, positive);
}

}  // namespace saltus
