#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "saltus/collision/separation.hpp"

namespace saltus {

namespace {

struct Vertex {
  Vec<3> difference, on_a, on_b;  // difference = on_a - on_b: the origin inside means overlap
};

struct Face {
  std::array<int, 3> v;
  Vec<3> normal;
  double offset;
};

// A polytope inside the Minkowski difference a - b that grows toward its surface.
class GrowingPolytope {
 public:
  void start(const Piece<3>& a, const Piece<3>& b) {
    a_ = &a, b_ = &b;
    size_ = a.size + b.size;
    vertices_.clear(), faces_.clear();
    for (const Vec<3>& d :
         {Vec<3>(1, 0, 0), Vec<3>(-0.5, 0.87, 0), Vec<3>(-0.5, -0.87, 0), Vec<3>(0, 0, 1)}) {
      vertices_.push_back(support_vertex(d));
    }
    make_first();
  }

  bool usable() const { return !faces_.empty(); }
  const Vertex& vertex(int k) const { return vertices_[k]; }

  // The face whose plane is nearest to the origin, counted negative when the origin is outside it.
  const Face& nearest() const {
    const Face* best = &faces_.front();
    for (const Face& f : faces_) {
      if (f.offset < best->offset) best = &f;
    }
    return *best;
  }

  // Grows in the direction of the face; false when the surface is reached within the tolerance.
  bool grow(const Face& face, double tolerance) {
    const Vertex v = support_vertex(face.normal);
    if (face.normal.dot(v.difference) - face.offset <= tolerance) return false;
    return add(v, 1e-3 * tolerance);
  }

 private:
  Vertex support_vertex(const Vec<3>& direction) const {
    Vertex v;
    v.on_a = support<3>(*a_, direction);
    v.on_b = support<3>(*b_, -direction);
    v.difference = v.on_a - v.on_b;
    return v;
  }

  void add_face(int u, int v, int w) {
    const Vec<3>& p = vertices_[u].difference;
    const Vec<3> spread = (vertices_[v].difference - p).cross(vertices_[w].difference - p);
    const Vec<3> normal = spread.stableNormalized();
    // Three corners in line have no plane: such a face is never the nearest, and is not seen from anywhere.
    const bool flat = spread.norm() > 1e-14 * size_ * size_;
    faces_.push_back({{u, v, w}, normal, flat ? normal.dot(p) : std::numeric_limits<double>::infinity()});
  }

  // The supports of four directions that surround the origin, made into a solid: where they are flat, a
  // support at right angles to their plane gives the missing corner.
  void make_first() {
    const Vec<3>& p = vertices_[0].difference;
    for (const Vec<3>& d : {Vec<3>(0, 0, -1), Vec<3>(0.6, 0.6, 0.5), Vec<3>(-0.6, 0.3, -0.7)}) {
      const Vec<3> n = (vertices_[1].difference - p).cross(vertices_[2].difference - p);
      if (std::abs(n.dot(vertices_[3].difference - p)) > 1e-9 * std::pow(a_->size + b_->size, 3)) break;
      vertices_[3] = support_vertex(n.norm() > 0 ? n : d);
      if (n.norm() > 0) continue;
      vertices_[2] = support_vertex(d);
    }
    const Vec<3> n = (vertices_[1].difference - p).cross(vertices_[2].difference - p);
    const double side = n.dot(vertices_[3].difference - p);
    if (side == 0) return;
    if (side > 0) std::swap(vertices_[1], vertices_[2]);
    add_face(0, 1, 2), add_face(1, 0, 3), add_face(2, 1, 3), add_face(0, 2, 3);
  }

  bool add(const Vertex& v, double tolerance) {
    rim_.clear();
    const int apex = static_cast<int>(vertices_.size());
    vertices_.push_back(v);
    std::size_t kept = 0;
    for (const Face& f : faces_) {
      if (f.normal.dot(v.difference) - f.offset > tolerance) {
        for (int k = 0; k < 3; ++k) toggle(f.v[k], f.v[(k + 1) % 3]);
      } else {
        faces_[kept++] = f;
      }
    }
    const bool grown = kept < faces_.size();
    faces_.resize(kept);
    for (const auto& [from, to] : rim_) add_face(from, to, apex);
    return grown;
  }

  // Edges between two removed faces appear twice and cancel; the rest is the rim of the hole.
  void toggle(int from, int to) {
    for (std::size_t k = 0; k < rim_.size(); ++k) {
      if (rim_[k].first == to && rim_[k].second == from) {
        rim_[k] = rim_.back();
        rim_.pop_back();
        return;
      }
    }
    rim_.emplace_back(from, to);
  }

  const Piece<3>* a_ = nullptr;
  const Piece<3>* b_ = nullptr;
  double size_ = 0;
  std::vector<Vertex> vertices_;
  std::vector<Face> faces_;
  std::vector<std::pair<int, int>> rim_;
};

Separation<3> separation_at(const Piece<3>& a, const Piece<3>& b, const Vec<3>& normal) {
  Separation<3> s;
  s.normal = normal;
  s.value = separation_along<3>(a, b, normal);
  s.on_a = support<3>(a, normal);
  s.on_b = support<3>(b, -normal);
  return s;
}

// Directions at right angles to something flat or straight: where bodies stand on each other, one of them is
// the answer, and exact, while the polytope only comes near it and may have no thickness there.
template <class Visit>
void for_each_axis(const Piece<3>& piece, const Piece<3>& other, double sign, Visit&& visit) {
  for (const Vec<3>& n : piece.normals) visit(Vec<3>(sign * n));
  if (!piece.round || piece.smooth()) return;
  const Vec<3> axis = piece.pose.rotation().col(2), across = other.centre - piece.centre;
  visit(axis);
  visit(Vec<3>(-axis));
  visit(Vec<3>(sign * (across - across.dot(axis) * axis)));
  if (!other.round || other.smooth()) return;
  const Vec<3> both = axis.cross(other.pose.rotation().col(2));
  visit(both);
  visit(Vec<3>(-both));
}

Separation<3> best_axis(const Piece<3>& a, const Piece<3>& b) {
  Separation<3> best = separation_at(a, b, (b.centre - a.centre).stableNormalized());
  const auto visit = [&](const Vec<3>& direction) {
    const double length = direction.norm();
    if (!(length > 1e-9 * (1 + a.size + b.size))) return;
    if (separation_along<3>(a, b, direction / length) > best.value)
      best = separation_at(a, b, direction / length);
  };
  for_each_axis(a, b, 1, visit);
  for_each_axis(b, a, -1, visit);
  return best;
}

Separation<3> search_polytope(const Piece<3>& a, const Piece<3>& b) {
  constexpr int kMaxSteps = 400;
  const double tolerance = 1e-9 * (a.size + b.size);
  thread_local GrowingPolytope polytope;  // keeps its buffers from pair to pair
  polytope.start(a, b);
  if (!polytope.usable()) return separation_at(a, b, (b.centre - a.centre).stableNormalized());
  Separation<3> best = separation_at(a, b, polytope.nearest().normal);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Face face = polytope.nearest();
    const double value = separation_along<3>(a, b, face.normal);
    if (value >= best.value) {
      best = separation_at(a, b, face.normal);
      // Weights of the foot of the origin on the face give the pair of points that touch.
      const Vec<3>&p = polytope.vertex(face.v[0]).difference, &q = polytope.vertex(face.v[1]).difference,
            &r = polytope.vertex(face.v[2]).difference;
      const Vec<3> n = (q - p).cross(r - p), foot = face.offset * face.normal;
      const double area = n.squaredNorm();
      const double u = n.dot((q - foot).cross(r - foot)) / area, v = n.dot((r - foot).cross(p - foot)) / area;
      if (std::isfinite(u + v) && u > -1e-9 && v > -1e-9 && u + v < 1 + 1e-9) {
        best.on_a = u * polytope.vertex(face.v[0]).on_a + v * polytope.vertex(face.v[1]).on_a +
                    (1 - u - v) * polytope.vertex(face.v[2]).on_a;
        best.on_b = best.on_a + best.value * best.normal;
      }
    }
    if (!polytope.grow(face, tolerance)) break;
  }
  return best;
}

// Radii of curvature at the support along n: the second derivatives of the support function |A n|.
Mat<3> curvature_radii(const Piece<3>& piece, const Vec<3>& n) {
  if (!piece.smooth()) return Mat<3>::Zero();
  const Vec<3> local = piece.pose.unrotated(n);
  const Vec<3> scaled = piece.semi_axes.cwiseProduct(local), point = piece.semi_axes.cwiseProduct(scaled);
  const double length = scaled.norm();
  const Mat<3> turn = piece.pose.rotation();
  const Mat<3> second = piece.semi_axes.cwiseAbs2().asDiagonal().toDenseMatrix() / length -
                        point * point.transpose() / (length * length * length);
  return turn * second * turn.transpose();
}

}  // namespace

void polish_smooth_separation(const Piece<3>& a, const Piece<3>& b, Separation<3>& separation) {
  constexpr int kSteps = 8;
  for (int step = 0; step < kSteps; ++step) {
    const Vec<3>& n = separation.normal;
    const Vec<3> slope = support<3>(b, -n) - support<3>(a, n);
    Eigen::Matrix<double, 3, 2> across;
    across.col(0) = n.unitOrthogonal();
    across.col(1) = n.cross(across.col(0));
    const Mat<3> radii =
        curvature_radii(a, n) + curvature_radii(b, -n) + separation.value * Mat<3>::Identity();
    const Eigen::Matrix2d second = across.transpose() * radii * across;
    if (!(second.determinant() > 0)) return;
    const Vec<3> turn = across * (second.inverse() * (across.transpose() * slope));
    const Separation<3> next = separation_at(a, b, (n + turn).normalized());
    if (!(next.value >= separation.value)) return;
    separation = next;
    if (turn.norm() < 1e-12) return;
  }
}

Separation<3> compute_curved_separation(const Piece<3>& a, const Piece<3>& b) {
  // Every direction bounds the answer from below: the larger of the two is the better one.
  Separation<3> axis = best_axis(a, b);
  const Separation<3> searched = search_polytope(a, b);
  const double tolerance = 1e-9 * (a.size + b.size);
  if (searched.value > axis.value + tolerance) return searched;
  // The supports along an axis lie anywhere on a line or face: where the search came as far, its points are
  // the ones that touch.
  if (searched.value >= axis.value - 1e3 * tolerance) {
    axis.on_a = searched.on_a;
    axis.on_b = axis.on_a + axis.value * axis.normal;
  }
  return axis;
}

}  // namespace saltus
