// The options of commands that run a scene: SCENE and what changes it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "saltus/scenes/scene_reader.hpp"

namespace saltus {

// SCENE, --until, --steps, --dt, --solver, --tolerance, --threads, --set. Each is an override of a key of the
// scene, checked like one, and part of what is compared when a run is resumed; --threads alone is not (it
// changes no result).
struct SceneOptions {
  std::string scene;
  std::optional<double> until, dt, tolerance;
  std::optional<std::int64_t> steps;
  std::optional<int> threads;
  std::string solver;
  std::vector<std::string> set;

  void add_to(CLI::App& command);
  void add_end_to(CLI::App& command);  // --until and --steps
  SceneFile read() const;
};

}  // namespace saltus
