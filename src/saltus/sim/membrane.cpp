#include "saltus/sim/membrane.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {

namespace {

// Points in square cells of side `reach`, sorted by cell, so that the arm only looks at nine of them.
struct Grid {
  Vec<2> low;
  double cell;
  int nx = 1, ny = 1;
  std::vector<int> begin, point;

  Grid(std::span<const Vec<2>> points, double reach) : low(points[0]), cell(reach) {
    Vec<2> high = points[0];
    for (const Vec<2>& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
    nx = 1 + static_cast<int>((high.x() - low.x()) / cell);
    ny = 1 + static_cast<int>((high.y() - low.y()) / cell);
    begin.assign(nx * ny + 1, 0);
    point.resize(points.size());
    for (const Vec<2>& p : points) ++begin[index(p) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (int i = 0; i < static_cast<int>(points.size()); ++i) point[next[index(points[i])]++] = i;
  }
  int column(const Vec<2>& p) const { return static_cast<int>((p.x() - low.x()) / cell); }
  int line(const Vec<2>& p) const { return static_cast<int>((p.y() - low.y()) / cell); }
  int index(const Vec<2>& p) const { return column(p) + nx * line(p); }

  template <class Visit>
  void near(const Vec<2>& p, Visit&& visit) const {
    for (int j = std::max(0, line(p) - 1); j <= std::min(ny - 1, line(p) + 1); ++j)
      for (int i = std::max(0, column(p) - 1); i <= std::min(nx - 1, column(p) + 1); ++i)
        for (int k = begin[i + nx * j]; k < begin[i + nx * j + 1]; ++k) visit(point[k]);
  }
};

// First point met when the arm turns counter-clockwise from the direction `from`; the nearer one of two at
// the same angle.
int swing(std::span<const Vec<2>> points, const Grid& grid, int at, const Vec<2>& from, double reach) {
  const double base = std::atan2(from.y(), from.x());
  int best = -1;
  double best_angle = 0, best_length = 0;
  grid.near(points[at], [&](int i) {
    const Vec<2> arm = points[i] - points[at];
    const double length = arm.norm();
    if (i == at || length > reach || length == 0) return;
    double angle = std::atan2(arm.y(), arm.x()) - base;
    while (angle <= 1e-12) angle += 2 * std::numbers::pi;
    if (best < 0 || angle < best_angle || (angle == best_angle && length < best_length)) {
      best = i;
      best_angle = angle;
      best_length = length;
    }
  });
  return best;
}

}  // namespace

std::vector<int> compute_contour(std::span<const Vec<2>> points, double reach) {
  std::vector<int> contour;
  if (points.size() < 3 || !(reach > 0)) return contour;
  const Grid grid(points, reach);
  int start = 0;
  for (int i = 1; i < static_cast<int>(points.size()); ++i)
    if (points[i].y() < points[start].y() ||
        (points[i].y() == points[start].y() && points[i].x() < points[start].x()))
      start = i;
  contour.push_back(start);
  // From the lowest point nothing is below: the arm starts there pointing down.
  const int second = swing(points, grid, start, {0, -1}, reach);
  for (int previous = start, at = second; at >= 0;) {
    const int next = swing(points, grid, at, points[previous] - points[at], reach);
    if (at == start && next == second) break;
    if (contour.size() > 2 * points.size()) return {};
    if (at != start || contour.size() > 1) contour.push_back(at);
    previous = at;
    at = next;
  }
  if (contour.size() > 1 && contour.back() == start) contour.pop_back();
  return contour;
}

void add_pressure(std::span<const Vec<2>> points, std::span<const int> contour, double pressure,
                  std::span<Vec<2>> force) {
  for (std::size_t k = 0; k < contour.size(); ++k) {
    const int i = contour[k], j = contour[(k + 1) % contour.size()];
    const Vec<2> push = 0.5 * pressure * quarter_turn(points[j] - points[i]);
    force[i] += push;
    force[j] += push;
  }
}

}  // namespace saltus
