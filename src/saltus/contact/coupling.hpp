// What ties bodies and systems together in a step, beside contacts between rigid bodies.
//
// Deformable bodies take part in detection and in contact laws by followers: bodies without mass of their own,
// that move as points (or edges) of a system move. To a contact a follower is a body like others; in the solve
// its impulse goes to its system.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/solvers/block_set.hpp"
#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

// The degrees of freedom of a system that take part in blocks.
struct SystemPart {
  std::vector<int> dofs;     // of the system
  Eigen::MatrixXd inverse;   // Mhat^-1 between them
  Eigen::VectorXd velocity;  // free in, solved out
  Eigen::VectorXd impulse;   // out: sum of the blocks'
};

template <int Dim>
struct Follower {
  int slot = -1, system = -1;
  std::vector<int> dofs;                                        // of the system part
  Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic> placement;  // (v, w) = placement . velocities
};

struct TiedEnd {
  int slot = -1, system = -1;  // one of the two; both -1: the world
  std::vector<int> dofs;       // of the system part; empty with a slot
  Eigen::MatrixXd jacobian;    // (v, w) of the slot, or dofs; times rows
};

// A joint, a stop, a row of a system: what the law of the block made of it for this step.
struct TiedBlock {
  BlockSet set;
  double mu = 0;  // of Coulomb's cone
  TiedEnd ends[2];
  Eigen::VectorXd shift, compliance;
  std::vector<char> turns;  // per row: its velocity is in rad/s
  Eigen::VectorXd r;        // warm start in, solution out
  Eigen::VectorXd u;        // out: velocity at the end of the step, without the shift
};

template <int Dim>
struct Coupling {
  std::vector<SystemPart> systems;
  std::vector<Follower<Dim>> followers;
  std::vector<TiedBlock> blocks;
  // Of `followers` and `blocks`, for the groups: filled by `index`.
  std::vector<int> follower_of;  // per slot; -1: none
  std::vector<int> follows;
  std::vector<std::pair<int, int>> pairs;

  bool empty() const { return systems.empty() && blocks.empty(); }
  void index(int slots);
  GroupTies ties() const { return {static_cast<int>(systems.size()), follows, pairs}; }
};

extern template struct Coupling<2>;
extern template struct Coupling<3>;

}  // namespace saltus
