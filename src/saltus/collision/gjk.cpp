#include "saltus/collision/gjk.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

// Polytopes end after a few steps, with no better vertex; curved pieces converge and stop by progress.
constexpr int kMaxSteps = 128;

template <int Dim>
struct Vertex {
  Vec<Dim> difference;  // on_b - on_a
  Vec<Dim> on_a;
  Vec<Dim> on_b;
};

template <int Dim>
struct Simplex {
  std::array<Vertex<Dim>, Dim + 1> vertex;
  std::array<double, Dim + 1> weight{};
  int count = 0;
};

// Weights of the point of the affine hull nearest to the origin; false when one is not positive,
// for then a smaller simplex is nearer, or when the points are degenerate.
// Differences come first: on curved pieces simplices shrink while their distance does not.
bool weigh(const Vec<2>& p, const Vec<2>& q, const Vec<2>& r, double* w) {
  const Vec<2> e = q - p, f = r - p;
  const double area = cross2(e, f);
  w[1] = cross2(f, p) / area, w[2] = cross2(p, e) / area;
  w[0] = 1 - w[1] - w[2];
  return std::isfinite(w[0]) && w[0] > 0 && w[1] > 0 && w[2] > 0;
}

bool weigh(const Vec<3>& p, const Vec<3>& q, const Vec<3>& r, double* w) {
  const Vec<3> e = q - p, f = r - p, normal = e.cross(f);
  const double area = normal.squaredNorm();
  w[1] = normal.dot(f.cross(p)) / area, w[2] = normal.dot(p.cross(e)) / area;
  w[0] = 1 - w[1] - w[2];
  return std::isfinite(w[0]) && w[0] > 0 && w[1] > 0 && w[2] > 0;
}

bool weigh(const Vec<3>& p, const Vec<3>& q, const Vec<3>& r, const Vec<3>& s, double* w) {
  w[0] = q.dot(r.cross(s)), w[1] = -p.dot(r.cross(s)), w[2] = p.dot(q.cross(s)), w[3] = -p.dot(q.cross(r));
  const double volume = w[0] + w[1] + w[2] + w[3];
  for (int k = 0; k < 4; ++k) w[k] /= volume;
  return std::isfinite(w[0] + w[1] + w[2] + w[3]) && w[0] > 0 && w[1] > 0 && w[2] > 0 && w[3] > 0;
}

template <int Dim>
bool weigh(const Vec<Dim>& p, const Vec<Dim>& q, double* w) {
  const Vec<Dim> edge = q - p;
  w[1] = -p.dot(edge) / edge.squaredNorm();
  w[0] = 1 - w[1];
  return w[0] > 0 && w[1] > 0;
}

template <int Dim>
bool weigh_subset(const Simplex<Dim>& s, const int* member, int count, double* w) {
  const auto at = [&](int k) -> const Vec<Dim>& { return s.vertex[member[k]].difference; };
  if (count == 1) return w[0] = 1, true;
  if (count == 2) return weigh<Dim>(at(0), at(1), w);
  if (count == 3) return weigh(at(0), at(1), at(2), w);
  if constexpr (Dim == 3) return weigh(at(0), at(1), at(2), at(3), w);
  return false;
}

// The nearest sub-simplex that has the last vertex; its nearest point goes to `nearest`.
template <int Dim>
Simplex<Dim> reduce(const Simplex<Dim>& s, Vec<Dim>& nearest) {
  Simplex<Dim> best;
  double least = std::numeric_limits<double>::max();
  const int last = s.count - 1;
  for (int bits = 0; bits < 1 << last; ++bits) {
    int member[Dim + 1];
    double w[Dim + 1];
    int count = 0;
    for (int k = 0; k < last; ++k) {
      if (bits >> k & 1) member[count++] = k;
    }
    member[count++] = last;
    if (!weigh_subset(s, member, count, w)) continue;
    Vec<Dim> x = Vec<Dim>::Zero();
    for (int k = 0; k < count; ++k) x += w[k] * s.vertex[member[k]].difference;
    // A full simplex holds the origin.
    const double square = count == Dim + 1 ? -1 : x.squaredNorm();
    if (square >= least) continue;
    least = square;
    nearest = x;
    best.count = count;
    for (int k = 0; k < count; ++k) best.vertex[k] = s.vertex[member[k]], best.weight[k] = w[k];
  }
  return best;
}

template <int Dim>
Vertex<Dim> support_of_difference(const Piece<Dim>& a, const Piece<Dim>& b, const Vec<Dim>& direction) {
  Vertex<Dim> v;
  v.on_a = support<Dim>(a, -direction);
  v.on_b = support<Dim>(b, direction);
  v.difference = v.on_b - v.on_a;
  return v;
}

template <int Dim>
bool holds(const Simplex<Dim>& s, const Vertex<Dim>& v) {
  for (int k = 0; k < s.count; ++k) {
    if (s.vertex[k].difference == v.difference) return true;
  }
  return false;
}

}  // namespace

template <int Dim>
Distance<Dim> compute_distance(const Piece<Dim>& a, const Piece<Dim>& b, double far) {
  const double scale = a.size + b.size + (b.centre - a.centre).norm();
  Vec<Dim> nearest = b.centre - a.centre;
  Simplex<Dim> simplex;
  simplex.vertex[0] = support_of_difference<Dim>(a, b, -nearest);
  simplex.weight[0] = 1;
  simplex.count = 1;
  nearest = simplex.vertex[0].difference;
  Distance<Dim> result;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double square = nearest.squaredNorm();
    if (square <= 1e-28 * scale * scale) return result.overlap = true, result;
    const Vertex<Dim> next = support_of_difference<Dim>(a, b, -nearest);
    const double along = nearest.dot(next.difference);
    if (square - along <= 1e-15 * square || holds(simplex, next)) break;
    if (along > far * std::sqrt(square)) return result.value = along / std::sqrt(square), result;
    Simplex<Dim> larger = simplex;
    larger.vertex[larger.count++] = next;
    Vec<Dim> x = nearest;
    larger = reduce(larger, x);
    if (larger.count == Dim + 1) return result.overlap = true, result;
    if (x.squaredNorm() >= square) break;
    simplex = larger;
    nearest = x;
  }
  for (int k = 0; k < simplex.count; ++k) {
    result.on_a += simplex.weight[k] * simplex.vertex[k].on_a;
    result.on_b += simplex.weight[k] * simplex.vertex[k].on_b;
  }
  result.value = nearest.norm();
  return result;
}

template Distance<2> compute_distance<2>(const Piece<2>&, const Piece<2>&, double);
template Distance<3> compute_distance<3>(const Piece<3>&, const Piece<3>&, double);

}  // namespace saltus
