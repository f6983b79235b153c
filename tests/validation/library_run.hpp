// Scenes of the library run as a user runs them: the file, the reader, the simulation.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::test {

// Of two or three dimensions, as its file says; `overrides` are those of --set.
template <int Dim>
Simulation<Dim> open_scene(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return Simulation<Dim>(std::get<Scene<Dim>>(read_scene(name, overrides).scene));
}

template <class Value>
std::string set(const std::string& key, const Value& value) {
  char text[64];
  std::snprintf(text, sizeof text, "=%.17g", static_cast<double>(value));
  return key + text;
}

// gravity leaning by `angle` over a floor along x: a plane inclined by it.
template <int Dim>
std::string set_incline(double angle) {
  char text[128];
  std::snprintf(text, sizeof text, Dim == 2 ? "gravity=[%.17g, %.17g]" : "gravity=[%.17g, 0, %.17g]",
                kGravity * std::sin(angle), -kGravity * std::cos(angle));
  return text;
}

// One figure of docs/validation.md, printed by the test that holds it to its bound.
inline void show(const std::string& what, double measured, double reference) {
  std::printf("    %-58s %.12g  (reference %.12g)\n", what.c_str(), measured, reference);
}
inline void show(const std::string& what, double measured) {
  std::printf("    %-58s %.3g\n", what.c_str(), measured);
}

}  // namespace saltus::test
