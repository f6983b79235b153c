// A region of a measure at one moment: how much of a body is in it, and its size.
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

  bool is_ring() const { return r1 > 0; }
  double volume() const;  // area in 2D
  double overlap(const SnapshotBody<Dim>& body) const;
  bool contains(const Vec<Dim>& x) const;  // low sides belong to it, high ones do not
  // Slice `number` of `count` equal ones along an axis (-1: along the radius), and its middle.
  Region slice(int axis, int number, int count) const;
  double middle(int axis, int number, int count) const;
  // The same of a box along any direction of length 1; its ends are those of the box, and places are
  // direction . x.
  Region slice(const Vec<Dim>& direction, int number, int count) const;
  double middle(const Vec<Dim>& direction, int number, int count) const;
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
