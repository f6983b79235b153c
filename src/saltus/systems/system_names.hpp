// Names that formulas of a Lagrangian system may use.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace saltus {

struct SystemNames {
  std::vector<std::string> coordinates, velocities;             // as many
  std::vector<std::pair<std::string, double>> parameters = {};  // numbers

  int size() const { return static_cast<int>(coordinates.size()); }
};

// Throws InputError: a name that no formula could have, or two that are the same. `where` opens the message.
void check_names(const SystemNames& names, const std::string& where);

}  // namespace saltus
