#include "saltus/viewing/scene_friction.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <map>

namespace saltus {

namespace {

MaterialFriction friction_of(const toml::table& law, int a, int b) {
  MaterialFriction friction;
  friction.a = std::min(a, b), friction.b = std::max(a, b);
  friction.coefficient = law["friction"].value_or(0.0);
  friction.cohesive = law.contains("cohesion") || law.contains("adhesion");
  return friction;
}

}  // namespace

std::vector<MaterialFriction> read_friction(const std::string& scene_text,
                                            const std::vector<std::string>& materials) {
  toml::table scene;
  try {
    scene = toml::parse(scene_text);
  } catch (const toml::parse_error&) {
    return {};
  }
  std::map<std::pair<int, int>, MaterialFriction> pairs;
  const int count = static_cast<int>(materials.size());
  if (const toml::table* law = scene["law"].as_table())
    for (int a = 0; a < count; ++a)
      for (int b = a; b < count; ++b) pairs[{a, b}] = friction_of(*law, a, b);
  const auto find = [&](const toml::node_view<const toml::node>& name) {
    const auto place = std::find(materials.begin(), materials.end(), name.value_or(std::string()));
    return place == materials.end() ? -1 : static_cast<int>(place - materials.begin());
  };
  if (const toml::array* laws = scene["laws"].as_array())
    for (const toml::node& entry : *laws) {
      const toml::table* law = entry.as_table();
      if (!law) continue;
      const int a = find((*law)["between"][0]), b = find((*law)["between"][1]);
      if (a >= 0 && b >= 0) pairs[std::minmax(a, b)] = friction_of(*law, a, b);
    }
  std::vector<MaterialFriction> list;
  for (const auto& [names, friction] : pairs) list.push_back(friction);
  return list;
}

}  // namespace saltus
