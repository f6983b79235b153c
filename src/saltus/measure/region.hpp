// A region of a measure at one moment: how much of a body is in it, and its size.
//
// In a periodic scene every body and contact repeats, and what lies in the region is what its images have there: bodies
// travel on from cell to cell, so where they are stored tells nothing. A box longer than the cell is the cell from its low
// side on, so that nothing counts twice; a ring wider than the cell holds images of one body several times.
#pragma once

#include <optional>

#include "saltus/geometry/overlap.hpp"
#include "saltus/geometry/wall_face.hpp"
#include "saltus/sim/scene_measures.hpp"
#include "saltus/sim/snapshot.hpp"

namespace saltus {

template <int Dim>
struct Region {
  Bounds<Dim> box;  // of a ring: around it
  Vec<Dim> centre = Vec<Dim>::Zero();
  double r0 = 0, r1 = 0;          // r1 > 0: a ring
  bool everything = false;        // holds every grain wholly
  std::optional<Slab<Dim>> slab;  // of the box: only what is between two planes
  Vec<Dim> period = Vec<Dim>::Zero();

  bool is_ring() const { return r1 > 0; }
  double volume() const;                                // area in 2D
  double overlap(const SnapshotBody<Dim>& body) const;  // of all its images
  // Moves (multiples of the period) that bring a body, or what lies in `bounds`, to the box or to its border. Without
  // periods: zero, or none.
  std::vector<Vec<Dim>> find_images(const SnapshotBody<Dim>& body) const;
  std::vector<Vec<Dim>> find_images(const Bounds<Dim>& bounds) const;
  double overlap(const SnapshotBody<Dim>& body, const Vec<Dim>& move) const;  // of one image
  int count(const Vec<Dim>& x) const;  // images of x in it; low sides belong to it, high ones do not
  // Slice `number` of `count` equal ones along an axis (-1: along the radius), and its middle.
  Region slice(int axis, int number, int count) const;
  double middle(int axis, int number, int count) const;
  // The same of a box along any direction of length 1; its ends are those of the box, and places are
  // direction . x.
  Region slice(const Vec<Dim>& direction, int number, int count) const;
  double middle(const Vec<Dim>& direction, int number, int count) const;

 private:
  Vec<Dim> find_image(const Vec<Dim>& x) const;  // the one that is in the box, if any is
  bool contains(const Vec<Dim>& x) const;        // x itself
};

// Ids of the walls of a region, by name; InputError (opened by `where`) for a name that is no body, or a wall
// that is not a half-plane (plane) along an axis.
template <int Dim>
std::vector<BodyId> find_walls(const std::vector<std::string>& names,
                               const std::vector<std::string>& body_names, const Snapshot<Dim>& snapshot,
                               const std::string& where);

template <int Dim>
Region<Dim> build_region(const RegionSpec<Dim>& spec, const std::vector<BodyId>& walls,
                         const Snapshot<Dim>& snapshot);

template <int Dim>
WallFace wall_face(const SnapshotBody<Dim>& body) {
  return wall_face<Dim>(*body.shape, body.pose);
}

// Index of a name among the bodies of a scene; InputError with the nearest idea of what there is.
BodyId find_body(const std::string& name, const std::vector<std::string>& body_names,
                 const std::string& where);

}  // namespace saltus
