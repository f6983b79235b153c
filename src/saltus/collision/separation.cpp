#include "saltus/collision/separation.hpp"

#include <cmath>
#include <limits>

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

// Largest separation along the outward normals of the faces of p.
template <int Dim>
double best_face(const Piece<Dim>& p, const Piece<Dim>& q, Vec<Dim>& normal) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec<Dim>& n : p.normals) {
    const double s = separation_along<Dim>(p, q, n);
    if (s > best) best = s, normal = n;
  }
  return best;
}

struct EdgeView {
  Vec<3> start, direction;
  Vec<3> left, right;  // normals of the faces beside it; both zero for a segment
};

template <class F>
void for_each_edge(const Piece<3>& p, const Bounds<3>& near, F&& f) {
  if (!p.topology) {
    if (p.vertices.size() == 2)
      f(EdgeView{p.vertices[0], p.vertices[1] - p.vertices[0], Vec<3>::Zero(), Vec<3>::Zero()});
    return;
  }
  for (const auto& e : p.topology->edges) {
    const Vec<3>& u = p.vertices[e.v[0]];
    const Vec<3>& v = p.vertices[e.v[1]];
    // Only an edge that reaches the other piece can be the one that touches.
    if (!near.overlaps({u.cwiseMin(v), u.cwiseMax(v)})) continue;
    f(EdgeView{u, v - u, p.normals[e.face[0]], p.normals[e.face[1]]});
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

Bounds<3> bounds_of(const Piece<3>& p, double margin) {
  Bounds<3> box;
  for (const Vec<3>& v : p.vertices) box.add(v);
  box.inflate(margin);
  return box;
}

void improve_by_edges(const Piece<3>& a, const Piece<3>& b, double bias, Separation<3>& best) {
  const double margin = std::abs(best.value) + 1e-6 * (a.size + b.size);
  const Bounds<3> near_a = bounds_of(a, margin), near_b = bounds_of(b, margin);
  double least = best.value + bias;
  for_each_edge(a, near_b, [&](const EdgeView& ea) {
    for_each_edge(b, near_a, [&](const EdgeView& eb) {
      if (!makes_face(ea, eb)) return;
      Vec<3> n = ea.direction.cross(eb.direction);
      const double length = n.norm();
      if (length <= kParallelSine * ea.direction.norm() * eb.direction.norm()) return;
      n /= length;
      Vec<3> outward = ea.left + ea.right - eb.left - eb.right;
      if (is_segment(ea) && is_segment(eb)) outward = b.centre - a.centre;
      if (n.dot(outward) < 0) n = -n;
      const double s = n.dot(eb.start - ea.start);
      // The rims of ground elements and bare segments are not solids: ask the supports too.
      if (s <= least || separation_along<3>(a, b, n) < s - bias) return;
      least = s;
      best.value = s;
      best.normal = n;
      meet_lines(ea, eb, best);
    });
  });
}

}  // namespace

template <int Dim>
Separation<Dim> compute_separation(const Piece<Dim>& a, const Piece<Dim>& b) {
  const double bias = 1e-10 * (a.size + b.size);
  Vec<Dim> normal_a = Vec<Dim>::Zero(), normal_b = Vec<Dim>::Zero();
  const double on_a = best_face<Dim>(a, b, normal_a);
  const double on_b = best_face<Dim>(b, a, normal_b);
  Separation<Dim> best;
  best.value = std::max(on_a, on_b);
  if (!std::isinf(best.value)) {
    const bool a_wins = on_a >= on_b - bias;
    best.normal = a_wins ? normal_a : Vec<Dim>(-normal_b);
    best.value = a_wins ? on_a : on_b;
    if (a_wins) {
      best.on_b = support<Dim>(b, -best.normal);
      best.on_a = best.on_b - best.value * best.normal;
    } else {
      best.on_a = support<Dim>(a, best.normal);
      best.on_b = best.on_a + best.value * best.normal;
    }
  }
  if constexpr (Dim == 3) improve_by_edges(a, b, bias, best);
  if (std::isinf(best.value)) {
    const Piece<Dim>& longer = a.vertices.size() > b.vertices.size() ? a : b;
    best.normal = any_normal<Dim>(longer.vertices.back() - longer.vertices.front());
    best.value = separation_along<Dim>(a, b, best.normal);
    best.on_a = support<Dim>(a, best.normal);
    best.on_b = best.on_a + best.value * best.normal;
  }
  return best;
}

template <int Dim>
Separation<Dim> compute_signed_distance(const Piece<Dim>& a, const Piece<Dim>& b) {
  const double scale = a.size + b.size;
  const Distance<Dim> distance = compute_distance<Dim>(a, b);
  Separation<Dim> apart;
  if (!distance.overlap && distance.value > 0) {
    apart.normal = (distance.on_b - distance.on_a).stableNormalized();
    apart.on_a = distance.on_a;
    apart.on_b = distance.on_b;
    apart.value = distance.value;
    // The separation along the normal bounds the distance from below: when both agree it is certified, and
    // far enough apart the difference of the nearest points still has the digits of a direction.
    const double bound = separation_along<Dim>(a, b, apart.normal);
    if (distance.value > 1e-6 * scale && distance.value - bound <= 1e-9 * scale) return apart;
    apart.value = bound;
  }
  Separation<Dim> best;
  if constexpr (Dim == 3) {
    best = a.round || b.round ? compute_curved_separation(a, b) : compute_separation<3>(a, b);
  } else {
    best = compute_separation<2>(a, b);
  }
  if (distance.overlap) return best;
  if (apart.value > best.value + 1e-10 * scale) return apart;
  // Among the ties of nearly parallel faces the nearest points are real ones, those of an axis need not be.
  best.on_a = distance.on_a;
  best.on_b = best.on_a + best.value * best.normal;
  return best;
}

template Separation<2> compute_separation<2>(const Piece<2>&, const Piece<2>&);
template Separation<3> compute_separation<3>(const Piece<3>&, const Piece<3>&);
template Separation<2> compute_signed_distance<2>(const Piece<2>&, const Piece<2>&);
template Separation<3> compute_signed_distance<3>(const Piece<3>&, const Piece<3>&);

}  // namespace saltus
