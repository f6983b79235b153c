// Which bodies and systems set the view: those that were named, or all.
#pragma once

#include <string>
#include <vector>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

// Indices in the scene.
struct Chosen {
  std::vector<int> bodies, systems;
  bool all = true;

  bool holds_body(int index) const;
  bool holds_system(int index) const;
};

// Throws InputError for a name that there is none of.
Chosen find_chosen(const std::vector<std::string>& names, const TrajectoryHeader& header);

// Index of the body of this name; InputError, opened by `option`, with the nearest of these names and of `others`, which the option
// takes too.
int find_named_body(const std::string& name, const std::vector<std::string>& names, const std::string& option,
                    const std::vector<std::string>& others = {});

}  // namespace saltus
