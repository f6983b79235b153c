// Scenes of the tests of the alpha schemes, and what they measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/schemes/generalized_alpha.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::test {

inline SchemeOptions alpha_scheme(double rho_inf, double h) {
  SchemeOptions scheme;
  scheme.kind = SchemeKind::generalized_alpha;
  scheme.h = h;
  scheme.alpha = alpha_options(rho_inf);
  return scheme;
}

inline SceneMatrix matrix(std::vector<std::vector<double>> rows) {
  SceneMatrix result;
  result.size = static_cast<int>(rows.size());
  for (int i = 0; i < result.size; ++i)
    for (int j = 0; j < result.size; ++j)
      if (rows[i][j] != 0) result.entries.push_back({i, j, rows[i][j]});
  return result;
}

// A system of its own, without bodies.
inline Scene<2> system_scene(SceneLinearSystem system, const SchemeOptions& scheme) {
  Scene<2> scene;
  scene.gravity.setZero();
  scene.scheme = scheme;
  scene.end_time = 1e9;
  scene.solver.tolerance_velocity = 1e-13;
  scene.systems = {std::move(system)};
  return scene;
}

inline SceneLinearSystem oscillator(double stiffness, double damping = 0) {
  SceneLinearSystem system;
  system.mass = matrix({{1}});
  system.stiffness = matrix({{stiffness}});
  if (damping > 0) system.damping = matrix({{damping}});
  system.q = {1};
  system.v = {0};
  return system;
}

// The bar of scenes/impacting-bar.toml in `elements`.
inline SceneLinearSystem bar(int elements, double gap = 0.05) {
  const double l = 10.0 / elements;
  SceneLinearSystem system;
  system.mass.size = system.stiffness.size = elements + 1;
  for (int i = 0; i <= elements; ++i)
    for (int j = std::max(0, i - 1); j <= std::min(elements, i + 1); ++j) {
      const bool end = i == 0 || i == elements;
      system.mass.entries.push_back({i, j, l / 6 * (i != j ? 1 : end ? 2 : 4)});
      system.stiffness.entries.push_back({i, j, 900 / l * (i != j ? -1 : end ? 1 : 2)});
    }
  system.q.assign(elements + 1, gap);
  system.v.assign(elements + 1, -10);
  SceneGap wall;
  wall.row = {{0, 1.0}};
  wall.law = law(LawKind::newton);
  system.gaps = {wall};
  return system;
}

}  // namespace saltus::test
