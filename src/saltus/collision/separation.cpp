#include "saltus/collision/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "saltus/collision/gjk.hpp"

namespace saltus {

namespace {

// Nearly parallel edges span no plane worth the name below this sine; the faces beside them then give the
// separation to within the same factor of an edge's length.
constexpr double kParallelSine = 1e-8;

template <int Dim>
Vec<Dim> any_normal(const Vec<Dim>& along) {
  if constexpr (Dim == 2) {
    return along.norm() > 0 ? Vec<2>(quarter_turn(along).normalized()) : Vec<2>(Vec<2>::UnitY());
  } else {
    return along.norm() > 0 ? Vec<3>(along.unitOrthogonal()) : Vec<3>(Vec<3>::UnitZ());
  }
}

// Lowest n.x of the piece.
template <int Dim>
double lowest(const Piece<Dim>& piece, const Vec<Dim>& n) {
  if (piece.round) return -support_height<Dim>(piece, -n);
  double low = n.dot(piece.vertices[0]);
  for (std::size_t i = 1; i < piece.vertices.size(); ++i) low = std::min(low, n.dot(piece.vertices[i]));
  return low;
}

// Largest separation along the outward normals of the faces of p. A single corner of q bounds it from above:
// the one nearest to p rules out nearly all faces.
template <int Dim>
double best_face(const Piece<Dim>& p, const Piece<Dim>& q, Vec<Dim>& normal) {
  double best = -std::numeric_limits<double>::infinity();
  if (p.faces() == 0) return best;
  const Vec<Dim> corner = support<Dim>(q, p.centre - q.centre);
  thread_local std::vector<double> bound;  // keeps its buffer from pair to pair
  bound.resize(p.normals.size());
  int highest = 0;
  for (int f = 0; f < p.faces(); ++f) {
    bound[f] = p.normals[f].dot(corner) - p.heights[f];
    if (bound[f] > bound[highest]) highest = f;
  }
  best = lowest<Dim>(q, p.normals[highest]) - p.heights[highest];
  int face = highest;
  // Of equal ones the first, whichever was looked at first.
  for (int f = 0; f < p.faces(); ++f) {
    if (f == highest || bound[f] < best) continue;
    const double s = lowest<Dim>(q, p.normals[f]) - p.heights[f];
    if (s > best || (s == best && f < face)) best = s, face = f;
  }
  normal = p.normals[face];
  return best;
}

struct EdgeView {
  Vec<3> start, direction;
  Vec<3> left, right;  // normals of the faces beside it; both zero for a segment
};

// Where an edge must reach to be the one that touches: the box of the other piece, and beyond its lowest
// point along `normal`, both widened a little.
struct TouchZone {
  Bounds<3> box;
  Vec<3> normal;
  double floor;
};

void collect_edges(const Piece<3>& p, const TouchZone& zone, std::vector<EdgeView>& edges) {
  edges.clear();
  if (!p.topology) {
    if (p.vertices.size() == 2)
      edges.push_back({p.vertices[0], p.vertices[1] - p.vertices[0], Vec<3>::Zero(), Vec<3>::Zero()});
    return;
  }
  for (const auto& e : p.topology->edges) {
    const Vec<3>& u = p.vertices[e.v[0]];
    const Vec<3>& v = p.vertices[e.v[1]];
    if (zone.normal.dot(u) < zone.floor && zone.normal.dot(v) < zone.floor) continue;
    if (!zone.box.overlaps({u.cwiseMin(v), u.cwiseMax(v)})) continue;
    edges.push_back({u, v - u, p.normals[e.face[0]], p.normals[e.face[1]]});
  }
}

bool is_segment(const EdgeView& e) { return e.left.isZero(0) && e.right.isZero(0); }

// Do the arcs of the two edges cross on the sphere of directions (those of b mirrored)?
bool makes_face(const EdgeView& a, const EdgeView& b) {
  const double cba = -b.left.dot(a.direction), dba = -b.right.dot(a.direction);
  const double adc = a.left.dot(b.direction), bdc = a.right.dot(b.direction);
  if (is_segment(a) && is_segment(b)) return true;
  if (is_segment(a)) return cba * dba < 0;
  if (is_segment(b)) return adc * bdc < 0;
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

// Nearest points of two lines.
void meet_lines(const EdgeView& a, const EdgeView& b, Separation<3>& result) {
  const double aa = a.direction.squaredNorm(), bb = b.direction.squaredNorm(),
               ab = a.direction.dot(b.direction);
  const Vec<3> r = a.start - b.start;
  const double determinant = aa * bb - ab * ab;
  const double s = (ab * b.direction.dot(r) - bb * a.direction.dot(r)) / determinant;
  const double t = (aa * b.direction.dot(r) - ab * a.direction.dot(r)) / determinant;
  result.on_a = a.start + std::clamp(s, 0.0, 1.0) * a.direction;
  result.on_b = b.start + std::clamp(t, 0.0, 1.0) * b.direction;
}

Bounds<3> bounds_of(const Piece<3>& p, double widening) {
  Bounds<3> box;
  for (const Vec<3>& v : p.vertices) box.add(v);
  box.inflate(widening);
  return box;
}

void improve_by_edges(const Piece<3>& a, const Piece<3>& b, double bias, Separation<3>& best) {
  // Points of two edges that touch are as far apart as their separation, which is no larger than that of the
  // faces: each reaches the other piece to within that.
  const double widening = std::abs(best.value) + 1e-6 * (a.size + b.size);
  const bool has_faces = !std::isinf(best.value);
  const Vec<3> normal = has_faces ? best.normal : Vec<3>(Vec<3>::Zero());
  const double low_b = -support_height<3>(b, -normal), high_a = support_height<3>(a, normal);
  const double slack = has_faces ? widening : 1;
  thread_local std::vector<EdgeView> edges_a, edges_b;  // keep their buffers from pair to pair
  collect_edges(a, {bounds_of(b, widening), normal, low_b - slack}, edges_a);
  if (edges_a.empty()) return;
  collect_edges(b, {bounds_of(a, widening), -normal, -high_a - slack}, edges_b);
  double least = best.value + bias;
  for (const EdgeView& ea : edges_a)
    for (const EdgeView& eb : edges_b) {
      if (!makes_face(ea, eb)) continue;
      Vec<3> n = ea.direction.cross(eb.direction);
      const double length = n.norm();
      if (length <= kParallelSine * ea.direction.norm() * eb.direction.norm()) continue;
      n /= length;
      Vec<3> outward = ea.left + ea.right - eb.left - eb.right;
      if (is_segment(ea) && is_segment(eb)) outward = b.centre - a.centre;
      if (n.dot(outward) < 0) n = -n;
      const double s = n.dot(eb.start - ea.start);
      // The rims of ground elements and bare segments are not solids: ask the supports too.
      if (s <= least || separation_along<3>(a, b, n) < s - bias) continue;
      least = s;
      best.value = s;
      best.normal = n;
      meet_lines(ea, eb, best);
    }
}

// Largest separation over the axes of two polytopes, faces first: exact when they overlap, a lower bound of
// the distance otherwise.
template <int Dim>
class AxisSearch {
 public:
  AxisSearch(const Piece<Dim>& a, const Piece<Dim>& b) : a_(a), b_(b), bias_(1e-10 * (a.size + b.size)) {}

  // Minus infinity when there are none.
  double search_faces() {
    Vec<Dim> normal_a = Vec<Dim>::Zero(), normal_b = Vec<Dim>::Zero();
    const double on_a = best_face<Dim>(a_, b_, normal_a), on_b = best_face<Dim>(b_, a_, normal_b);
    a_wins_ = on_a >= on_b - bias_;
    best_.value = std::max(on_a, on_b);
    if (std::isinf(best_.value)) return best_.value;
    best_.normal = a_wins_ ? normal_a : Vec<Dim>(-normal_b);
    best_.value = a_wins_ ? on_a : on_b;
    return best_.value;
  }

  const Separation<Dim>& search_edges() {
    if (!std::isinf(best_.value)) place_on_face();
    if constexpr (Dim == 3) improve_by_edges(a_, b_, bias_, best_);
    if (std::isinf(best_.value)) {
      const Piece<Dim>& longer = a_.vertices.size() > b_.vertices.size() ? a_ : b_;
      best_.normal = any_normal<Dim>(longer.vertices.back() - longer.vertices.front());
      best_.value = separation_along<Dim>(a_, b_, best_.normal);
      best_.on_a = support<Dim>(a_, best_.normal);
      best_.on_b = best_.on_a + best_.value * best_.normal;
    }
    return best_;
  }

 private:
  void place_on_face() {
    if (a_wins_) {
      best_.on_b = support<Dim>(b_, -best_.normal);
      best_.on_a = best_.on_b - best_.value * best_.normal;
    } else {
      best_.on_a = support<Dim>(a_, best_.normal);
      best_.on_b = best_.on_a + best_.value * best_.normal;
    }
  }

  const Piece<Dim>&a_, &b_;
  double bias_;
  bool a_wins_ = true;
  Separation<Dim> best_;
};

// Whether the axes of the piece tell an overlap from none: it has faces all around.
template <int Dim>
bool is_closed(const Piece<Dim>& p) {
  if (p.one_sided || p.round) return false;
  return Dim == 2 ? p.vertices.size() > 2 : p.topology != nullptr;
}

template <int Dim>
bool holds(const Piece<Dim>& p, const Vec<Dim>& x) {
  for (int f = 0; f < p.faces(); ++f)
    if (p.normals[f].dot(x) > p.heights[f]) return false;
  return true;
}

// A common point is proof of an overlap. Likely ones are tried; false says nothing.
template <int Dim>
bool surely_overlap(const Piece<Dim>& a, const Piece<Dim>& b, const Separation<Dim>& axis) {
  const Vec<Dim> middle = (axis.on_a + axis.on_b) / 2;
  if (holds(a, middle) && holds(b, middle)) return true;
  const auto in_a = [&](const Vec<Dim>& x) { return holds(a, x); };
  const auto in_b = [&](const Vec<Dim>& x) { return holds(b, x); };
  return std::any_of(b.vertices.begin(), b.vertices.end(), in_a) ||
         std::any_of(a.vertices.begin(), a.vertices.end(), in_b);
}

template <int Dim>
Separation<Dim> search_signed_distance(const Piece<Dim>& a, const Piece<Dim>& b, double far) {
  const double scale = a.size + b.size;
  const bool round = a.round || b.round;
  AxisSearch<Dim> axes(a, b);
  Separation<Dim> best;
  bool has_best = false;
  if (!round) {
    best.value = axes.search_faces();
    if (best.value > far) return best;
    // The axes of solids tell all of an overlap, once it is sure that there is one.
    if (best.value < -1e-9 * scale && is_closed(a) && is_closed(b)) {
      best = axes.search_edges();
      if (best.value < -1e-9 * scale && surely_overlap<Dim>(a, b, best)) return best;
      has_best = true;
    }
  }
  const Distance<Dim> distance = compute_distance<Dim>(a, b, far);
  Separation<Dim> apart;
  if (!distance.overlap && distance.value > 0) {
    apart.normal = (distance.on_b - distance.on_a).stableNormalized();
    apart.on_a = distance.on_a;
    apart.on_b = distance.on_b;
    apart.value = distance.value;
    if (distance.value > far) return apart;
    // The separation along the normal bounds the distance from below: when both agree it is certified, and
    // far enough apart the difference of the nearest points still has the digits of a direction.
    const double bound = separation_along<Dim>(a, b, apart.normal);
    if (distance.value > 1e-6 * scale && distance.value - bound <= 1e-9 * scale) return apart;
    apart.value = bound;
  }
  if constexpr (Dim == 3) {
    if (round) best = compute_curved_separation(a, b);
  }
  if (!round && !has_best) best = axes.search_edges();
  if (distance.overlap) return best;
  if (apart.value > best.value + 1e-10 * scale) return apart;
  // Among the ties of nearly parallel faces the nearest points are real ones, those of an axis need not be.
  best.on_a = distance.on_a;
  best.on_b = best.on_a + best.value * best.normal;
  return best;
}

}  // namespace

template <int Dim>
Separation<Dim> compute_signed_distance(const Piece<Dim>& a, const Piece<Dim>& b, double far) {
  Separation<Dim> separation = search_signed_distance<Dim>(a, b, far);
  if constexpr (Dim == 3) {
    if ((a.smooth() || b.smooth()) && separation.value <= far) {
      polish_smooth_separation(a, b, separation);
      // Only a smooth piece has one point farthest along the normal.
      const Vec<Dim>& n = separation.normal;
      if (a.smooth()) separation.on_a = support<Dim>(a, n);
      if (!a.smooth()) separation.on_a = support<Dim>(b, -n) - separation.value * n;
      separation.on_b = separation.on_a + separation.value * n;
    }
  }
  return separation;
}

template Separation<2> compute_signed_distance<2>(const Piece<2>&, const Piece<2>&, double);
template Separation<3> compute_signed_distance<3>(const Piece<3>&, const Piece<3>&, double);

}  // namespace saltus
