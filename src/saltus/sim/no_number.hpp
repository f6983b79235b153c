// What a measure gives where there is nothing to measure.
#pragma once

#include <limits>

namespace saltus {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace saltus
