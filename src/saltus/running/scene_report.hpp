// What a run of a scene would do, without doing it: what `saltus check` prints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "saltus/sim/scene.hpp"

namespace saltus {

struct SceneReport {
  std::vector<std::pair<std::string, std::string>> lines;  // subject, finding
  std::vector<std::string> warnings;                       // one sentence each
};

// Builds the simulation (mistakes that only it can see are its InputErrors), takes one step of it and looks
// at what came out: the figures for memory, output and duration are measured there, and scaled to the run.
template <int Dim>
SceneReport build_scene_report(const Scene<Dim>& scene);

// Largest step at which neither the fastest body (at its start, or after a fall through the height of the
// scene) crosses more than a tenth of the smallest one, nor does a fall from rest: 0.1 min(s/v, sqrt(s/g)).
// 0: nothing moves.
template <int Dim>
double compute_step_hint(const Scene<Dim>& scene);

}  // namespace saltus
