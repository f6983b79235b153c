// Polylines and triangle meshes as contact partners.
//
// Elements are tried one by one, and a body that slides over the seam of two elements must not catch on
// it (ghost collision). So a contact at an edge or corner of an element stands only when the normal leaves
// the whole ground there, that is when no neighbouring element rises above the plane through the edge or
// corner at right angles to the normal. Otherwise the face of the element alone is tried, with the part of
// the body above or below it. Crossings with seams between elements in one plane are left out.
// A patch (Polyline::depth) is touched along its normals, and at its border by what is round, and by edges that cross it; corners of patches are
// nodes of a body, which touch by themselves.
// A body that lies wholly behind a face does not touch it. Names of contacts on a face carry its plane, not
// the element: sliding over a seam within one plane they stay the same.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/collision/manifold.hpp"
#include "saltus/geometry/box_tree.hpp"

namespace saltus {

template <int Dim>
class Ground {
 public:
  using Element = std::array<int, Dim>;  // corners: 2 of a segment, 3 of a triangle

  // `depth` above 0: a patch, this thick.
  Ground(std::vector<Vec<Dim>> corners, std::vector<Element> elements, double depth);

  struct Scratch {
    Piece<Dim> element, node;
    std::vector<int> near;
    std::vector<ManifoldPoint<Dim>> points;
    ManifoldBuilder<Dim> builder;
  };

  // Appends the contacts, normals from the ground to the piece, with gap <= reach. `pose` is that of the
  // ground in the coordinates of the piece.
  void collide(const Pose<Dim>& pose, const Piece<Dim>& piece, double reach, Scratch& scratch,
               std::vector<ManifoldPoint<Dim>>& points) const;

  // New places of all corners, in the frame of the ground; names of contacts stay those of the start.
  void move_corners(std::span<const Vec<Dim>> corners);

 private:
  void build_tree();
  void build_neighbours();
  void build_planes();
  void place(int element, const Pose<Dim>& pose, Piece<Dim>& piece) const;
  // A ball and a patch of one element, without pieces.
  void touch_patch(const Pose<Dim>& pose, const Vec<Dim>& centre, double radius, double reach,
                   std::vector<ManifoldPoint<Dim>>& points) const;
  void collide_element(int element, const Pose<Dim>& pose, const Piece<Dim>& piece, double reach,
                       Scratch& scratch) const;
  // Where edges of a body, or the line of a capsule, cross the sides of a patch in space, and no corner of either holds it there: neither one of
  // `points` from `first` on nor an end of the side is as near, to a hundredth of the size.
  void add_crossings(const Piece<Dim>& piece, std::size_t first, double reach, Scratch& scratch) const;
  // Where a round body is nearest to the element, if none of `points` from `first` on is as near.
  void add_border_point(const Piece<Dim>& piece, const Separation<Dim>& separation, std::size_t first,
                        double reach, Scratch& scratch) const;
  // May the ground be touched along `normal` (in its own frame) at the corner or edge of the element that
  // lies farthest along it?
  bool leaves_ground(int element, const Vec<Dim>& normal) const;

  std::vector<Vec<Dim>> corners_;
  std::vector<Element> elements_;
  double depth_;
  std::vector<Bounds<Dim>> boxes_;  // of elements
  std::vector<Vec<Dim>> normals_;
  std::vector<std::vector<int>> around_;  // elements that meet at each corner
  std::vector<int> plane_;                // lowest element joined to each one through seams within one plane
  std::vector<char> flat_corner_;         // all elements there lie in one plane and none ends there
  std::vector<std::array<int, 3>> across_;  // 3D: the neighbour across the edge from corner k to k + 1, or -1
  BoxTree<Dim> tree_;
};

Ground<2> build_ground(const Polyline& polyline);
Ground<3> build_ground(const TriangleMesh& mesh);

}  // namespace saltus
