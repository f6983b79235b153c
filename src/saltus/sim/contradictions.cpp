// Whether what a scene holds can hold together: equations on velocities of which others make the left side and not the right. At the start
// with the rates there; and all through the run where the left sides depend on each other wherever bodies are (wheels of a gear, formulas
// that are linear), so that rates that begin at zero are seen too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "saltus/sim/held_rows.hpp"

namespace saltus {

namespace {

// Of the rates asked for: assemblies close to 1e-4, and so agree the rates of loops that are closed twice.
constexpr double kContradicts = 1e-3;
// How far places are moved to see what depends on them, in m and rad, of bodies of a metre and coordinates of order one; and what a
// combination of rows that vanishes there too may leave of them: a thousandth of that.
constexpr double kMoved = 1e-3, kStill = 1e-6;

// Where nothing holds any more, but rows have a meaning.
template <int Dim>
HeldPlaces<Dim> move_about(HeldPlaces<Dim> places, double length) {
  std::minstd_rand random(1);
  const auto next = [&] {
    return kMoved *
           (2 * (double(random()) - double(random.min())) / (double(random.max()) - double(random.min())) -
            1);
  };
  for (Pose<Dim>& pose : places.poses) {
    for (int i = 0; i < Dim; ++i) pose.position[i] += length * next();
    Spin<Dim> turn;
    for (int i = 0; i < kSpins<Dim>; ++i) turn[i] = next();
    pose.rotate(turn);
  }
  for (Eigen::VectorXd& q : places.coordinates)
    for (double& x : q) x += next();
  return places;
}

double asked(const HeldRow& row, double t) { return row.asked ? row.asked(t) : 0; }

// What a combination of rows that vanishes asks for: `off` should be zero, beside the size of its parts.
struct Asked {
  double off = 0, size = 0;
};
Asked ask_together(const Mechanism& mechanism, const Dependency& found, double t) {
  Asked result;
  for (std::size_t i = 0; i < mechanism.rows.size(); ++i) {
    const double part = found.factor[static_cast<Eigen::Index>(i)] * asked(*mechanism.rows[i], t);
    result.off += part, result.size += std::abs(part);
  }
  result.off = std::abs(result.off);
  return result;
}

// The first of the times, up to `last`, at which it is off; -1: none. What is nothing beside other times has only begun to move.
int find_time(const Mechanism& mechanism, const Dependency& found, const std::vector<double>& times,
              std::size_t last) {
  constexpr double kBegun = 1e-6;
  double largest = 0;
  for (const double t : times) largest = std::max(largest, ask_together(mechanism, found, t).size);
  for (std::size_t k = 0; k <= last; ++k)
    if (const Asked at = ask_together(mechanism, found, times[k]);
        at.size > kBegun * largest && at.off > kContradicts * at.size)
      return static_cast<int>(k);
  return -1;
}

bool vanishes(const std::vector<Eigen::VectorXd>& rows, const Dependency& found) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(rows[found.row].size());
  double size = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Eigen::VectorXd part = found.factor[static_cast<Eigen::Index>(i)] * rows[i];
    sum += part, size = std::max(size, part.norm());
  }
  return sum.norm() <= kStill * size;
}

std::string describe(const Mechanism& mechanism, const Dependency& found, double t, bool at_start) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  constexpr double kTakesPart = 1e-6;
  const double own = mechanism.vectors[found.row].norm();
  int equations = 0;
  std::string where;
  for (std::size_t i = 0; i < mechanism.rows.size(); ++i) {
    const double part = std::abs(found.factor[static_cast<Eigen::Index>(i)]) * mechanism.vectors[i].norm();
    if (static_cast<int>(i) != found.row && !(part > kTakesPart * own)) continue;
    const HeldRow& row = *mechanism.rows[i];
    ++equations;
    add(row.label);
    for (const std::string& drive : row.drives) add(drive);
    if (where.empty() || asked(row, t) != 0) where = row.where;
  }
  return fmt::format(
      "{}{} cannot hold together{}: {} equation{} of rank {}, whose velocities are off by {:.3g} m/s or "
      "rad/s{}; "
      "leave one of them out, give a motor a limit, or make what they ask for agree",
      where.empty() ? "" : where + ": ", fmt::join(names, ", "), at_start ? " at the start" : "", equations,
      equations == 1 ? "" : "s", equations - 1, ask_together(mechanism, found, t).off,
      at_start ? "" : fmt::format(" at t = {:.6g} s", t));
}

}  // namespace

template <int Dim>
void Simulation<Dim>::Engine::find_contradictions() {
  if (state.parts.empty()) return;
  find_slots();
  HeldPlaces<Dim> places{state.bodies.pose, {}};
  for (const auto& system : state.parts.systems) places.coordinates.push_back(system->coordinates());
  const std::vector<HeldRow> rows = build_held_rows<Dim>(*this, places);
  const double start = model.scene.start_time, length = model.scene.end_time - start;
  // Just after the start: tables of positions have their first slope there. Later ones where no sine of a few periods is zero.
  std::vector<double> times{start + 1e-6 * model.scene.scheme.h};
  for (const double part : {0.113, 0.371, 0.607, 0.943}) times.push_back(start + part * length);
  std::vector<HeldRow> moved_rows;
  std::vector<Mechanism> moved;
  const std::vector<Mechanism> mechanisms = find_mechanisms<Dim>(*this, rows);
  for (std::size_t m = 0; m < mechanisms.size(); ++m) {
    const Mechanism& mechanism = mechanisms[m];
    const auto asks = [&](const HeldRow* row) {
      return std::any_of(times.begin(), times.end(), [&](double t) { return asked(*row, t) != 0; });
    };
    if (mechanism.vectors.empty() || std::none_of(mechanism.rows.begin(), mechanism.rows.end(), asks))
      continue;
    for (const Dependency& found : find_dependencies(mechanism.vectors)) {
      int at = find_time(mechanism, found, times, 0);
      if (at < 0) {
        if (moved.empty()) {
          moved_rows = build_held_rows<Dim>(*this, move_about<Dim>(places, work.mean_length));
          moved = find_mechanisms<Dim>(*this, moved_rows);
        }
        if (vanishes(moved[m].vectors, found)) at = find_time(mechanism, found, times, times.size() - 1);
      }
      if (at >= 0) {
        contradictions.push_back(describe(mechanism, found, times[static_cast<std::size_t>(at)], at == 0));
        break;  // others of the mechanism may follow from it
      }
    }
  }
}

template void Simulation<2>::Engine::find_contradictions();
template void Simulation<3>::Engine::find_contradictions();

}  // namespace saltus
