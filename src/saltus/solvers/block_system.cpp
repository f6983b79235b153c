#include "saltus/solvers/block_system.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/solvers/cone.hpp"

namespace saltus {

namespace {

template <class C>
double of_cone(const BlockSystem::Block& block, const double* r, const double* u, double unit) {
  const Eigen::Map<const typename C::Vector> impulse(r), speed(u);
  const double ratio = block.mu_r / unit;
  return (impulse - project<C>(impulse - de_saxce<C>(speed, block.mu, ratio), block.mu, ratio)).squaredNorm();
}

double of_ball(int rows, double radius, const double* r, const double* u) {
  double length = 0, square = 0;
  for (int k = 0; k < rows; ++k) length += (r[k] - u[k]) * (r[k] - u[k]);
  length = std::sqrt(length);
  const double factor = length > radius ? radius / length : 1.0;
  for (int k = 0; k < rows; ++k) square += std::pow(r[k] - factor * (r[k] - u[k]), 2);
  return square;
}

}  // namespace

double natural_map_square(const BlockSystem& system, const BlockSystem::Block& block, const double* r,
                          const double* u) {
  double impulse[BlockSystem::kMostRows], speed[BlockSystem::kMostRows];
  const double* unit = system.unit.data() + block.first_row;
  for (int k = 0; k < block.rows(); ++k) {
    impulse[k] = r[k] / (system.mass * unit[k]);
    speed[k] = u[k] * unit[k];
  }
  double square = 0;
  switch (block.set.kind) {
    case SetKind::half_line: return std::pow(impulse[0] - std::max(0.0, impulse[0] - speed[0]), 2);
    case SetKind::space:
      for (int k = 0; k < block.rows(); ++k) square += speed[k] * speed[k];
      return square;
    case SetKind::ball:
      return of_ball(block.rows(), block.set.radius / (system.mass * unit[0]), impulse, speed);
    case SetKind::coulomb: break;
  }
  const double last = unit[block.rows() - 1];
  if (block.rows() == 2) return of_cone<Coulomb2>(block, impulse, speed, last);
  if (block.rows() == 5) return of_cone<Rolling3>(block, impulse, speed, last);
  return block.mu_r > 0 ? of_cone<Rolling2>(block, impulse, speed, last)
                        : of_cone<Coulomb3>(block, impulse, speed, last);
}

}  // namespace saltus
