// The free surface of a heap or of what moves in a drum: heights of the highest matter on vertical lines (the
// last axis is up) through the middles of bins, and lines or planes fitted to them by least squares.
#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/line_span.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

template <int Dim>
using Base = Eigen::Matrix<double, Dim - 1, 1>;

template <int Dim>
struct SurfacePoint {
  Base<Dim> place;
  double height;
};

// height = level + slope . (place - mean place); nothing when the points do not tell the slope.
template <int N>
struct Fit {
  Eigen::Matrix<double, N, 1> slope;
  double rms = 0;
};
template <int N>
std::optional<Fit<N>> fit(const std::vector<std::pair<Eigen::Matrix<double, N, 1>, double>>& points) {
  using Place = Eigen::Matrix<double, N, 1>;
  const double count = static_cast<double>(points.size());
  Place middle = Place::Zero(), right = Place::Zero();
  double level = 0;
  for (const auto& [place, height] : points) middle += place / count, level += height / count;
  Eigen::Matrix<double, N, N> spread = Eigen::Matrix<double, N, N>::Zero();
  for (const auto& [place, height] : points) {
    spread += (place - middle) * (place - middle).transpose();
    right += (place - middle) * (height - level);
  }
  // Places in a row, or a single one, leave a direction without spread.
  double determinant = spread(0, 0);
  if constexpr (N == 2) determinant = spread(0, 0) * spread(1, 1) - spread(0, 1) * spread(1, 0);
  if (points.size() < N + 1 || !(determinant > 1e-12 * std::pow(spread.trace(), N))) return std::nullopt;
  Fit<N> result;
  if constexpr (N == 1)
    result.slope = right / determinant;
  else
    result.slope = Place(spread(1, 1) * right[0] - spread(0, 1) * right[1],
                         spread(0, 0) * right[1] - spread(1, 0) * right[0]) /
                   determinant;
  for (const auto& [place, height] : points)
    result.rms += std::pow(height - level - result.slope.dot(place - middle), 2) / count;
  result.rms = std::sqrt(result.rms);
  return result;
}

template <int Dim>
class Surface final : public Measure<Dim> {
 public:
  explicit Surface(const MeasureContext<Dim>& context) : region_(context), bins_(context.spec.bins) {
    if (region_.at(context.first).is_ring())
      throw InputError(context.spec.where, "the region of a surface is a box");
  }
  std::vector<std::string> parts() const override {
    if constexpr (Dim == 2) return {"angle", "rms", "left", "right", "top"};
    return {"angle", "rms", "direction", "flank", "top"};
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Region<Dim> region = region_.at(snapshot);
    const std::vector<SurfacePoint<Dim>> points = find_surface(snapshot, region);
    std::vector<std::pair<Base<Dim>, double>> all;
    for (const auto& point : points) all.emplace_back(point.place, point.height);
    const auto plane = fit<Dim - 1>(all);
    const auto top = std::max_element(points.begin(), points.end(),
                                      [](const auto& a, const auto& b) { return a.height < b.height; });
    row.push_back(!plane ? kNoNumber : std::atan(Dim == 2 ? plane->slope[0] : plane->slope.norm()));
    row.push_back(plane ? plane->rms : kNoNumber);
    const double floor = region.box.low[Dim - 1], peak = points.empty() ? kNoNumber : top->height;
    if constexpr (Dim == 2) {
      const double middle = points.empty() ? 0 : top->place[0];
      row.push_back(flank(
          points, floor, peak, [&](const Vec<1>& x) { return x[0] - middle; }, -1));
      row.push_back(flank(
          points, floor, peak, [&](const Vec<1>& x) { return x[0] - middle; }, 1));
    } else {
      row.push_back(plane ? std::atan2(plane->slope[1], plane->slope[0]) : kNoNumber);
      const Vec<2> middle = weighted_middle(points, floor);
      row.push_back(flank(
          points, floor, peak, [&](const Vec<2>& x) { return (x - middle).norm(); }, 1));
    }
    row.push_back(peak);
  }

 private:
  // Descent of the heights against a distance on one side of the top, from 0.8 to 0.2 of the height over the
  // floor of the region: neither the round top nor the grains beyond the toe.
  template <class Distance>
  static double flank(const std::vector<SurfacePoint<Dim>>& points, double floor, double peak,
                      const Distance& distance, double side) {
    std::vector<std::pair<Vec<1>, double>> chosen;
    for (const auto& point : points) {
      const double way = side * distance(point.place), part = (point.height - floor) / (peak - floor);
      if (way >= 0 && part >= 0.2 && part <= 0.8) chosen.emplace_back(Vec<1>(way), point.height);
    }
    const auto line = fit<1>(chosen);
    return line ? std::atan(-line->slope[0]) : kNoNumber;
  }

  // The axis of a heap: a single grain on its top does not move it.
  static Vec<2> weighted_middle(const std::vector<SurfacePoint<3>>& points, double floor) {
    Vec<2> sum = Vec<2>::Zero();
    double weight = 0;
    for (const auto& point : points) {
      const double height = std::max(0.0, point.height - floor);
      sum += height * point.place, weight += height;
    }
    return weight > 0 ? Vec<2>(sum / weight) : sum;
  }

  std::vector<SurfacePoint<Dim>> find_surface(const Snapshot<Dim>& snapshot,
                                              const Region<Dim>& region) const {
    const Bounds<Dim>& box = region.box;
    int lines = 1;
    for (int d = 0; d < Dim - 1; ++d) lines *= bins_;
    std::vector<double> heights(static_cast<std::size_t>(lines), -1e300);
    const auto width = [&](int d) { return (box.high[d] - box.low[d]) / bins_; };
    for (const SnapshotBody<Dim>& body : snapshot.bodies)
      if (body.is_grain)
        for (const Vec<Dim>& move : region.find_images(compute_bounds<Dim>(*body.shape, body.pose)))
          raise(body, move, box, heights);
    std::vector<SurfacePoint<Dim>> points;
    for (int line = 0; line < lines; ++line) {
      const double height = heights[static_cast<std::size_t>(line)];
      if (height < box.low[Dim - 1]) continue;
      SurfacePoint<Dim> point;
      for (int d = 0, rest = line; d < Dim - 1; ++d, rest /= bins_)
        point.place[d] = box.low[d] + (rest % bins_ + 0.5) * width(d);
      point.height = height;
      points.push_back(point);
    }
    return points;
  }

  // Lifts the heights of the lines that pass through an image of a body. What is above the box does not count.
  void raise(const SnapshotBody<Dim>& body, const Vec<Dim>& move, const Bounds<Dim>& box,
             std::vector<double>& heights) const {
    Pose<Dim> pose = body.pose;
    pose.position += move;
    const Bounds<Dim> bounds = compute_bounds<Dim>(*body.shape, pose);
    int first[2] = {0, 0}, last[2] = {0, 0};
    for (int d = 0; d < Dim - 1; ++d) {
      const double width = (box.high[d] - box.low[d]) / bins_;
      const auto bin = [&](double x) {
        return static_cast<int>(std::clamp((x - box.low[d]) / width - 0.5, -1.0, bins_ + 0.0));
      };
      first[d] = std::max(0, bin(bounds.low[d])), last[d] = std::min(bins_ - 1, bin(bounds.high[d]) + 1);
    }
    for (int j = first[1]; j <= last[1]; ++j)
      for (int i = first[0]; i <= last[0]; ++i) {
        Vec<Dim> foot = box.low;
        foot[0] += (i + 0.5) * (box.high[0] - box.low[0]) / bins_;
        if constexpr (Dim == 3) foot[1] += (j + 0.5) * (box.high[1] - box.low[1]) / bins_;
        const LineSpan span = compute_line_span<Dim>(*body.shape, pose, foot, Vec<Dim>::Unit(Dim - 1));
        const double height = foot[Dim - 1] + span.high;
        double& highest = heights[static_cast<std::size_t>(i + bins_ * j)];
        if (!span.empty() && height <= box.high[Dim - 1]) highest = std::max(highest, height);
      }
  }

  MovingRegion<Dim> region_;
  int bins_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_surface(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::surface) return nullptr;
  return std::make_unique<Surface<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_surface<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_surface<3>(const MeasureContext<3>&);

}  // namespace saltus
