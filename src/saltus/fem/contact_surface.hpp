// The surface of a mesh as contact sees it: points, and flat facets between them.
//
// A face of an element becomes facets that follow its nodes:
//
//     side of 2 nodes   1 segment             triangle of 3   1 triangle      quadrangle of 4   4 about its centre
//     side of 3         2, at the middle      triangle of 6   4               quadrangle of 8   8 about its centre
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// Which points of a surface touch facets and bodies. Nodes at corners, sharp edges (facets that turn by more than 0.5 rad) and ends of
// what touches stand out: the other body may have no point near them.
enum class ContactPoints {
  nodes,
  middles,     // the middle of each facet
  quadrature,  // of each facet, Gauss's points of order two: 2 of a segment, 3 of a triangle
  facets       // nodes, for rigid bodies alone: other deformable bodies touch its facets, in one pass
};

// x = sum of weight times node.
struct SurfacePoint {
  std::vector<int> nodes;
  std::vector<double> weights;
};

template <int Dim>
struct ContactSurface {
  struct Facet {
    std::array<int, Dim>
        corners;    // in `points`; outside is on the left of a segment, or sees a triangle counter-clockwise
    MeshSide side;  // that it is a part of
  };
  std::vector<SurfacePoint> points;  // corners of facets, then others that touch
  std::vector<Facet> facets;
  std::vector<int> touching;                // points
  std::vector<std::vector<int>> facets_of;  // of each of `touching`: those that it is a corner of, or lies in
  std::vector<char> stands_out;  // of each of `touching`: it is a node that does, where these touch
};

// With `corners`, nodes that stand out touch whatever the others are: without, none does for it.
template <int Dim>
ContactSurface<Dim> build_contact_surface(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                                          ContactPoints touching, bool corners);

}  // namespace saltus
