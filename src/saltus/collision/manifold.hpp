// All points where two convex pieces touch.
//
// Along the normal of the pair (separation.hpp) the nearest features of the two pieces are projected on
// each other: the clipped face, the common part of two edges, or one point. The full polygon is
// kept, no corner is dropped. Where edges or corners are nearest, the faces beside them are clipped in the same way: bodies
// that turn close on these within a step. Corners of the polygon are named by what makes them (a corner of a, a
// corner of b, a crossing of two edges), so that names do not depend on which piece was the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/collision/piece.hpp"
#include "saltus/collision/separation.hpp"

namespace saltus {

template <int Dim>
struct ManifoldPoint {
  Vec<Dim> point;
  Vec<Dim> normal;
  double gap;
  std::uint64_t feature;
};

template <int Dim>
class ManifoldBuilder {
 public:
  // Appends the points with gap <= reach between pieces whose cores are separated as given. With
  // `inside_faces` only points that project inside a face of the reference count: the pair of nearest points
  // is then not added when the clipped face has none as near (elements of ground use it). Corners on the
  // idle labels of a are left out.
  void build(const Piece<Dim>& a, const Piece<Dim>& b, Separation<Dim> separation, double reach,
             bool inside_faces, std::vector<ManifoldPoint<Dim>>& points);

 private:
  // Names of the features of the reference and of the incident piece that meet at a corner or edge of
  // the clipped polygon; 0 where a piece has none.
  struct Name {
    std::uint64_t reference = 0, incident = 0;
  };
  struct Corner {
    Vec<Dim> x;
    Name name;
    Name leaving;  // the edge to the next corner
  };
  struct Side {
    Vec<Dim> start, inward;
    int index;
  };

  bool clip_faces(Separation<Dim>& separation);
  void clip(const Vec<Dim>& n, bool a_is_reference);
  void add_tilted(const Piece<Dim>& a, const Piece<Dim>& b, const Separation<Dim>& separation, double far);
  void clip_side(const Feature<Dim>& reference, const Side& side);
  Corner cross(const Feature<Dim>& reference, const Side& side, const Corner& from, const Vec<Dim>& x) const;
  bool overlap_edges(const Separation<Dim>& separation, double parting, bool round = false);
  void add(const Vec<Dim>& on_a, double gap, std::uint64_t name_a, std::uint64_t name_b);

  double size_ = 0;
  const std::vector<std::uint64_t>* idle_ = nullptr;
  Feature<Dim> feature_a_, feature_b_;
  std::vector<Corner> corners_, clipped_;
  bool keeps_all_ = true;  // else points named already are not added again, nor those beyond far_
  double far_ = 0;         // m, between cores
  std::vector<ManifoldPoint<Dim>> found_;  // `point` on the core of a, `gap` between cores
};

}  // namespace saltus
