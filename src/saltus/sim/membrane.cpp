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

double positive_angle(double angle) {
  const double turn = 2 * std::numbers::pi;
  angle = std::fmod(angle, turn);
  return angle < 0 ? angle + turn : angle;
}

// Where the disk stands: the point it touches, and the direction from there to its centre.
struct Rolling {
  int at = -1, previous = -1;
  double angle = 0;
};

// Turns the disk about the point it touches, counter-clockwise, until it touches another: a point at distance
// d in the direction psi is inside the disk for centres within arccos(d/2R) of psi.
Rolling roll(std::span<const Vec<2>> points, const Grid& grid, const Rolling& disk, double diameter) {
  // Points that touch at the same time come before or after by round-off.
  constexpr double kRoundOff = 1e-9;
  Rolling best;
  double least = 0, nearest = 0;
  grid.near(points[disk.at], [&](int i) {
    const Vec<2> way = points[i] - points[disk.at];
    const double length = way.norm();
    if (i == disk.at || length > diameter || length == 0) return;
    const double half = std::acos(std::min(1.0, length / diameter)), towards = std::atan2(way.y(), way.x());
    double turn = positive_angle(towards - half - disk.angle);
    if (i != disk.previous && turn > 2 * std::numbers::pi - kRoundOff) turn = 0;
    if (best.at >= 0 && (turn > least || (turn == least && length >= nearest))) return;
    // Seen from the new point the centre stands in the other direction along the way, at the same distance.
    best = {i, disk.at, towards + std::numbers::pi + half};
    least = turn;
    nearest = length;
  });
  return best;
}

// Number of each point's cluster: points nearer than `reach` belong together.
std::vector<int> find_clusters(std::span<const Vec<2>> points, const Grid& grid, double reach) {
  std::vector<int> cluster(points.size(), -1), waiting;
  int count = 0;
  for (int first = 0; first < static_cast<int>(points.size()); ++first) {
    if (cluster[first] >= 0) continue;
    cluster[first] = count;
    waiting.assign(1, first);
    while (!waiting.empty()) {
      const int at = waiting.back();
      waiting.pop_back();
      grid.near(points[at], [&](int i) {
        if (cluster[i] >= 0 || (points[i] - points[at]).norm() > reach) return;
        cluster[i] = count;
        waiting.push_back(i);
      });
    }
    ++count;
  }
  return cluster;
}

// The lowest point of the largest cluster.
int find_start(std::span<const Vec<2>> points, const Grid& grid, double reach) {
  const std::vector<int> cluster = find_clusters(points, grid, reach);
  std::vector<int> size(points.size(), 0);
  for (const int c : cluster) ++size[c];
  const int largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
  int start = -1;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    if (cluster[i] != largest) continue;
    if (start < 0 || points[i].y() < points[start].y() ||
        (points[i].y() == points[start].y() && points[i].x() < points[start].x()))
      start = i;
  }
  return start;
}

}  // namespace

std::vector<int> compute_contour(std::span<const Vec<2>> points, double reach) {
  if (points.size() < 3 || !(reach > 0)) return {};
  const Grid grid(points, reach);
  // Below the lowest point there is room for the disk.
  const Rolling start{find_start(points, grid, reach), -1, -0.5 * std::numbers::pi};
  const Rolling first = roll(points, grid, start, reach);
  if (first.at < 0) return {};
  std::vector<int> contour = {start.at};
  for (Rolling disk = first;;) {
    const Rolling next = roll(points, grid, disk, reach);
    if (disk.at == start.at && next.at == first.at) return contour;
    if (contour.size() > 4 * points.size()) return {};
    contour.push_back(disk.at);
    disk = next;
  }
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
