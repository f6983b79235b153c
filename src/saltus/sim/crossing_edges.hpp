// Sharp edges of deformable bodies in space that cross each other: contacts of the facets that they are borders of, far from any
// node. Where surfaces turn by less than kSharp (crossing_edges.cpp) from facet to facet, nodes on facets do.
#pragma once

#include <span>
#include <vector>

#include "saltus/collision/contact_point.hpp"
#include "saltus/sim/coupled_parts.hpp"

namespace saltus {

// `depths`: of the patch of each facet, m.
std::vector<FacetEdges> find_sharp_edges(const ContactSurface<3>& surface, const SolidMesh<3>& mesh,
                                         std::span<const double> depths);

// A facet of a body: its number among those of the surface.
struct FacetOfSurface {
  const SurfaceModel<3>* surface;
  int facet;
};

// The contacts that edges of two facets make, in the place of the entry `pair` that detection lists for the two. `offset` is how far the
// image of b is from b, `places` are those of all followers. The feature tells which edges they are.
void add_crossings(const ContactPoint<3>& pair, const FacetOfSurface& a, const FacetOfSurface& b,
                   const Vec<3>& offset, std::span<const FollowerPlace<3>> places,
                   std::vector<ContactPoint<3>>& contacts);

// Contacts of points with facets: of each the follower of the point, the system of the facet (`body`) and its number in the list of all
// (`slot`), in the order of systems and points.
struct TouchedNodes {
  std::span<const TouchedPoint> points;
  std::span<const ContactPoint<3>> contacts;
};

// A crossing at the end of an edge is what the node there does, where that touches along the same normal. One that is deeper than it is away
// from a node that touches is none: the nearer way out is past the node.
bool is_at_touching_node(const ContactPoint<3>& crossing, const FacetOfSurface& a, const FacetOfSurface& b,
                         const Vec<3>& offset, std::span<const FollowerPlace<3>> places,
                         const TouchedNodes& touched);

}  // namespace saltus
