// A convex piece placed in space: what the narrow phase works on.
//
// A piece is a core and a rounding radius: a ball is a point, a capsule a segment, both rounded;
// polygons, polyhedra and the elements of ground (segments, triangles) are cores with radius 0. A round
// cylinder and an ellipsoid have no corners and answer by their support functions. Coordinates are relative to an origin
// near the pair, so that distances keep their digits far from the origin of the world.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

// Fixed points on each rim of a cylinder where a flat contact of its cap is sampled.
inline constexpr int kRimPoints = 16;

template <int Dim>
struct Piece {
  std::vector<Vec<Dim>> vertices;
  std::vector<Vec<Dim>> normals;               // unit, outward, one per face
  std::vector<double> heights;                 // of the faces: normal . x
  const ConvexPolyhedron* topology = nullptr;  // faces and edges in 3D; none for points and segments
  double radius = 0;                           // rounding of the core
  bool one_sided = false;                      // an element of ground: no face behind
  std::array<int, 3> ground_corner{};          // its corners' numbers in the whole ground: they make labels
  std::vector<std::uint64_t> idle_labels;  // of its seams with neighbours in the same plane: no contact there
  bool round = false;                      // a cylinder or an ellipsoid: members below, and no vertices
  bool rolls = true;                       // false: it is put in its place, no law on velocities acts
  Pose<Dim> pose;
  Vec<Dim> semi_axes = Vec<Dim>::Zero();  // of an ellipsoid, along the axes of the pose
  double rim_radius = 0;
  double half_length = 0;
  Vec<Dim> centre = Vec<Dim>::Zero();  // a point inside
  double size = 0;                     // largest distance of the core from the centre

  int faces() const { return static_cast<int>(normals.size()); }
  // An ellipsoid: strictly convex and without edges, so that it touches another convex piece in one point.
  bool smooth() const { return round && semi_axes[0] > 0; }
};

// Overwrites `piece` (its buffers are used again). The piece points into the shape, which must outlive it.
template <int Dim>
void place(const ConvexShape<Dim>& shape, const Pose<Dim>& pose, Piece<Dim>& piece);

// One-sided elements of ground: the front of the segment is to the left of start -> end, that of
// the triangle where its corners run counter-clockwise.
void place_element(const std::array<Vec<2>, 2>& corners, Piece<2>& piece);
void place_element(const std::array<Vec<3>, 3>& corners, Piece<3>& piece);

// The point of the core farthest along `direction`.
template <int Dim>
Vec<Dim> support(const Piece<Dim>& piece, const Vec<Dim>& direction);

template <int Dim>
double support_height(const Piece<Dim>& piece, const Vec<Dim>& direction) {
  return direction.dot(support(piece, direction));
}

// A face, edge or corner of a core. labels[k] names corner k, edge_labels[k] the edge from k to k + 1.
template <int Dim>
struct Feature {
  std::vector<Vec<Dim>> points;
  std::vector<std::uint64_t> labels;
  std::vector<std::uint64_t> edge_labels;
  Vec<Dim> normal = Vec<Dim>::Zero();  // outward; zero when the feature is not a face
  void clear() { points.clear(), labels.clear(), edge_labels.clear(), normal.setZero(); }
};

// The face most nearly at right angles to `direction` among those that meet at the support point; a
// segment or point when the core has no faces there.
template <int Dim>
void find_feature(const Piece<Dim>& piece, const Vec<Dim>& direction, Feature<Dim>& feature);

// The edge at the support point most nearly at right angles to `direction`, or the corner itself when the
// sine of the angle off a right angle is above `slope`.
template <int Dim>
void find_edge(const Piece<Dim>& piece, const Vec<Dim>& direction, double slope, Feature<Dim>& feature);

// Names of the corners and edges of features, by the numbers of their corners.
std::uint64_t corner_label(int corner);
std::uint64_t edge_label(int corner, int other);

// Mixes two words into a name: equal names for different words are as rare as 64 bits allow.
std::uint64_t mix_labels(std::uint64_t first, std::uint64_t second);

// Whether a cylinder that faces a plane, of unit normal n, touches it by one point of a rim: the opposite side of the rim is out of
// reach, so that its cap cannot lie down within the step. Its fixed rim points are then no corners: one that comes down beside the lowest
// point of a rolling disk arrives there at no velocity, on a cycloid, and a law that went on along its tangent would brake the disk. One
// that is put in its place (`rolls` is false) is touched at all of them: a coin that lies flat would else be turned about one point into the rest.
template <int Dim>
bool touches_by_rim(const Piece<Dim>& piece, const Vec<Dim>& n, double reach);

// Pieces seen as corners: the vertices of the core, for a cylinder its fixed rim points, none for an ellipsoid. `label` is the
// name that find_feature gives to the same corner.
template <int Dim>
void collect_corners(const Piece<Dim>& piece, Feature<Dim>& corners);

}  // namespace saltus
