// How large numbers of a scene, values of its functions and what follows from them may be.
#pragma once

namespace saltus {

// Squares and products of what a step computes must stay finite.
inline constexpr double kLargestNumber = 1e30;

}  // namespace saltus
