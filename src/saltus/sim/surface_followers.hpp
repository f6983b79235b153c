// The surface of a deformable body, to detection and contact laws: points that touch, and facets (fem/contact_surface.hpp).
//
// A point is a ball too small to be seen; a facet a patch of ground (geometry/shapes.hpp) whose corners go with the body.
// Points touch rigid bodies, walls, and facets; facets touch the corners and curved sides of rigid bodies too, so that
// nothing passes between two points. Both passes together make contact between two deformable bodies, one of them where one
// body is facets alone.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "saltus/sim/followers.hpp"
#include "saltus/sim/scene_deformable.hpp"

namespace saltus {

// Of a facet in space, that from corner k to the next: which facet is beyond it, where the body is sharp there and this facet, of
// the two, speaks for the edge; -1: not so.
struct FacetEdges {
  std::array<int, 3> beyond = {-1, -1, -1};
  double deepest = 0;  // m, of what may be behind an edge
};

template <int Dim>
struct SurfaceModel {
  int system = 0;
  bool touches_itself = false;
  bool is_facets = false;  // its points touch rigid bodies alone, but for those that stand out
  ContactSurface<Dim> surface;
  std::vector<std::vector<int>> points_of;  // of each facet, in `touching`: the way back of `facets_of`
  int first_point = 0, first_facet = 0;     // in the followers: those of `touching`, then those of `facets`
  std::vector<FacetEdges> edges;            // of each facet, in space; empty in the plane
};

// Adds the followers of a body, which is at q, to the scene, and pairs of scene bodies that touch always and are no contact: a
// point and the facets that it belongs to.
template <int Dim>
SurfaceModel<Dim> add_surface(const SceneDeformable<Dim>& from, const Eigen::VectorXd& q, int system,
                              Scene<Dim>& scene, std::vector<FollowerModel<Dim>>& followers,
                              std::vector<std::pair<int, int>>& neighbours);

// Adds a point that joints hold and nothing touches. Returns its scene body.
template <int Dim>
int add_surface_point(const SceneDeformable<Dim>& from, const SurfacePoint& point, const std::string& name,
                      const Eigen::VectorXd& q, int system, Scene<Dim>& scene,
                      std::vector<FollowerModel<Dim>>& followers);

// Of the box round the nodes, m.
template <int Dim>
double smallest_extent(const SolidMesh<Dim>& mesh);

// Where a point or facet is, and how it moves with its nodes: a point as they are weighted, a facet as the rigid body that
// goes with its middle and turns with its plane, and by what it stretches: together linear interpolation.
template <int Dim>
void place_on_surface(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      double advance, FollowerPlace<Dim>& place);

// Only where it is, into the pose and corners of `place`, and its (v, w).
template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> move_on_surface(const FollowerModel<Dim>& follower,
                                                     const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                     FollowerPlace<Dim>& place);

// The unit normal out of the body, of corners as place_on_surface leaves them.
Vec<2> facet_normal(std::span<const Vec<2>> corners);
Vec<3> facet_normal(std::span<const Vec<3>> corners);

}  // namespace saltus
