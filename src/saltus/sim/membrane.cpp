#include "saltus/sim/membrane.hpp"

#include <cmath>
#include <numbers>

namespace saltus {

namespace {

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
Rolling roll(std::span<const Vec<2>> points, const PointCells& cells, const Rolling& disk, double diameter) {
  // Points that touch at the same time come before or after by round-off.
  constexpr double kRoundOff = 1e-9;
  Rolling best;
  double least = 0, nearest = 0;
  cells.near(points[disk.at], [&](int i) {
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

}  // namespace

// A body that flew far away must not make cells without number: there are at most 512 x 512 of them.
void PointCells::build(std::span<const Vec<2>> points, double longest_side) {
  constexpr double kMostAlongASide = 512;
  low_ = points[0];
  Vec<2> high = points[0];
  for (const Vec<2>& p : points) low_ = low_.cwiseMin(p), high = high.cwiseMax(p);
  side_ = std::max(longest_side, (high - low_).maxCoeff() / kMostAlongASide);
  nx_ = 1 + column(high);
  ny_ = 1 + line(high);
  begin_.assign(nx_ * ny_ + 1, 0);
  point_.resize(points.size());
  for (const Vec<2>& p : points) ++begin_[index(p) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  next_.assign(begin_.begin(), begin_.end() - 1);
  for (int i = 0; i < static_cast<int>(points.size()); ++i) point_[next_[index(points[i])]++] = i;
}

// Number of each point's cluster: points nearer than `longest_side` belong together.
void MembraneContour::find_clusters(std::span<const Vec<2>> points, double longest_side) {
  cluster_.assign(points.size(), -1);
  int count = 0;
  for (int first = 0; first < static_cast<int>(points.size()); ++first) {
    if (cluster_[first] >= 0) continue;
    cluster_[first] = count;
    waiting_.assign(1, first);
    while (!waiting_.empty()) {
      const int at = waiting_.back();
      waiting_.pop_back();
      cells_.near(points[at], [&](int i) {
        if (cluster_[i] >= 0 || (points[i] - points[at]).norm() > longest_side) return;
        cluster_[i] = count;
        waiting_.push_back(i);
      });
    }
    ++count;
  }
}

// The lowest point of the largest cluster.
int MembraneContour::find_start(std::span<const Vec<2>> points, double longest_side) {
  find_clusters(points, longest_side);
  size_.assign(points.size(), 0);
  for (const int c : cluster_) ++size_[c];
  const int largest = static_cast<int>(std::max_element(size_.begin(), size_.end()) - size_.begin());
  int start = -1;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    if (cluster_[i] != largest) continue;
    if (start < 0 || points[i].y() < points[start].y() ||
        (points[i].y() == points[start].y() && points[i].x() < points[start].x()))
      start = i;
  }
  return start;
}

std::span<const int> MembraneContour::compute(std::span<const Vec<2>> points, double longest_side) {
  if (points.size() < 3 || !(longest_side > 0)) return {};
  cells_.build(points, longest_side);
  // Below the lowest point there is room for the disk.
  const Rolling start{find_start(points, longest_side), -1, -0.5 * std::numbers::pi};
  const Rolling first = roll(points, cells_, start, longest_side);
  if (first.at < 0) return {};
  contour_.assign(1, start.at);
  for (Rolling disk = first;;) {
    const Rolling next = roll(points, cells_, disk, longest_side);
    if (disk.at == start.at && next.at == first.at) return contour_;
    if (contour_.size() > 4 * points.size()) return {};
    contour_.push_back(disk.at);
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
