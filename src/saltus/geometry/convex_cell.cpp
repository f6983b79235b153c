#include "saltus/geometry/convex_cell.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

template <int Dim>
bool precedes(const Vec<Dim>& a, const Vec<Dim>& b) {
  return std::lexicographical_compare(a.data(), a.data() + Dim, b.data(), b.data() + Dim);
}

// Where the side from a to b meets the plane; the same bits whichever end is named first.
template <int Dim>
Vec<Dim> meet(const Vec<Dim>& a, double da, const Vec<Dim>& b, double db) {
  if (precedes<Dim>(b, a)) return meet<Dim>(b, db, a, da);
  return a + da / (da - db) * (b - a);
}

// The part of a loop with depth <= 0; where it enters and leaves goes to `cut` as well.
template <int Dim>
std::vector<Vec<Dim>> cut_loop(const std::vector<Vec<Dim>>& loop, const HalfSpace<Dim>& half,
                               std::vector<Vec<Dim>>* cut) {
  std::vector<Vec<Dim>> kept;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<Dim>&a = loop[i], &b = loop[(i + 1) % loop.size()];
    const double da = half.normal.dot(a) - half.offset, db = half.normal.dot(b) - half.offset;
    if (da <= 0) kept.push_back(a);
    if ((da <= 0) == (db <= 0)) continue;
    const Vec<Dim> x = meet<Dim>(a, da, b, db);
    if (kept.empty() || kept.back() != x) kept.push_back(x);
    if (cut) cut->push_back(x);
  }
  if (kept.size() > 1 && kept.front() == kept.back()) kept.pop_back();
  return kept;
}

void keep_distinct(std::vector<Vec<3>>& points) {
  std::sort(points.begin(), points.end(), precedes<3>);
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

// Corners of a convex face in order around its outward normal.
void order_around(const Vec<3>& normal, std::vector<Vec<3>>& points) {
  Vec<3> middle = Vec<3>::Zero();
  for (const Vec<3>& x : points) middle += x / static_cast<double>(points.size());
  int least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vec<3> first = normal.cross(Vec<3>::Unit(least)).normalized(),
               second = normal.normalized().cross(first);
  const auto angle = [&](const Vec<3>& x) {
    return std::atan2((x - middle).dot(second), (x - middle).dot(first));
  };
  std::sort(points.begin(), points.end(),
            [&](const Vec<3>& a, const Vec<3>& b) { return angle(a) < angle(b); });
}

}  // namespace

ConvexCell<2>::ConvexCell(const Bounds<2>& box)
    : corners_{box.low, {box.high.x(), box.low.y()}, box.high, {box.low.x(), box.high.y()}} {}

void ConvexCell<2>::cut(const HalfSpace<2>& half) {
  corners_ = cut_loop<2>(corners_, half, nullptr);
  if (corners_.size() < 3) corners_.clear();
}

// Sums are taken from a corner, so that a small cell far from the origin keeps its digits.
double ConvexCell<2>::volume() const {
  double twice = 0;
  for (std::size_t i = 2; i < corners_.size(); ++i)
    twice += cross2(corners_[i - 1] - corners_[0], corners_[i] - corners_[0]);
  return 0.5 * twice;
}

Vec<2> ConvexCell<2>::centre() const {
  Vec<2> sum = Vec<2>::Zero();
  double twice = 0;
  for (std::size_t i = 2; i < corners_.size(); ++i) {
    const Vec<2> a = corners_[i - 1] - corners_[0], b = corners_[i] - corners_[0];
    sum += cross2(a, b) * (a + b) / 3;
    twice += cross2(a, b);
  }
  return corners_[0] + sum / twice;
}

ConvexCell<3>::ConvexCell(const Bounds<3>& box) {
  const auto corner = [&](int i) {
    return Vec<3>((i & 1 ? box.high : box.low).x(), (i & 2 ? box.high : box.low).y(),
                  (i & 4 ? box.high : box.low).z());
  };
  constexpr int kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : kFaces) {
    Loop loop;
    for (const int i : face) loop.push_back(corner(i));
    faces_.push_back(std::move(loop));
  }
}

ConvexCell<3>::ConvexCell(const ConvexPolyhedron& polyhedron, const Pose<3>& pose) {
  const Mat<3> turn = pose.rotation();
  std::vector<Vec<3>> world;
  for (const Vec<3>& x : polyhedron.vertices) world.push_back(pose.position + turn * x);
  for (int face = 0; face < polyhedron.faces(); ++face) {
    Loop loop;
    for (int k = polyhedron.face_begin[static_cast<std::size_t>(face)];
         k < polyhedron.face_begin[static_cast<std::size_t>(face) + 1]; ++k)
      loop.push_back(world[static_cast<std::size_t>(polyhedron.face_vertex[static_cast<std::size_t>(k)])]);
    faces_.push_back(std::move(loop));
  }
}

void ConvexCell<3>::cut(const HalfSpace<3>& half) {
  std::vector<Loop> kept;
  Loop section;
  for (const Loop& face : faces_)
    if (Loop part = cut_loop<3>(face, half, &section); part.size() >= 3) kept.push_back(std::move(part));
  keep_distinct(section);
  if (section.size() >= 3) {
    order_around(half.normal, section);
    kept.push_back(std::move(section));
  }
  faces_ = std::move(kept);
  if (faces_.size() < 4) faces_.clear();
}

double ConvexCell<3>::volume() const {
  double six = 0;
  for (const Loop& face : faces_)
    for (std::size_t i = 2; i < face.size(); ++i) {
      const Vec<3> apex = faces_[0][0];
      six += (face[0] - apex).dot((face[i - 1] - apex).cross(face[i] - apex));
    }
  return six / 6;
}

Vec<3> ConvexCell<3>::centre() const {
  const Vec<3> apex = faces_[0][0];
  Vec<3> sum = Vec<3>::Zero();
  double six = 0;
  for (const Loop& face : faces_)
    for (std::size_t i = 2; i < face.size(); ++i) {
      const Vec<3> a = face[0] - apex, b = face[i - 1] - apex, c = face[i] - apex;
      const double volume = a.dot(b.cross(c));
      sum += volume * (a + b + c) / 4;
      six += volume;
    }
  return apex + sum / six;
}

std::vector<Vec<3>> ConvexCell<3>::corners() const {
  std::vector<Vec<3>> points;
  for (const Loop& face : faces_) points.insert(points.end(), face.begin(), face.end());
  keep_distinct(points);
  return points;
}

}  // namespace saltus
