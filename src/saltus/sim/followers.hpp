// Bodies without mass that move as a system does, so that detection and contact laws see it.
//
// Of a deformable body: points and facets of its surface (sim/surface_followers.hpp). Of a Lagrangian system: the shapes of
// its points. Of bars, strings and beams: their nodes and elements (sim/line_followers.hpp).
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/geometry/pose.hpp"
#include "saltus/sim/scene.hpp"
#include "saltus/systems/coordinate_function.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// Place of a point as functions of the coordinates.
template <int Dim>
struct PointFunctions {
  std::array<std::shared_ptr<const CoordinateFunction>, Dim> position;
  // 2D: angle; 3D: rotation vector, world axes. Null: does not turn.
  std::array<std::shared_ptr<const CoordinateFunction>, kSpins<Dim>> turn = {};
};

template <int Dim>
struct LineFollower;

template <int Dim>
struct FollowerModel {
  int body = 0;  // in scene.bodies
  int system = 0;
  std::vector<int> dofs = {};         // of the system, that place it
  Vec<Dim> moves = Vec<Dim>::Ones();  // per direction: 0 where supports leave it no motion of its own
  double thickness = 0;  // m, of the whole body: what overlap is counted in; 0: that of its own shape

  // Of a deformable body: one corner, a point, or Dim of them, a facet.
  std::vector<Vec<Dim>> corners = {};  // without displacement
  Eigen::MatrixXd shares = {};  // of each corner (row) in each node (column); `dofs` are Dim of each node
  bool is_facet() const { return corners.size() > 1; }
  bool is_on_surface() const { return !corners.empty(); }

  std::shared_ptr<const PointFunctions<Dim>> point = {};  // of a Lagrangian system
  std::shared_ptr<const LineFollower<Dim>> line = {};  // of bars, strings and beams (sim/line_followers.hpp)
};

// Fills `moves`. Its mass is that of its system, so that any other number would do.
template <int Dim>
void find_moves(const System& system, FollowerModel<Dim>& follower);

// Adds the points of a system, which starts at (q, v). Throws InputError: a place that is not finite or depends on t.
template <int Dim>
void add_points(const SceneLagrangianSystem<Dim>& from, const System& made, int system, Scene<Dim>& scene,
                std::vector<FollowerModel<Dim>>& followers);

// Where it is, and the matrix of (v, w) = placement . (velocities of its dofs), with coordinates q, moved on for
// `advance` seconds by v.
template <int Dim>
struct FollowerPlace {
  Pose<Dim> pose;
  std::vector<Vec<Dim>> corners;  // of a facet, from its middle
  Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic> placement;
  // Of a facet: what it stretches by, beside (v, w). A point x of it goes with v + w x arm + S arm, arm = x - middle;
  // S (symmetric, in the plane of the facet), column by column, is stretch . (velocities of its dofs). Else no columns.
  Eigen::Matrix<double, Dim * Dim, Eigen::Dynamic> stretch;
};
// Kept from call to call, so that none allocates.
struct FollowerScratch {
  Eigen::VectorXd q, gradient;
};
template <int Dim>
void place_follower(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    double advance, FollowerScratch& scratch, FollowerPlace<Dim>& place);
// The same for those who ask once.
template <int Dim>
FollowerPlace<Dim> place_follower(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v, double advance) {
  FollowerScratch scratch;
  FollowerPlace<Dim> place;
  place_follower<Dim>(follower, q, v, advance, scratch, place);
  return place;
}

// S of a facet whose system moves with v, 1/s.
template <int Dim>
Mat<Dim> follower_stretch(const FollowerModel<Dim>& follower, const FollowerPlace<Dim>& place,
                          const Eigen::VectorXd& v);

// (v, w) of a follower whose system moves with v.
template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> follower_velocity(
    const FollowerModel<Dim>& follower, const Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic>& placement,
    const Eigen::VectorXd& v);

}  // namespace saltus
