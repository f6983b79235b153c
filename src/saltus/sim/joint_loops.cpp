// Rows of joints and constraints that others imply: loops that are closed more than once.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "saltus/sim/held_rows.hpp"

namespace saltus {

namespace {

std::string count_nodes(const Mechanism& mechanism) {
  const auto count = [](int number, const char* what) {
    return number > 0 ? fmt::format("{} {}", number, what) : std::string();
  };
  const std::string bodies = count(mechanism.bodies, mechanism.bodies == 1 ? "body" : "bodies");
  const std::string systems = count(mechanism.systems, mechanism.systems == 1 ? "system" : "systems");
  return bodies + (bodies.empty() || systems.empty() ? "" : " and ") + systems;
}

template <int Dim>
std::string describe_loops(const Mechanism& mechanism) {
  std::size_t held = 0;  // motors are the last
  while (held < mechanism.rows.size() && !mechanism.rows[held]->is_motor) ++held;
  // A tree of joints cannot repeat itself, but for bodies whose own degrees of freedom are taken.
  if (mechanism.rows.size() > kMostHeldRows)
    return held > static_cast<std::size_t>(mechanism.bodies) * (Dim == 2 ? 2 : 5)
               ? fmt::format(
                     "a mechanism of {} holds {} rows: too many to look for loops that are closed twice",
                     count_nodes(mechanism), held)
               : std::string();
  std::map<std::pair<int, std::string>, int> implied;  // in the order of joints, then constraints
  std::string motors;
  int repeated = 0;
  for (const Dependency& found : find_dependencies(mechanism.vectors)) {
    const HeldRow& row = *mechanism.rows[found.row];
    if (row.is_motor) {
      motors += fmt::format("; they imply what {} drives", row.label);
      continue;
    }
    ++repeated;
    ++implied[{row.joint >= 0 ? row.joint : std::numeric_limits<int>::max(), row.label}];
  }
  if (repeated == 0 && motors.empty()) return {};
  std::string which;
  for (const auto& [row, count] : implied)
    which += fmt::format("{}{} of {}", which.empty() ? ": those of others imply " : ", ", count, row.second);
  return fmt::format("a mechanism of {} holds {} rows of rank {}{}{}", count_nodes(mechanism), held,
                     held - static_cast<std::size_t>(repeated), which, motors);
}

}  // namespace

template <int Dim>
std::vector<std::string> Simulation<Dim>::joint_findings() const {
  Engine& engine = *engine_;
  std::vector<std::string> findings;
  engine.find_slots();
  HeldPlaces<Dim> places{engine.state.bodies.pose, {}};
  for (const auto& system : engine.state.parts.systems) places.coordinates.push_back(system->coordinates());
  const std::vector<HeldRow> rows = build_held_rows<Dim>(engine, places);
  for (const Mechanism& mechanism : find_mechanisms<Dim>(engine, rows)) {
    if (mechanism.bodies + mechanism.systems == 0) continue;
    std::string text = describe_loops<Dim>(mechanism);
    if (text.empty()) continue;
    if (engine.contradictions.empty())
      text +=
          ". Motion and sum of forces are as they should be, how loops share the load is not determined: the "
          "smallest "
          "impulses are taken";
    findings.push_back(std::move(text));
  }
  return findings;
}

template std::vector<std::string> Simulation<2>::joint_findings() const;
template std::vector<std::string> Simulation<3>::joint_findings() const;

}  // namespace saltus
