// What ties bodies and systems together in a step, beside contacts between rigid bodies.
//
// Deformable bodies take part in detection and in contact laws by followers: bodies without mass of their own,
// that move as points (or edges) of a system move. To a contact a follower is a body like others; in the solve
// its impulse goes to its system.
#pragma once

#include <Eigen/Core>
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
  // Of a facet: a point goes with v + w x arm + S arm, and S, column by column, is stretch . velocities. No columns: rigid.
  Eigen::Matrix<double, Dim * Dim, Eigen::Dynamic> stretch;

  // What a column J of a Jacobian of (v, w), for a point at this arm, is for its degree of freedom i.
  template <class Column>
  double share_of(int i, const Column& J, const Vec<Dim>& arm) const {
    const double rigid = placement.col(i).dot(J);
    if (stretch.cols() == 0) return rigid;
    return rigid + J.template head<Dim>().dot(Eigen::Map<const Mat<Dim>>(stretch.col(i).data()) * arm);
  }
};

struct TiedEnd {
  int slot = -1, system = -1;  // one of the two; both -1: the world
  std::vector<int> dofs;       // of the system part; empty with a slot
  Eigen::MatrixXd jacobian;    // (v, w) of the slot, or dofs; times rows
};

// A joint, a stop, a row of a system: what the law of the block made of it for this step. One end per body or
// system that it acts on, at most four (a ratio between two joints); those that are not needed stay as they are.
struct TiedBlock {
  static constexpr int kEnds = 4;
  BlockSet set;
  double mu = 0;  // of Coulomb's cone
  int origin = -1,
      row = 0;  // what made it, and which row of it: the same whenever it is made again in a step
  TiedEnd ends[kEnds];
  Eigen::VectorXd shift, compliance;
  // Of the first rows: the part of the shift by which a row moves with nothing moving, as a formula of time does.
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  bool corrects = false;  // bilateral, and all of its shift is to take back what it is off; then
  Eigen::Vector3d before = Eigen::Vector3d::Zero();  // the velocity of its rows at the start of the step
  std::vector<char> turns;  // per row: its velocity is in rad/s
  Eigen::VectorXd r;        // warm start in, solution out
  Eigen::VectorXd u;        // out: velocity at the end of the step, without the shift
  // A ball whose radius follows the load of another block of the coupling, as dry friction in a joint does:
  // radius = limit_offset + limit_factor |r of block limit_of| at the solution of the step. -1: `set` has the radius.
  int limit_of = -1;
  double limit_factor = 0;  // m where r turns and the load does not, else 1
  double limit_offset = 0;  // in the unit of r
};

template <int Dim>
struct Coupling {
  std::vector<SystemPart> systems;
  std::vector<Follower<Dim>> followers;
  std::vector<TiedBlock> blocks;
  // Of `followers` and `blocks`, for the groups: filled by `index`.
  std::vector<int> follower_of;  // per slot; -1: none
  std::vector<int> follows;
  std::vector<int> node_begin, nodes;  // of blocks

  bool empty() const { return systems.empty() && blocks.empty(); }
  // The blocks of a new step get the memory of the last one's: a block that is added in the same place with the
  // same sizes allocates nothing. `add_block` gives one without ends, limit, and with all else to be set.
  void clear_blocks();
  TiedBlock& add_block();
  // Likewise; `add_follower` gives one without degrees of freedom.
  void clear_followers();
  Follower<Dim>& add_follower();
  void index(int slots);
  GroupTies ties() const { return {static_cast<int>(systems.size()), follows, node_begin, nodes}; }

 private:
  void add_nodes(int slots, const TiedBlock& block);

  std::vector<TiedBlock> spare_;  // the last ones first, no more than a step ever had
  std::vector<Follower<Dim>> spare_followers_;
  std::size_t most_ = 0, most_followers_ = 0;
};

extern template struct Coupling<2>;
extern template struct Coupling<3>;

}  // namespace saltus
