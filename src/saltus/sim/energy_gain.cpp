#include "saltus/sim/energy_gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

void ContactEnergy::add(double end_work, double start_work, double size, double speeds,
                        std::int64_t contact) {
  end += end_work;
  start += start_work;
  size_squared += size * size;
  speed_sum += speeds;
  ++count;
  if (const double mean = 0.5 * (end_work + start_work); mean > best) {
    best = mean;
    best_contact = contact;
  }
}

double ContactEnergy::gain() const { return std::min(end - 0.5 * self, start + 0.5 * self); }

double ContactEnergy::round_off() const {
  // A relative velocity is a difference of sums of about ten products, and rounding of the sum over contacts
  // grows like the square root of their number.
  return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(count)) *
         (speed_sum + 0.5 * std::abs(self));
}

}  // namespace saltus
