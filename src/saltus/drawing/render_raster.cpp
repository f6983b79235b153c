#include "saltus/drawing/render_raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

Vec<3> Projection::project(const Vec<3>& world) const {
  const Vec<3> d = world - eye;
  const double z = d.dot(forward), scale = parallel ? focal : focal / z;
  return {x + scale * d.dot(right), y - scale * d.dot(up), parallel ? -z : 1 / z};
}

Vec<3> Projection::position(double px, double py, double nearness) const {
  const double a = (px - x) / focal, b = (y - py) / focal;
  if (parallel) return eye + a * right + b * up - nearness * forward;
  return eye + (forward + a * right + b * up) / nearness;
}

Raster::Raster(int columns, int rows)
    : width(columns),
      height(rows),
      nearness(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
               -std::numeric_limits<float>::infinity()),
      normal(nearness.size(), Eigen::Vector3f::Zero()),
      id(nearness.size(), -1),
      value(nearness.size(), SurfaceTriangle::kNoValue),
      line(nearness.size(), 0) {}

bool Raster::put(int px, int py, double near, const Vec<3>& n, int body) {
  const std::size_t at =
      static_cast<std::size_t>(py) * static_cast<std::size_t>(width) + static_cast<std::size_t>(px);
  // Of two faces in one plane the first stays: round-off must not weave them into a pattern.
  const double before = nearness[at];
  if (!(near > before + 1e-5 * std::abs(near))) return false;
  nearness[at] = static_cast<float>(near);
  normal[at] = n.cast<float>();
  id[at] = body;
  value[at] = SurfaceTriangle::kNoValue;
  line[at] = 0;
  return true;
}

void Raster::add(const Surface& surface, const Projection& projection, int body) {
  for (std::size_t i = 0; i < surface.balls.size(); ++i)
    add_ball(surface.centres[i], surface.balls[i].radius, projection, body);
  for (const SurfaceTriangle& triangle : surface.triangles) add_triangle(triangle, projection, body);
}

void Raster::add_triangle(const SurfaceTriangle& t, const Projection& projection, int body) {
  if (projection.parallel) return fill_triangle(t, projection, body);
  std::array<double, 3> depth;
  for (int k = 0; k < 3; ++k) depth[k] = (t.corner[k] - projection.eye).dot(projection.forward);
  const double farthest = std::max({depth[0], depth[1], depth[2]});
  // Nearer than this nothing is drawn: it would be larger than any page.
  const double near = 1e-6 * farthest;
  if (!(farthest > 0)) return;
  if (std::min({depth[0], depth[1], depth[2]}) >= near) return fill_triangle(t, projection, body);
  // The part beyond the plane `near`: a triangle or a quad.
  std::array<Vec<3>, 4> corner, way;
  std::array<float, 4> number;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (depth[k] >= near) corner[count] = t.corner[k], way[count] = t.normal[k], number[count++] = t.value[k];
    if ((depth[k] >= near) == (depth[next] >= near)) continue;
    const double s = (near - depth[k]) / (depth[next] - depth[k]);
    corner[count] = t.corner[k] + s * (t.corner[next] - t.corner[k]);
    way[count] = t.normal[k] + s * (t.normal[next] - t.normal[k]);
    number[count++] = t.value[k] + static_cast<float>(s) * (t.value[next] - t.value[k]);
  }
  for (int k = 1; k + 1 < count; ++k)
    fill_triangle({{corner[0], corner[k], corner[k + 1]},
                   {way[0], way[k], way[k + 1]},
                   {number[0], number[k], number[k + 1]}},
                  projection, body);
}

void Raster::fill_triangle(const SurfaceTriangle& t, const Projection& projection, int body) {
  std::array<Vec<3>, 3> p;
  for (int k = 0; k < 3; ++k) p[k] = projection.project(t.corner[k]);
  const Vec<2> e1 = (p[1] - p[0]).head<2>(), e2 = (p[2] - p[0]).head<2>();
  const double area = cross2(e1, e2);
  if (!(std::abs(area) > 1e-12)) return;
  // Pixels from each corner to the side across.
  constexpr double kHalfLine = 0.7;
  const std::array<double, 3> heights = {std::abs(area) / (e2 - e1).norm(), std::abs(area) / e2.norm(),
                                         std::abs(area) / e1.norm()};
  const auto range = [&](int axis, int size) {
    const double low = std::min({p[0][axis], p[1][axis], p[2][axis]}),
                 high = std::max({p[0][axis], p[1][axis], p[2][axis]});
    return std::pair(static_cast<int>(std::clamp(std::floor(low), 0.0, size - 1.0)),
                     static_cast<int>(std::clamp(std::ceil(high), 0.0, size - 1.0)));
  };
  const auto [left, right] = range(0, width);
  const auto [top, bottom] = range(1, height);
  for (int py = top; py <= bottom; ++py)
    for (int px = left; px <= right; ++px) {
      const Vec<2> d(px + 0.5 - p[0].x(), py + 0.5 - p[0].y());
      const double b1 = cross2(d, e2) / area, b2 = cross2(e1, d) / area, b0 = 1 - b1 - b2;
      if (b0 < 0 || b1 < 0 || b2 < 0) continue;
      if (!put(px, py, b0 * p[0].z() + b1 * p[1].z() + b2 * p[2].z(),
               b0 * t.normal[0] + b1 * t.normal[1] + b2 * t.normal[2], body))
        continue;
      const std::size_t at =
          static_cast<std::size_t>(py) * static_cast<std::size_t>(width) + static_cast<std::size_t>(px);
      value[at] = static_cast<float>(b0) * t.value[0] + static_cast<float>(b1) * t.value[1] +
                  static_cast<float>(b2) * t.value[2];
      line[at] = (t.outlined[0] && b0 * heights[0] < kHalfLine) ||
                 (t.outlined[1] && b1 * heights[1] < kHalfLine) ||
                 (t.outlined[2] && b2 * heights[2] < kHalfLine);
    }
}

void Raster::add_ball(const Vec<3>& centre, double radius, const Projection& projection, int body) {
  const Vec<3> p = projection.project(centre), d = centre - projection.eye;
  const double z = d.dot(projection.forward);
  if (!projection.parallel && z <= radius) return;
  // Seen at an angle, a ball is a little more than its radius wide: 30 % covers what fits in a picture.
  const double extent =
      projection.focal * radius * (projection.parallel ? 1 : 1.3 / std::sqrt(z * z - radius * radius)) + 1;
  const int left = std::max(0, static_cast<int>(p.x() - extent)),
            right = std::min(width - 1, static_cast<int>(p.x() + extent));
  const int top = std::max(0, static_cast<int>(p.y() - extent)),
            bottom = std::min(height - 1, static_cast<int>(p.y() + extent));
  for (int py = top; py <= bottom; ++py)
    for (int px = left; px <= right; ++px) {
      // Ray from `origin` along `way`, with way . forward = 1.
      const double a = (px + 0.5 - projection.x) / projection.focal,
                   b = (projection.y - py - 0.5) / projection.focal;
      const Vec<3> aside = a * projection.right + b * projection.up;
      const Vec<3> origin = projection.parallel ? Vec<3>(projection.eye + aside) : projection.eye;
      const Vec<3> way = projection.parallel ? projection.forward : Vec<3>(projection.forward + aside);
      const Vec<3> to = centre - origin;
      const double along = to.dot(way) / way.squaredNorm();
      const double left_over = radius * radius - (to - along * way).squaredNorm();
      if (left_over < 0) continue;
      const double depth = along - std::sqrt(left_over / way.squaredNorm());
      put(px, py, projection.parallel ? -depth : 1 / depth, (origin + depth * way - centre) / radius, body);
    }
}

}  // namespace saltus
