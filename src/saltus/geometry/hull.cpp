#include "saltus/geometry/hull.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace saltus {

namespace {

struct Triangle {
  std::array<int, 3> v;
  std::array<int, 3> neighbour;  // across the edge v[k] -> v[k+1]
  Vec<3> normal;
  double offset = 0;
  std::vector<int> outside;  // points above this triangle, each point in one list only
  bool alive = true;
};

class QuickHull {
 public:
  QuickHull(const std::vector<Vec<3>>& points, double tolerance) : points_(points), tolerance_(tolerance) {}

  std::vector<std::array<int, 3>> compute() {
    if (!build_first_tetrahedron()) return {};
    // Triangles are only appended, so this reaches every one, new ones included.
    for (std::size_t f = 0; f < triangles_.size(); ++f) {
      if (triangles_[f].alive && !triangles_[f].outside.empty() && !add_point(static_cast<int>(f))) return {};
    }
    std::vector<std::array<int, 3>> result;
    for (const Triangle& t : triangles_) {
      if (t.alive) result.push_back(t.v);
    }
    return result;
  }

  bool build_first_tetrahedron() {
    if (points_.size() < 4) return false;
    const int i = farthest([](const Vec<3>& x) { return -x.x(); });
    const Vec<3> p = points_[i];
    const int j = farthest([&](const Vec<3>& x) { return (x - p).squaredNorm(); });
    if ((points_[j] - p).norm() <= tolerance_) return false;
    const Vec<3> line = (points_[j] - p).normalized();
    const int k = farthest([&](const Vec<3>& x) { return line.cross(x - p).squaredNorm(); });
    if (line.cross(points_[k] - p).norm() <= tolerance_) return false;
    const Vec<3> normal = line.cross(points_[k] - p).normalized();
    const int l = farthest([&](const Vec<3>& x) { return std::abs(normal.dot(x - p)); });
    const double side = normal.dot(points_[l] - p);
    if (std::abs(side) <= tolerance_) return false;
    if (side > 0) {
      make_tetrahedron(i, k, j, l);
    } else {
      make_tetrahedron(i, j, k, l);
    }
    return true;
  }

 private:
  double height(const Triangle& t, int point) const { return t.normal.dot(points_[point]) - t.offset; }

  int add_triangle(int u, int v, int w) {
    Triangle t;
    t.v = {u, v, w};
    t.neighbour = {-1, -1, -1};
    t.normal = (points_[v] - points_[u]).cross(points_[w] - points_[u]).stableNormalized();
    t.offset = t.normal.dot(points_[u] + points_[v] + points_[w]) / 3;
    triangles_.push_back(std::move(t));
    return static_cast<int>(triangles_.size()) - 1;
  }

  template <class Measure>
  int farthest(Measure measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (measure(points_[i]) > measure(points_[best])) best = i;
    }
    return best;
  }

  // l lies below the triangle (i, j, k).
  void make_tetrahedron(int i, int j, int k, int l) {
    add_triangle(i, j, k);
    add_triangle(j, i, l);
    add_triangle(k, j, l);
    add_triangle(i, k, l);
    triangles_[0].neighbour = {1, 2, 3};
    triangles_[1].neighbour = {0, 3, 2};
    triangles_[2].neighbour = {0, 1, 3};
    triangles_[3].neighbour = {0, 2, 1};
    std::vector<int> all(points_.size());
    for (int n = 0; n < static_cast<int>(all.size()); ++n) all[n] = n;
    distribute(all, 0);
  }

  void distribute(const std::vector<int>& points, std::size_t first) {
    for (const int p : points) {
      double best = tolerance_;
      int owner = -1;
      for (std::size_t f = first; f < triangles_.size(); ++f) {
        const double h = height(triangles_[f], p);
        if (triangles_[f].alive && h > best) best = h, owner = static_cast<int>(f);
      }
      if (owner >= 0) triangles_[owner].outside.push_back(p);
    }
  }

  // False when round-off made the visible region something else than a disk.
  bool add_point(int face) {
    const auto& outside = triangles_[face].outside;
    const int apex = *std::max_element(outside.begin(), outside.end(), [&](int p, int q) {
      return height(triangles_[face], p) < height(triangles_[face], q);
    });
    horizon_.clear();
    orphans_.clear();
    collect_visible(face, apex);
    const std::size_t first = triangles_.size();
    if (!horizon_is_a_loop()) return false;
    for (const auto& [u, v, beyond] : horizon_) {
      const int f = add_triangle(u, v, apex);
      triangles_[f].neighbour[0] = beyond;
      for (int k = 0; k < 3; ++k) {
        if (triangles_[beyond].v[k] == v && triangles_[beyond].v[(k + 1) % 3] == u) {
          triangles_[beyond].neighbour[k] = f;
        }
      }
    }
    const int count = static_cast<int>(horizon_.size());
    for (int n = 0; n < count; ++n) {
      const int f = static_cast<int>(first) + n;
      triangles_[f].neighbour[1] = static_cast<int>(first) + (n + 1) % count;
      triangles_[f].neighbour[2] = static_cast<int>(first) + (n + count - 1) % count;
    }
    std::erase(orphans_, apex);
    distribute(orphans_, first);
    return true;
  }

  bool horizon_is_a_loop() const {
    const std::size_t count = horizon_.size();
    for (std::size_t n = 0; n < count; ++n) {
      if (horizon_[n].v != horizon_[(n + 1) % count].u) return false;
      for (std::size_t m = 0; m < n; ++m) {
        if (horizon_[m].u == horizon_[n].u) return false;
      }
    }
    return count >= 3;
  }

  // Depth first over the edges of the visible region, always turning the same way, so that the
  // horizon comes out as one closed loop. Triangles in whose plane the point lies are taken as
  // visible too: a point in line with an edge would otherwise make a triangle without area.
  void collect_visible(int face, int apex) {
    struct Frame {
      int face, start, step;
    };
    std::vector<Frame> stack{{face, 0, 0}};
    kill(face);
    while (!stack.empty()) {
      Frame& top = stack.back();
      const int last = stack.size() == 1 ? 3 : 2;
      if (top.step == last) {
        stack.pop_back();
        continue;
      }
      const int k = (top.start + top.step++) % 3;
      const Triangle& t = triangles_[top.face];
      const int u = t.v[k];
      const int v = t.v[(k + 1) % 3];
      const int beyond = t.neighbour[k];
      if (!triangles_[beyond].alive) continue;
      if (height(triangles_[beyond], apex) > -tolerance_) {
        int entry = 0;
        while (triangles_[beyond].v[entry] != v || triangles_[beyond].v[(entry + 1) % 3] != u) ++entry;
        kill(beyond);
        stack.push_back({beyond, (entry + 1) % 3, 0});
      } else {
        horizon_.push_back({u, v, beyond});
      }
    }
  }

  void kill(int face) {
    triangles_[face].alive = false;
    orphans_.insert(orphans_.end(), triangles_[face].outside.begin(), triangles_[face].outside.end());
    triangles_[face].outside.clear();
  }

  struct HorizonEdge {
    int u, v, beyond;
  };
  const std::vector<Vec<3>>& points_;
  double tolerance_;
  std::vector<Triangle> triangles_;
  std::vector<HorizonEdge> horizon_;
  std::vector<int> orphans_;
};

}  // namespace

std::vector<std::array<int, 3>> compute_hull_triangles(const std::vector<Vec<3>>& points, double tolerance) {
  return QuickHull(points, tolerance).compute();
}

bool spans_volume(const std::vector<Vec<3>>& points, double tolerance) {
  return QuickHull(points, tolerance).build_first_tetrahedron();
}

}  // namespace saltus
