// What solvers that factorise cost, in nanoseconds of one thread: counted operations at measured prices. Only
// ratios matter, to sweeps above all, and the same figures are used on every machine.
#pragma once

#include <algorithm>
#include <cmath>

namespace saltus {

// Per operation of a factor; per block of W, what else an iteration does (assembly, products, solves).
inline constexpr double kFlop = 0.06, kBlock = 90;

inline double iteration_cost(double flops, double blocks) { return kFlop * flops + kBlock * blocks; }

// W, its order and the analysis of its factor, per block. In space factors fill in: a block costs the more,
// the more contacts there are.
inline double analysis_cost(int dimension, double contacts, double blocks) {
  return blocks * (dimension == 2 ? 300 + 0.1 * contacts : 400 + contacts);
}

// The same of one group of rigid bodies, as measured beside sweeps of its packed contacts (kept problems of bench/choose, 26 to
// 1500 contacts): per contact and tangential component also what its cones take. What is known before the analysis comes first.
inline constexpr double kGroupFlop = 0.1, kGroupBlock = 60, kGroupCone = 300;

inline double least_iteration_cost(int block, double contacts, double blocks) {
  return kGroupBlock * blocks + kGroupCone * (block - 1) * contacts;
}
inline double iteration_cost(double flops, int block, double contacts, double blocks) {
  return kGroupFlop * flops + least_iteration_cost(block, contacts, blocks);
}
inline double group_analysis_cost(bool rolling, double contacts, double blocks) {
  return blocks * (rolling ? 3 : 1) * (200 + 0.5 * contacts);
}

// Iterations of `ipm` where it converges: 7 to 9 for 34 contacts, 14 to 24 for 600 on kept problems
// (bench/choose). It fails on half of those of some thousand contacts: the factor is the price of that.
inline double expected_iterations(double contacts) {
  return 2.5 * std::log(std::max(contacts, 10.0)) * (1 + contacts / 1000);
}

}  // namespace saltus
