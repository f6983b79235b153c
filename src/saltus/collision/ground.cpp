#include "saltus/collision/ground.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace saltus {

namespace {

// Neighbours whose planes differ by less than this angle count as one plane; a corner that rises by
// less than this sine above a plane does not rise.
constexpr double kFlat = 1e-6;

// A patch is touched by what lies before it, or behind it, within some 70 degrees of its normal; what lies at its end and
// beside it touches the patch beside it.
constexpr double kFacing = 0.3;

bool same_plane(const Vec<2>& n, const Vec<2>& m) { return n.dot(m) > 0 && std::abs(cross2(n, m)) < kFlat; }
bool same_plane(const Vec<3>& n, const Vec<3>& m) { return n.dot(m) > 0 && n.cross(m).norm() < kFlat; }

// The front of an element, as place_element has it.
Vec<2> front_of(const std::array<Vec<2>, 2>& x) {
  const Vec<2> edge = x[1] - x[0];
  return Vec<2>(-edge.y(), edge.x()).normalized();
}
Vec<3> front_of(const std::array<Vec<3>, 3>& x) { return (x[1] - x[0]).cross(x[2] - x[0]).normalized(); }

// Of an element, the point nearest to c, and how far c lies within its sides, m (below 0: beyond one).
template <int Dim>
struct Nearest {
  Vec<Dim> point;
  double within;
};
Vec<3> nearest_on_edge(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
  const Vec<3> edge = b - a;
  return a + std::clamp(edge.dot(c - a) / edge.squaredNorm(), 0.0, 1.0) * edge;
}
Nearest<2> find_nearest(const std::array<Vec<2>, 2>& x, const Vec<2>&, const Vec<2>& c) {
  const Vec<2> edge = x[1] - x[0];
  const double length = edge.norm(), along = edge.dot(c - x[0]) / length;
  return {x[0] + std::clamp(along / length, 0.0, 1.0) * edge, std::min(along, length - along)};
}
Nearest<3> find_nearest(const std::array<Vec<3>, 3>& x, const Vec<3>& front, const Vec<3>& c) {
  Nearest<3> nearest{c - front.dot(c - x[0]) * front, std::numeric_limits<double>::infinity()};
  double least = std::numeric_limits<double>::infinity();
  Vec<3> on_border = nearest.point;
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&a = x[k], &b = x[(k + 1) % 3];
    nearest.within = std::min(nearest.within, front.cross(b - a).normalized().dot(c - a));
    const Vec<3> p = nearest_on_edge(a, b, c);
    if (const double square = (c - p).squaredNorm(); square < least) least = square, on_border = p;
  }
  if (nearest.within < 0) nearest.point = on_border;
  return nearest;
}

// Two lines where they are nearest to each other: parts of the way along each, not bounded. False: parallel.
bool find_crossing(const Vec<3>& a, const Vec<3>& edge, const Vec<3>& c, const Vec<3>& line, double& s,
                   double& t) {
  constexpr double kParallel = 1e-8;  // square of a sine
  const double aa = edge.squaredNorm(), ab = edge.dot(line), bb = line.squaredNorm();
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > kParallel * aa * bb)) return false;
  const Vec<3> arm = c - a;
  s = (bb * edge.dot(arm) - ab * line.dot(arm)) / determinant;
  t = (ab * edge.dot(arm) - aa * line.dot(arm)) / determinant;
  return true;
}

// Of the line of a capsule with a side: the nearest points, at an end of the line too, and both ends where it goes along the side.
template <class Add>
void cross_capsule(const Piece<3>& piece, const Vec<3>& a, const Vec<3>& edge, Add&& add) {
  const Vec<3>& start = piece.vertices[0];
  const Vec<3> line = piece.vertices[1] - start;
  const auto add_at = [&](double t, int name) {
    const Vec<3> on_line = start + t * line;
    const double s = edge.dot(on_line - a) / edge.squaredNorm();
    const Vec<3> arm = on_line - (a + s * edge);
    const double distance = arm.norm();
    if (distance > 0) add(s, Vec<3>(arm / distance), distance - piece.radius, corner_label(name));
  };
  constexpr double kAlong = 0.9;  // cosine
  double s, t;
  if (std::abs(edge.dot(line)) > kAlong * edge.norm() * line.norm()) {
    add_at(0, 1);
    add_at(1, 2);
  } else if (find_crossing(a, edge, start, line, s, t)) {
    add_at(std::clamp(t, 0.0, 1.0), 3);
  }
}

// Of the edges of a polyhedron: those that it has nothing beyond of, along the normal of both.
template <class Add>
void cross_polyhedron(const Piece<3>& piece, const Vec<3>& front, const Vec<3>& a, const Vec<3>& edge,
                      Add&& add) {
  constexpr double kBeyond = 1e-6;  // of its size
  for (const ConvexPolyhedron::Edge& own : piece.topology->edges) {
    const Vec<3>& start = piece.vertices[own.v[0]];
    const Vec<3> line = piece.vertices[own.v[1]] - start;
    double s, t;
    if (!find_crossing(a, edge, start, line, s, t) || s <= 0 || s >= 1 || t < 0 || t > 1) continue;
    Vec<3> normal = edge.cross(line).normalized();
    if (normal.dot(front) < 0) normal = -normal;
    const Vec<3> on_line = start + t * line;
    if (support_height<3>(piece, -normal) > -normal.dot(on_line) + kBeyond * piece.size) continue;
    add(s, normal, normal.dot(on_line - (a + s * edge)), edge_label(own.v[0], own.v[1]));
  }
}

}  // namespace

Ground<2> build_ground(const Polyline& polyline) {
  std::vector<Ground<2>::Element> elements;
  const int count = static_cast<int>(polyline.points.size());
  for (int i = 0; i + 1 < count; ++i) elements.push_back({i, i + 1});
  if (polyline.closed) elements.push_back({count - 1, 0});
  return {polyline.points, std::move(elements), polyline.depth};
}

Ground<3> build_ground(const TriangleMesh& mesh) { return {mesh.vertices, mesh.triangles, mesh.depth}; }

template <int Dim>
Ground<Dim>::Ground(std::vector<Vec<Dim>> corners, std::vector<Element> elements, double depth)
    : corners_(std::move(corners)), elements_(std::move(elements)), depth_(depth) {
  build_tree();
  build_neighbours();
  build_planes();
}

template <int Dim>
void Ground<Dim>::build_tree() {
  boxes_.assign(elements_.size(), {});
  normals_.resize(elements_.size());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    std::array<Vec<Dim>, Dim> x;
    for (int k = 0; k < Dim; ++k) boxes_[e].add(x[k] = corners_[elements_[e][k]]);
    normals_[e] = front_of(x);
  }
  // One element needs no tree.
  if (elements_.size() > 1) tree_ = BoxTree<Dim>(boxes_);
}

template <int Dim>
void Ground<Dim>::move_corners(std::span<const Vec<Dim>> corners) {
  assert(corners.size() == corners_.size());
  std::copy(corners.begin(), corners.end(), corners_.begin());
  if (depth_ == 0 || elements_.size() > 1) build_tree();  // a patch of one element is touched without
}

template <int Dim>
void Ground<Dim>::build_neighbours() {
  around_.resize(corners_.size());
  std::map<std::pair<int, int>, int> owner;
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    for (int k = 0; k < Dim; ++k) {
      around_[elements_[e][k]].push_back(e);
      if (Dim == 3) owner[{elements_[e][k], elements_[e][(k + 1) % Dim]}] = e;
    }
  }
  std::vector<char> border(corners_.size(), 0);
  for (std::size_t e = 0; Dim == 3 && e < elements_.size(); ++e) {
    across_.emplace_back();
    for (int k = 0; k < Dim; ++k) {
      const int u = elements_[e][k], v = elements_[e][(k + 1) % Dim];
      const auto twin = owner.find({v, u});
      across_[e][k] = twin == owner.end() ? -1 : twin->second;
      if (twin == owner.end()) border[u] = border[v] = 1;
    }
  }
  flat_corner_.resize(corners_.size());
  for (std::size_t v = 0; v < corners_.size(); ++v) {
    const auto& elements = around_[v];
    flat_corner_[v] = elements.size() >= 2 && !border[v] &&
                      std::all_of(elements.begin(), elements.end(),
                                  [&](int e) { return same_plane(normals_[e], normals_[elements[0]]); });
  }
}

template <int Dim>
void Ground<Dim>::build_planes() {
  plane_.assign(elements_.size(), -1);
  std::vector<int> front;
  for (int seed = 0; seed < static_cast<int>(elements_.size()); ++seed) {
    if (plane_[seed] >= 0) continue;
    front.assign(1, seed);
    plane_[seed] = seed;
    while (!front.empty()) {
      const int e = front.back();
      front.pop_back();
      for (const int corner : elements_[e]) {
        for (const int next : around_[corner]) {
          if (plane_[next] >= 0 || !same_plane(normals_[next], normals_[seed])) continue;
          plane_[next] = seed;
          front.push_back(next);
        }
      }
    }
  }
}

template <int Dim>
void Ground<Dim>::place(int element, const Pose<Dim>& pose, Piece<Dim>& piece) const {
  std::array<Vec<Dim>, Dim> x;
  for (int k = 0; k < Dim; ++k) x[k] = pose.to_world(corners_[elements_[element][k]]);
  place_element(x, piece);
  for (int k = 0; k < Dim; ++k) {
    const int v = elements_[element][k];
    piece.ground_corner[k] = v;
    if (depth_ > 0 || flat_corner_[v]) piece.idle_labels.push_back(corner_label(v));
    if (Dim == 2) continue;
    const int next = across_[element][k];
    if (depth_ > 0 || (next >= 0 && same_plane(normals_[element], normals_[next]))) {
      piece.idle_labels.push_back(edge_label(v, elements_[element][(k + 1) % Dim]));
    }
  }
}

template <int Dim>
bool Ground<Dim>::leaves_ground(int element, const Vec<Dim>& normal) const {
  const Element& own = elements_[element];
  double top = -1e300, size = 0;
  for (const int v : own) {
    top = std::max(top, normal.dot(corners_[v]));
    size = std::max(size, (corners_[v] - corners_[own[0]]).norm());
  }
  const auto rises = [&](int e, int from) {
    return std::any_of(elements_[e].begin(), elements_[e].end(), [&](int w) {
      const Vec<Dim> arm = corners_[w] - corners_[from];
      return normal.dot(arm) > kFlat * arm.norm();
    });
  };
  int touched = 0;
  for (int k = 0; k < Dim; ++k) touched += normal.dot(corners_[own[k]]) >= top - kFlat * size;
  for (int k = 0; k < Dim; ++k) {
    if (normal.dot(corners_[own[k]]) < top - kFlat * size) continue;
    if (Dim == 3 && touched >= 2) {
      // An edge: only the neighbour across it counts, for the body may touch anywhere along it.
      const bool edge = normal.dot(corners_[own[(k + 1) % Dim]]) >= top - kFlat * size;
      if (edge && across_[element][k] >= 0 && rises(across_[element][k], own[k])) return false;
    } else {
      const auto& ring = around_[own[k]];
      if (std::any_of(ring.begin(), ring.end(), [&](int e) { return rises(e, own[k]); })) return false;
    }
  }
  return true;
}

template <>
void Ground<2>::add_crossings(const Piece<2>&, std::size_t, double, Scratch&) const {
}  // sides are corners, which are nodes

template <>
void Ground<3>::add_crossings(const Piece<3>& piece, std::size_t first, double reach,
                              Scratch& scratch) const {
  constexpr double kNear = 0.01, kRises = 1e-6, kEnd = 1e-6;
  const bool is_capsule = piece.vertices.size() == 2;
  if (piece.round || piece.size == 0 || (!is_capsule && !piece.topology)) return;
  const Piece<3>& placed = scratch.element;
  const Vec<3>& front = placed.normals[0];
  const double near = kNear * std::min(placed.size, piece.size + piece.radius);
  const std::size_t end = scratch.points.size();
  const auto is_held = [&](double gap, const Vec<3>& a, const Vec<3>& b) {
    for (std::size_t k = first; k < end; ++k)
      if (scratch.points[k].gap <= gap + near) return true;
    Piece<3>& node = scratch.node;
    for (const Vec<3>& x : {a, b}) {
      saltus::place<3>(Ball<3>{std::numeric_limits<double>::min()}, Pose<3>(x), node);
      if (compute_signed_distance<3>(node, piece).value - piece.radius <= gap + near) return true;
    }
    return false;
  };
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&a = placed.vertices[k], &b = placed.vertices[(k + 1) % 3],
          &other = placed.vertices[(k + 2) % 3];
    const Vec<3> edge = b - a;
    const auto add = [&](double s, const Vec<3>& normal, double gap, std::uint64_t name) {
      if (s <= kEnd || s >= 1 - kEnd || gap > reach || normal.dot(front) < kFacing) return;
      if (normal.dot(other - a) > kRises * placed.size || is_held(gap, a, b)) return;
      scratch.points.push_back(
          {a + s * edge + gap / 2 * normal, normal, gap,
           mix_labels(name, edge_label(placed.ground_corner[k], placed.ground_corner[(k + 1) % 3]))});
    };
    if (is_capsule)
      cross_capsule(piece, a, edge, add);
    else
      cross_polyhedron(piece, front, a, edge, add);
  }
}

// A ball, an ellipsoid, a cylinder or a cone may bend over the border of a patch, where no corner of either need be. Which of two patches it touches at a border that
// they share is for whoever knows both to say (sim/true_contacts.cpp).
template <int Dim>
void Ground<Dim>::add_border_point(const Piece<Dim>& piece, const Separation<Dim>& separation,
                                   std::size_t first, double reach, Scratch& scratch) const {
  const bool is_ball = piece.radius > 0 && piece.size == 0;
  if (!is_ball && !piece.round) return;
  const double gap = separation.value - piece.radius, slack = 1e-9 * (piece.size + piece.radius);
  const auto is_as_near = [&](const ManifoldPoint<Dim>& p) { return p.gap <= gap + slack; };
  if (gap > reach || std::any_of(scratch.points.begin() + static_cast<std::ptrdiff_t>(first),
                                 scratch.points.end(), is_as_near))
    return;
  scratch.points.push_back({separation.on_a + 0.5 * gap * separation.normal, separation.normal, gap, 0});
}

// As collide_element has it: along the front where the centre lies over the patch (a millionth of its size beyond counts), else to its border.
template <int Dim>
void Ground<Dim>::touch_patch(const Pose<Dim>& pose, const Vec<Dim>& centre, double radius, double reach,
                              std::vector<ManifoldPoint<Dim>>& points) const {
  constexpr double kOnSide = 1e-6;
  std::array<Vec<Dim>, Dim> x;
  Vec<Dim> middle = Vec<Dim>::Zero();
  for (int k = 0; k < Dim; ++k) middle += (x[k] = pose.to_world(corners_[elements_[0][k]])) / Dim;
  const Vec<Dim> front = front_of(x);
  const double height = front.dot(centre - x[0]);
  if (height - radius > reach || height + radius < -depth_) return;
  const Nearest<Dim> nearest = find_nearest(x, front, centre);
  const double distance = (centre - nearest.point).norm();
  double size = 0;
  for (const Vec<Dim>& corner : x) size = std::max(size, (corner - middle).norm());
  const bool is_over = nearest.within >= -kOnSide * size;
  const double facing = is_over ? std::copysign(1.0, height) : front.dot(centre - nearest.point) / distance;
  if (std::abs(facing) < kFacing || (facing >= 0 && distance - radius > reach)) return;
  const auto add = [&](const Vec<Dim>& on_patch, const Vec<Dim>& normal, double gap, std::uint64_t name) {
    if (gap <= reach && gap >= -depth_)
      points.push_back({on_patch + gap / 2 * normal, normal, gap, mix_labels(name, 0)});
  };
  if (is_over)
    add(centre - height * front, front, height - radius, mix_labels(0, corner_label(0)));
  else if (facing > 0)
    add(nearest.point, (centre - nearest.point) / distance, distance - radius, 0);
}

template <int Dim>
void Ground<Dim>::collide_element(int element, const Pose<Dim>& pose, const Piece<Dim>& piece, double reach,
                                  Scratch& scratch) const {
  const Piece<Dim>& placed = scratch.element;
  const Vec<Dim>& front = placed.normals[0];
  Separation<Dim> face;
  face.normal = front;
  face.value = separation_along<Dim>(placed, piece, front);
  if (face.value - piece.radius > reach) return;
  const double highest = support_height<Dim>(piece, front) + piece.radius - front.dot(placed.vertices[0]);
  if (highest < -depth_) return;
  Separation<Dim> separation = compute_signed_distance<Dim>(placed, piece);
  const double facing = front.dot(separation.normal);
  const bool is_behind =
      depth_ > 0 && facing < 0;  // of a patch, and not too deep: its distance is that of the back
  if (!is_behind && separation.value - piece.radius > reach) return;
  const bool on_face = facing > 1 - 5e-7;
  if (depth_ > 0 && std::abs(facing) < kFacing) return;
  if (depth_ == 0 && !on_face && facing > -kFlat &&
      leaves_ground(element, pose.unrotated(separation.normal))) {
    scratch.builder.build(placed, piece, separation, reach, false, scratch.points);
  } else {
    const std::size_t first = scratch.points.size();
    scratch.builder.build(placed, piece, face, reach, true, scratch.points);
    if (depth_ > 0) add_crossings(piece, first, reach, scratch);
    if (depth_ > 0 && facing > 0) add_border_point(piece, separation, first, reach, scratch);
    // The far side of a body that stands flush with a patch, or beyond its border, lies deeper than the patch is thick.
    if (depth_ > 0)
      scratch.points.erase(
          std::remove_if(scratch.points.begin() + static_cast<std::ptrdiff_t>(first), scratch.points.end(),
                         [&](const ManifoldPoint<Dim>& p) { return p.gap < -depth_; }),
          scratch.points.end());
    const auto plane = static_cast<std::uint64_t>(plane_[element]);
    for (std::size_t k = first; k < scratch.points.size(); ++k) {
      scratch.points[k].feature = mix_labels(scratch.points[k].feature, plane);
    }
  }
}

template <int Dim>
void Ground<Dim>::collide(const Pose<Dim>& pose, const Piece<Dim>& piece, double reach, Scratch& scratch,
                          std::vector<ManifoldPoint<Dim>>& points) const {
  if (depth_ > 0 && elements_.size() == 1 && piece.radius > 0 && piece.size == 0)
    return touch_patch(pose, piece.vertices[0], piece.radius, reach, points);
  Bounds<Dim> box;
  for (int k = 0; k < Dim; ++k) {
    const Vec<Dim> axis = pose.rotated(Vec<Dim>::Unit(k));
    box.high(k) = support_height<Dim>(piece, axis) - axis.dot(pose.position);
    box.low(k) = -support_height<Dim>(piece, -axis) - axis.dot(pose.position);
  }
  box.inflate(piece.radius + std::max(reach, 0.0));
  if (elements_.size() > 1)
    tree_.query(box, scratch.near);
  else
    scratch.near.assign(1, 0);
  scratch.points.clear();
  for (const int element : scratch.near) {
    place(element, pose, scratch.element);
    collide_element(element, pose, piece, reach, scratch);
  }
  // Neighbours that share the touched edge or corner find the same contact: one of them stays.
  auto& found = scratch.points;
  std::sort(found.begin(), found.end(), [](const auto& p, const auto& q) {
    return p.feature != q.feature ? p.feature < q.feature : p.gap < q.gap;
  });
  const auto end = std::unique(found.begin(), found.end(),
                               [](const auto& p, const auto& q) { return p.feature == q.feature; });
  points.insert(points.end(), found.begin(), end);
}

template class Ground<2>;
template class Ground<3>;

}  // namespace saltus
