#include "saltus/drawing/render_chosen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

constexpr std::size_t kMostListed = 20;

bool holds(const std::vector<int>& indices, int index) {
  return std::find(indices.begin(), indices.end(), index) != indices.end();
}

// Without what has no name, each once.
std::vector<std::string> list_names(const std::vector<std::string>& bodies,
                                    const std::vector<std::string>& systems) {
  std::vector<std::string> names;
  std::set<std::string> seen = {""};
  for (const auto* all : {&bodies, &systems})
    for (const std::string& name : *all)
      if (seen.insert(name).second) names.push_back(name);
  return names;
}

[[noreturn]] void refuse_name(const std::string& name, const std::vector<std::string>& names,
                              const std::string& option) {
  const std::string nearest = nearest_name(name, names);
  const std::string found = nearest.empty() ? name : fmt::format("{} (did you mean {}?)", name, nearest);
  std::vector<std::string> listed(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostListed)));
  if (listed.size() < names.size()) listed.push_back(fmt::format("... ({} in all)", names.size()));
  throw InputError(option, "no body has this name", found,
                   names.empty() ? "nothing: no body of this scene has a name" : join_names(listed));
}

}  // namespace

bool Chosen::holds_body(int index) const { return all || holds(bodies, index); }
bool Chosen::holds_system(int index) const { return all || holds(systems, index); }

int find_named_body(const std::string& name, const std::vector<std::string>& names, const std::string& option,
                    const std::vector<std::string>& others) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) refuse_name(name, list_names(names, others), option);
  if (std::find(at + 1, names.end(), name) != names.end())
    throw InputError(option, "several bodies have this name", name, "a name that one body has");
  return static_cast<int>(at - names.begin());
}

Chosen find_chosen(const std::vector<std::string>& names, const TrajectoryHeader& header) {
  Chosen chosen;
  chosen.all = names.empty();
  for (const std::string& name : names) {
    const auto system = std::find(header.system_names.begin(), header.system_names.end(), name);
    if (system != header.system_names.end())
      chosen.systems.push_back(static_cast<int>(system - header.system_names.begin()));
    else
      chosen.bodies.push_back(find_named_body(name, header.body_names, "--only", header.system_names));
  }
  return chosen;
}

}  // namespace saltus
