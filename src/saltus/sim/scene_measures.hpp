// What a scene asks to be measured, and when its run stops by itself: plain data. docs/measures.md lists it
// all; measure/measure.hpp computes it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
struct RegionSpec {
  // sample: the box around all grains. box: from low to high. walls: the box between walls along the axes;
  // where no wall is named it ends with the sample. ring: r0 <= |x - centre| <= r1 (3D: about z, low[2] to
  // high[2]).
  enum class Kind { sample, box, walls, ring };
  Kind kind = Kind::sample;
  Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Zero(), centre = Vec<Dim>::Zero();
  double r0 = 0, r1 = 0;
  std::vector<std::string> walls;  // names of bodies
};

// A line (2D) or plane, or a piece of it about `point`: bodies that pass along the normal count forwards.
template <int Dim>
struct GateSpec {
  // disc: within `radius` of the point (2D: a segment of twice that length). rectangle (3D): `sides` along
  // `along` and across it.
  enum class Kind { unbounded, disc, rectangle };
  Kind kind = Kind::unbounded;
  Vec<Dim> point = Vec<Dim>::Zero(), normal = Vec<Dim>::Unit(Dim - 1), along = Vec<Dim>::Unit(0);
  double radius = 0;
  Vec<2> sides = Vec<2>::Zero();
};

enum class MeasureKind {
  stress,
  strain,
  packing,
  coordination,
  fabric,
  forces,
  profile,
  wall,
  slip,
  energy,
  motion,
  extent,
  body,
  body_stress,
  flux,
  count,
  surface,
  network,
  system,
  joint,
  reaction,
  solid_stress,
  point_stress,
  section,
  beam_forces
};
const std::vector<std::string>& measure_kind_names();  // in the order of the enumeration
inline bool uses_bins(MeasureKind kind) {
  return kind == MeasureKind::profile || kind == MeasureKind::forces || kind == MeasureKind::surface;
}
// Of the finite elements of deformable bodies: the snapshot holds their stresses.
inline bool uses_elements(MeasureKind kind) {
  return kind == MeasureKind::reaction || kind == MeasureKind::solid_stress ||
         kind == MeasureKind::point_stress || kind == MeasureKind::section;
}

template <int Dim>
struct MeasureSpec {
  MeasureKind kind = MeasureKind::stress;
  std::string name;   // columns are NAME.PART
  std::string where;  // place in the input, opens error messages
  RegionSpec<Dim> region;
  std::string body;                 // wall, body; reaction: a surface of the mesh, none: all of it
  std::string part;                 // system, joint, those of elements: its name
  std::vector<int> coordinates;     // system: which; none: all
  std::vector<std::string> of;      // profile: quantities
  std::vector<std::string> bodies;  // flux, count: names, or what names begin with before -; none: all
  GateSpec<Dim> gate;      // flux; point-stress, section, beam-forces: point and normal, without deformation
  bool has_point = false;  // beam-forces; without one: along all of it
  int axis = Dim - 1;      // profile: of the bins; -1: radial
  Vec<Dim> along = Vec<Dim>::Zero();   // profile: direction of the bins, of length 1; zero: the axis
  int bins = 20;                       // profile, forces, surface
  double threshold = 1;                // network: strong contacts carry more than this, in means
  double angle = 0.78539816339744831;  // network: of a chain, between branch and major stress, rad
  double range = 5;                    // forces: largest force of the histogram, in means
  bool connected = false;              // extent: of the heaviest heap only
  double gap = 0;  // extent: of the heaviest part that no gap along x, wider than this, splits; 0: of all
};

// The run ends, or the bodies come to rest and it goes on, when a column of the measures has been above (or below) a value for a
// time.
struct StopCondition {
  std::string when;  // column
  std::string where;
  double above = std::numeric_limits<double>::infinity();
  double below = -std::numeric_limits<double>::infinity();
  double hold = 0;                                          // s
  double after = -std::numeric_limits<double>::infinity();  // s: not looked at before
  bool rests = false;                                       // all velocities become zero, once

  bool holds(double value) const { return value > above || value < below; }
};

}  // namespace saltus
