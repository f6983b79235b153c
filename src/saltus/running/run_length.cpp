#include "saltus/running/run_length.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

template <int Dim>
std::string check_run_length(const Scene<Dim>& scene) {
  const double h = scene.scheme.h, length = scene.end_time - scene.start_time;
  if (!(length > 0)) return {};
  const double steps = std::ceil(length / h - 0.5);  // the rule of Simulation::finished
  if (steps < 1)
    throw InputError("run.until", "no step would be taken", fmt::format("{:g} s after the start", length),
                     fmt::format("more than half of scheme.h = {:g} s, or a smaller scheme.h", h));
  // Ends are written in decimals, which are multiples of h only to round-off.
  if (std::abs(steps * h - length) <= 1e-6 * h) return {};
  return fmt::format("run.until = {:g} s is no multiple of scheme.h = {:g} s: the run ends at t = {:g} s",
                     scene.end_time, h, scene.start_time + steps * h);
}

template std::string check_run_length<2>(const Scene<2>&);
template std::string check_run_length<3>(const Scene<3>&);

}  // namespace saltus
