#include "saltus/contact/load_limits.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void LoadLimits::add(int block, int of, double factor, double offset, double load) {
  limits_.push_back({block, of, factor, offset, std::max(0.0, offset + factor * load), 0, 0, 0});
}

double LoadLimits::update(double load, Limit& limit) {
  const double asked = std::max(0.0, limit.offset + limit.factor * load);
  const double radius = limit.radius, lack = asked - radius;
  double step = lack;
  if (limit.solves > 0 && radius != limit.last_radius) {
    // Of lack by radius: -1 where the load does not answer, above -1 where it grows with the radius.
    const double slope = (lack - limit.last_lack) / (radius - limit.last_radius);
    if (slope < -0.02 && slope > -50)
      step = -lack / slope;
    else if (std::abs(lack) > 0.5 * std::abs(limit.last_lack))
      step = 0.5 * lack;
  }
  limit.last_radius = radius;
  limit.last_lack = lack;
  ++limit.solves;
  limit.radius = std::max(0.0, radius + step);
  return asked;
}

}  // namespace saltus
