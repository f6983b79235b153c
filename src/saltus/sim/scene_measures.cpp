#include "saltus/sim/scene_measures.hpp"

namespace saltus {

const std::vector<std::string>& measure_kind_names() {
  static const std::vector<std::string> names = {
      "stress",       "strain",       "packing", "coordination", "fabric", "forces", "profile",
      "wall",         "slip",         "energy",  "motion",       "extent", "body",   "body-stress",
      "flux",         "count",        "surface", "network",      "system", "joint",  "reaction",
      "solid-stress", "point-stress", "section", "beam-forces"};
  return names;
}

}  // namespace saltus
