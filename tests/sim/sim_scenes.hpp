// Small scenes that tests of the simulation share.
#pragma once

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::test {

inline constexpr double kGravity = 9.81;

inline PairLaw law(LawKind kind, double friction = 0) {
  PairLaw result;
  result.kind = kind;
  result.friction = friction;
  return result;
}

// Gravity along -y (2D) or -z (3D), one law for everything, a tight tolerance.
template <int Dim>
Scene<Dim> scene(const PairLaw& law, double h) {
  Scene<Dim> result;
  result.gravity = -kGravity * Vec<Dim>::Unit(Dim - 1);
  result.default_law = law;
  result.scheme.h = h;
  result.end_time = 1e9;
  result.solver.tolerance_velocity = 1e-13;
  result.solver.max_iterations = 100000;
  return result;
}

template <int Dim>
SceneBody<Dim> body(const Shape<Dim>& shape, const Vec<Dim>& position,
                    const Vec<Dim>& velocity = Vec<Dim>::Zero()) {
  SceneBody<Dim> result;
  result.shape = shape;
  result.pose = Pose<Dim>(position);
  result.velocity = velocity;
  return result;
}

// A fixed half-space whose surface passes through the origin, tilted by an angle down towards +x.
template <int Dim>
SceneBody<Dim> ground(double angle = 0) {
  HalfSpace<Dim> half;
  half.normal = std::sin(angle) * Vec<Dim>::Unit(0) + std::cos(angle) * Vec<Dim>::Unit(Dim - 1);
  SceneBody<Dim> result;
  result.shape = half;
  result.fixed = true;
  result.name = "ground";
  return result;
}

// A pose at a height above the tilted ground, turned with it.
template <int Dim>
Pose<Dim> tilted(double angle, double height);
template <>
inline Pose<2> tilted<2>(double angle, double height) {
  return Pose<2>(Vec<2>(height * std::sin(angle), height * std::cos(angle)), -angle);
}
template <>
inline Pose<3> tilted<3>(double angle, double height) {
  return Pose<3>(Vec<3>(height * std::sin(angle), 0, height * std::cos(angle)),
                 exponential_map(Vec<3>(0, angle, 0)));
}

template <int Dim>
StepReport run(Simulation<Dim>& simulation, int steps) {
  StepReport report;
  for (int i = 0; i < steps; ++i) report = simulation.step();
  return report;
}

}  // namespace saltus::test
