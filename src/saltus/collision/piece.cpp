#include "saltus/collision/piece.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

enum LabelKind : std::uint64_t { kCorner = 1, kEdge = 2, kSideLine = 3 };

// A triangle seen from its front: the face and, as faces without area, its three rims. Edges then have a
// face on either side like those of a solid.
const ConvexPolyhedron& triangle_topology() {
  static const ConvexPolyhedron topology = [] {
    ConvexPolyhedron t;
    t.face_begin = {0, 3, 5, 7, 9};
    t.face_vertex = {0, 1, 2, 1, 0, 2, 1, 0, 2};
    t.edges = {{{0, 1}, {0, 1}}, {{1, 2}, {0, 2}}, {{2, 0}, {0, 3}}};
    t.around_begin = {0, 3, 6, 9};
    t.around = {0, 1, 3, 0, 1, 2, 0, 2, 3};
    t.normal.resize(4);
    return t;
  }();
  return topology;
}

template <int Dim>
void reset(Piece<Dim>& piece) {
  piece.vertices.clear();
  piece.normals.clear();
  piece.heights.clear();
  piece.idle_labels.clear();
  piece.topology = nullptr;
  piece.radius = 0;
  piece.one_sided = piece.round = false;
  piece.rolls = true;
  piece.semi_axes.setZero();
}

template <int Dim>
void finish(Piece<Dim>& piece) {
  piece.centre.setZero();
  for (const Vec<Dim>& v : piece.vertices) piece.centre += v;
  piece.centre /= static_cast<double>(piece.vertices.size());
  double square = 0;
  for (const Vec<Dim>& v : piece.vertices) square = std::max(square, (v - piece.centre).squaredNorm());
  piece.size = std::sqrt(square);
}

void add_polygon_normals(Piece<2>& piece) {
  const std::size_t count = piece.vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    piece.normals.push_back(-quarter_turn(piece.vertices[(i + 1) % count] - piece.vertices[i]).normalized());
    piece.heights.push_back(piece.normals[i].dot(piece.vertices[i]));
  }
}

template <int Dim>
void fill(const Ball<Dim>& s, const Pose<Dim>& pose, Piece<Dim>& piece) {
  piece.vertices.push_back(pose.position);
  piece.radius = s.radius;
}

template <int Dim>
void fill(const Capsule<Dim>& s, const Pose<Dim>& pose, Piece<Dim>& piece) {
  piece.vertices.push_back(pose.to_world(s.start));
  piece.vertices.push_back(pose.to_world(s.end));
  piece.radius = s.radius;
  if constexpr (Dim == 2) add_polygon_normals(piece);
}

void fill(const ConvexPolygon& s, const Pose<2>& pose, Piece<2>& piece) {
  for (const Vec<2>& v : s.vertices) piece.vertices.push_back(pose.to_world(v));
  add_polygon_normals(piece);
}

void fill(const ConvexPolyhedron& s, const Pose<3>& pose, Piece<3>& piece) {
  const Mat<3> turn = pose.rotation();
  piece.vertices.resize(s.vertices.size());
  for (std::size_t i = 0; i < s.vertices.size(); ++i)
    piece.vertices[i] = pose.position + turn * s.vertices[i];
  piece.normals.resize(s.normal.size());
  piece.heights.resize(s.normal.size());
  for (std::size_t f = 0; f < s.normal.size(); ++f) {
    piece.normals[f] = turn * s.normal[f];
    piece.heights[f] = s.offset[f] + piece.normals[f].dot(pose.position);
  }
  piece.topology = &s;
}

void fill(const Cylinder& s, const Pose<3>& pose, Piece<3>& piece) {
  piece.round = true;
  piece.pose = pose;
  piece.rim_radius = s.radius;
  piece.half_length = s.half_length;
}

void fill(const Ellipsoid& s, const Pose<3>& pose, Piece<3>& piece) {
  piece.round = true;
  piece.pose = pose;
  piece.semi_axes = s.semi_axes;
}

Vec<3> rim_point(const Piece<3>& piece, double side, int k) {
  const double angle = 2 * 3.14159265358979323846 * k / kRimPoints;
  return piece.pose.to_world(
      {piece.rim_radius * std::cos(angle), piece.rim_radius * std::sin(angle), side * piece.half_length});
}

Vec<3> round_support(const Piece<3>& piece, const Vec<3>& direction) {
  const Vec<3> local = piece.pose.unrotated(direction);
  if (piece.smooth()) {
    const Vec<3> scaled = piece.semi_axes.cwiseProduct(local);
    const double length = scaled.norm();
    return length > 0 ? piece.pose.to_world(piece.semi_axes.cwiseProduct(scaled) / length) : piece.centre;
  }
  const double across = std::hypot(local.x(), local.y());
  Vec<3> x(0, 0, local.z() >= 0 ? piece.half_length : -piece.half_length);
  if (across > 0) x.head<2>() = piece.rim_radius / across * local.head<2>();
  return piece.pose.to_world(x);
}

// Line of the side of a cylinder that faces `direction`.
void add_side_line(const Piece<3>& piece, const Vec<3>& direction, Feature<3>& feature) {
  const Vec<3> axis = piece.pose.rotation().col(2);
  const Vec<3> across = (direction - axis.dot(direction) * axis).normalized();
  for (const int side : {-1, 1}) {
    feature.points.push_back(piece.centre + piece.rim_radius * across + side * piece.half_length * axis);
    feature.labels.push_back(mix_labels(kSideLine, static_cast<std::uint64_t>(side + 1)));
  }
  feature.edge_labels.assign(2, mix_labels(kSideLine, 7));
}

void add_cap(const Piece<3>& piece, int side, Feature<3>& feature) {
  for (int n = 0; n < kRimPoints; ++n) {
    const int k = side > 0 ? n : kRimPoints - n;
    const int next = side > 0 ? n + 1 : kRimPoints - n - 1;
    const int base = side > 0 ? kRimPoints : 0;
    feature.points.push_back(rim_point(piece, side, k));
    feature.labels.push_back(corner_label(base + k % kRimPoints));
    feature.edge_labels.push_back(edge_label(base + k % kRimPoints, base + next % kRimPoints));
  }
  feature.normal = side * piece.pose.rotation().col(2);
}

// The point of an ellipsoid that faces `direction`.
void add_smooth_point(const Piece<3>& piece, const Vec<3>& direction, Feature<3>& feature) {
  feature.points.push_back(round_support(piece, direction));
  feature.labels.push_back(corner_label(0));
}

void find_round_feature(const Piece<3>& piece, const Vec<3>& direction, Feature<3>& feature) {
  if (piece.smooth()) return add_smooth_point(piece, direction, feature);
  const double along = piece.pose.rotation().col(2).dot(direction);
  if (std::abs(along) < 0.7 * direction.norm()) {
    add_side_line(piece, direction, feature);
  } else {
    add_cap(piece, along > 0 ? 1 : -1, feature);
  }
}

template <int Dim>
int support_index(const Piece<Dim>& piece, const Vec<Dim>& direction) {
  int best = 0;
  double height = direction.dot(piece.vertices[0]);
  for (int i = 1; i < static_cast<int>(piece.vertices.size()); ++i) {
    const double h = direction.dot(piece.vertices[i]);
    if (h > height) height = h, best = i;
  }
  return best;
}

// The number that names a corner.
template <int Dim>
int number(const Piece<Dim>& piece, int v) {
  return piece.one_sided ? piece.ground_corner[v] : v;
}

template <int Dim>
void add_corner(const Piece<Dim>& piece, int v, Feature<Dim>& feature) {
  feature.points.push_back(piece.vertices[v]);
  feature.labels.push_back(corner_label(number(piece, v)));
}

template <int Dim>
void add_edge(const Piece<Dim>& piece, int u, int v, Feature<Dim>& feature) {
  add_corner(piece, u, feature);
  add_corner(piece, v, feature);
  feature.edge_labels.assign(2, edge_label(number(piece, u), number(piece, v)));
}

}  // namespace

std::uint64_t corner_label(int u) { return mix_labels(kCorner, static_cast<std::uint64_t>(u)); }

std::uint64_t edge_label(int u, int v) {
  const auto low = static_cast<std::uint64_t>(std::min(u, v)),
             high = static_cast<std::uint64_t>(std::max(u, v));
  return mix_labels(kEdge, low << 32 | high);
}

std::uint64_t mix_labels(std::uint64_t first, std::uint64_t second) {
  // Two rounds of the output function of splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
  const auto scramble = [](std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  return scramble(scramble(first) ^ second);
}

template <int Dim>
void place(const ConvexShape<Dim>& shape, const Pose<Dim>& pose, Piece<Dim>& piece) {
  reset(piece);
  std::visit([&](const auto& s) { fill(s, pose, piece); }, shape);
  if (piece.round) {
    piece.centre = pose.position;
    piece.size =
        piece.smooth() ? piece.semi_axes.maxCoeff() : std::hypot(piece.rim_radius, piece.half_length);
  } else {
    finish(piece);
  }
}

void place_element(const std::array<Vec<2>, 2>& corners, Piece<2>& piece) {
  reset(piece);
  piece.vertices.assign(corners.begin(), corners.end());
  piece.normals.push_back(quarter_turn(corners[1] - corners[0]).normalized());
  piece.heights.push_back(piece.normals[0].dot(corners[0]));
  piece.one_sided = true;
  finish(piece);
}

void place_element(const std::array<Vec<3>, 3>& corners, Piece<3>& piece) {
  reset(piece);
  piece.vertices.assign(corners.begin(), corners.end());
  const auto& [u, v, w] = corners;
  const Vec<3> normal = (v - u).cross(w - u).normalized();
  piece.normals.push_back(normal);
  for (const Vec<3>& edge : {Vec<3>(v - u), Vec<3>(w - v), Vec<3>(u - w)}) {
    piece.normals.push_back(edge.cross(normal).normalized());
  }
  for (int f = 0; f < 4; ++f) piece.heights.push_back(piece.normals[f].dot(corners[f == 0 ? 0 : f - 1]));
  piece.topology = &triangle_topology();
  piece.one_sided = true;
  finish(piece);
}

template <int Dim>
Vec<Dim> support(const Piece<Dim>& piece, const Vec<Dim>& direction) {
  if constexpr (Dim == 3) {
    if (piece.round) return round_support(piece, direction);
  }
  return piece.vertices[support_index(piece, direction)];
}

template <>
void find_feature<2>(const Piece<2>& piece, const Vec<2>& direction, Feature<2>& feature) {
  feature.clear();
  const int count = static_cast<int>(piece.vertices.size());
  const int v = support_index(piece, direction);
  if (count == 1) return add_corner(piece, v, feature);
  if (piece.one_sided) {
    add_edge(piece, 1, 0, feature);
    feature.normal = piece.normals[0];
    return;
  }
  const int before = (v + count - 1) % count;
  const int face = piece.normals[v].dot(direction) >= piece.normals[before].dot(direction) ? v : before;
  add_edge(piece, face, (face + 1) % count, feature);
  feature.normal = piece.normals[face];
}

template <>
void find_feature<3>(const Piece<3>& piece, const Vec<3>& direction, Feature<3>& feature) {
  feature.clear();
  if (piece.round) return find_round_feature(piece, direction, feature);
  const int v = support_index(piece, direction);
  if (piece.vertices.size() == 1) return add_corner(piece, v, feature);
  if (!piece.topology) return add_edge(piece, 0, 1, feature);
  const ConvexPolyhedron& t = *piece.topology;
  int face = -1;
  for (int k = t.around_begin[v]; k < t.around_begin[v + 1]; ++k) {
    const int f = t.around[k];
    if (t.corners(f) < 3) continue;
    if (face < 0 || piece.normals[f].dot(direction) > piece.normals[face].dot(direction)) face = f;
  }
  const int corners = t.corners(face);
  for (int k = 0; k < corners; ++k) {
    const int here = t.face_vertex[t.face_begin[face] + k];
    add_corner(piece, here, feature);
    const int next = t.face_vertex[t.face_begin[face] + (k + 1) % corners];
    feature.edge_labels.push_back(edge_label(number(piece, here), number(piece, next)));
  }
  feature.normal = piece.normals[face];
}

template <>
void find_edge<2>(const Piece<2>& piece, const Vec<2>& direction, double, Feature<2>& feature) {
  // In the plane an edge at right angles to the direction is a face: find_feature has it.
  feature.clear();
  add_corner(piece, support_index(piece, direction), feature);
}

template <>
void find_edge<3>(const Piece<3>& piece, const Vec<3>& direction, double slope, Feature<3>& feature) {
  feature.clear();
  if (piece.smooth()) return add_smooth_point(piece, direction, feature);
  if (piece.round) {
    if (std::abs(piece.pose.rotation().col(2).dot(direction)) <= slope) {
      add_side_line(piece, direction, feature);
    } else {
      feature.points.push_back(round_support(piece, direction));
      feature.labels.push_back(mix_labels(kSideLine, 9));
    }
    return;
  }
  const int v = support_index(piece, direction);
  int other = -1;
  double best = slope;
  const auto consider = [&](int from, int to) {
    if (from != v) return;
    const Vec<3> edge = piece.vertices[to] - piece.vertices[from];
    const double sine = std::abs(edge.dot(direction)) / edge.norm();
    if (sine <= best) best = sine, other = to;
  };
  if (piece.topology) {
    for (const auto& e : piece.topology->edges) consider(e.v[0], e.v[1]), consider(e.v[1], e.v[0]);
  } else if (piece.vertices.size() == 2) {
    consider(0, 1), consider(1, 0);
  }
  if (other < 0) return add_corner(piece, v, feature);
  add_edge(piece, v, other, feature);
}

template <int Dim>
bool touches_by_rim(const Piece<Dim>& piece, const Vec<Dim>& n, double reach) {
  if constexpr (Dim == 3) {
    if (!piece.rolls || !piece.round || piece.smooth()) return false;
    return 2 * piece.rim_radius * piece.pose.rotation().col(2).cross(n).norm() > reach;
  }
  return false;
}

template <int Dim>
void collect_corners(const Piece<Dim>& piece, Feature<Dim>& corners) {
  corners.clear();
  if constexpr (Dim == 3) {
    if (piece.smooth()) return;
    if (piece.round) {
      add_cap(piece, -1, corners);
      add_cap(piece, 1, corners);
      return;
    }
  }
  for (int v = 0; v < static_cast<int>(piece.vertices.size()); ++v) add_corner(piece, v, corners);
}

template void place<2>(const ConvexShape<2>&, const Pose<2>&, Piece<2>&);
template void place<3>(const ConvexShape<3>&, const Pose<3>&, Piece<3>&);
template Vec<2> support<2>(const Piece<2>&, const Vec<2>&);
template Vec<3> support<3>(const Piece<3>&, const Vec<3>&);
template bool touches_by_rim<2>(const Piece<2>&, const Vec<2>&, double);
template bool touches_by_rim<3>(const Piece<3>&, const Vec<3>&, double);
template void collect_corners<2>(const Piece<2>&, Feature<2>&);
template void collect_corners<3>(const Piece<3>&, Feature<3>&);

}  // namespace saltus
