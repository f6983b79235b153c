// The equations on velocities that hold whatever happens: what joints hold, gears, screws and pulleys that are not slack, constraints of
// systems, motors without a limit. Each is row . v = asked(t), v those of rigid bodies and of systems of a few coordinates. What is asked
// may lie in the drives of bodies: their velocities are not among v.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

struct HeldRow {
  std::string label, where;  // what it is, and the place in the scene, for messages
  int joint = -1;            // of the scene; -1: a constraint of a system
  bool is_motor = false;
  // Nodes (slots of bodies, then systems) with the gradient in all their velocities.
  std::vector<std::pair<int, Eigen::VectorXd>> ends;
  std::function<double(double)> asked;  // m/s or rad/s, at a time
  std::vector<std::string> drives;      // of bodies, that what is asked depends on
};

template <int Dim>
struct HeldPlaces {
  std::vector<Pose<Dim>> poses;              // per slot
  std::vector<Eigen::VectorXd> coordinates;  // per system
};

// At the places given, motors last. Without rows on points of large systems (deformable bodies): other rows do not imply these.
template <int Dim>
std::vector<HeldRow> build_held_rows(typename Simulation<Dim>::Engine& engine, const HeldPlaces<Dim>& places);

// Rows that hang together by what moves, and the same rows as vectors, scaled by masses of bodies.
struct Mechanism {
  int bodies = 0, systems = 0;
  std::vector<const HeldRow*> rows;
  std::vector<Eigen::VectorXd> vectors;
};
template <int Dim>
std::vector<Mechanism> find_mechanisms(const typename Simulation<Dim>::Engine& engine,
                                       const std::vector<HeldRow>& rows);

// A row that others imply: sum_i factor[i] rows[i] = 0, factor[row] = 1.
struct Dependency {
  int row = 0;
  Eigen::VectorXd factor;
};
std::vector<Dependency> find_dependencies(const std::vector<Eigen::VectorXd>& rows);

// Beyond so many rows in one mechanism nobody waits for the answer.
inline constexpr int kMostHeldRows = 600;

}  // namespace saltus
