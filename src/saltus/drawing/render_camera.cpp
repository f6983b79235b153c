#include "saltus/drawing/render_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render_labels.hpp"

namespace saltus {

namespace {

template <class Use>
void for_each_corner(const Bounds<3>& box, Use use) {
  for (int k = 0; k < 8; ++k)
    use(Vec<3>(k & 1 ? box.high.x() : box.low.x(), k & 2 ? box.high.y() : box.low.y(),
               k & 4 ? box.high.z() : box.low.z()));
}

// Where a point is on a page whose unit of slope is one pixel.
Vec<2> camera_offset(Projection camera, const Vec<3>& world) {
  camera.focal = 1, camera.x = camera.y = 0;
  return camera.project(world).head<2>();
}

// The box fills the page but for the margins; height follows from its shape. Without an angle the eye is four radii away.
Projection fit_camera(const Bounds<3>& box, const CameraAxes& axes, const RenderOptions& options,
                      double right_band, int& height) {
  Projection camera;
  camera.right = axes.right, camera.up = axes.up, camera.forward = axes.forward;
  const Vec<3> middle = (box.low + box.high) / 2;
  const double radius = (box.high - box.low).norm() / 2;
  const double half_angle =
      options.angle.value_or(2 * 180 / std::numbers::pi * std::asin(0.25)) / 2 * std::numbers::pi / 180;
  camera.eye = middle - radius / std::sin(half_angle) * axes.forward;
  double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
  for_each_corner(box, [&](const Vec<3>& corner) {
    const Vec<3> p = camera.project(corner);
    left = std::min(left, p.x()), right = std::max(right, p.x()), top = std::min(top, p.y()),
    bottom = std::max(bottom, p.y());
  });
  const double above = options.labels ? kTopBand : 12, below = options.labels ? kBottomBand : 12,
               side = 2 * kSideBand;
  const double inner = options.width - 2 * side - std::max(0.0, right_band - side);
  const double tall = std::clamp(inner * (bottom - top) / (right - left), 0.45 * inner, 1.1 * inner);
  height = 2 * static_cast<int>(std::ceil(0.5 * (tall + above + below)));  // films want even sizes
  camera.focal = std::min(inner / (right - left), tall / (bottom - top)) * options.zoom;
  Vec<2> centre((left + right) / 2, (top + bottom) / 2);
  if (options.target) centre = camera_offset(camera, *options.target);
  camera.x = side + inner / 2 - camera.focal * centre.x();
  camera.y = above + tall / 2 - camera.focal * centre.y();
  return camera;
}

// From a given place to a given place.
Projection place_camera(const Bounds<3>& box, const Vec<3>& up, const RenderOptions& options,
                        double right_band, int& height) {
  Projection camera;
  camera.eye = *options.eye;
  const Vec<3> target = options.target.value_or(Vec<3>((box.low + box.high) / 2)), way = target - camera.eye;
  if (!(way.norm() > 0))
    throw InputError("--eye", "the camera stands where it looks at", {},
                     "another place, or another --target");
  camera.forward = way.normalized();
  const Vec<3> level = camera.forward.cross(up);
  camera.right = level.norm() > 1e-6 ? Vec<3>(level.normalized()) : camera.forward.unitOrthogonal();
  camera.up = camera.right.cross(camera.forward);
  height = 2 * (options.width * 3 / 8);
  const double half_angle = options.angle.value_or(40) / 2 * std::numbers::pi / 180;
  camera.focal = options.zoom * height / 2 / std::tan(half_angle);
  camera.x = (options.width - right_band) / 2, camera.y = height / 2.0;
  return camera;
}

}  // namespace

Vec<3> up_of(const std::vector<double>& gravity) {
  const Vec<3> g(gravity[0], gravity[1], gravity[2]);
  return g.norm() > 0 ? Vec<3>(-g.normalized()) : Vec<3>::UnitZ();
}

// Looks down at `elevation`, turned by `azimuth` about `up`, degrees.
CameraAxes look_from(const Vec<3>& up, double azimuth, double elevation) {
  const Vec<3> x =
      (std::abs(up.x()) < 0.9 ? Vec<3>::UnitX() : Vec<3>::UnitY()).cross(up).normalized().cross(up) * -1;
  const Vec<3> y = up.cross(x);
  const double turn = azimuth * std::numbers::pi / 180, tilt = elevation * std::numbers::pi / 180;
  const Vec<3> aside = std::cos(turn) * x + std::sin(turn) * y;
  CameraAxes axes;
  axes.forward = -(std::cos(tilt) * aside + std::sin(tilt) * up).normalized();
  axes.right = axes.forward.cross(up).normalized();
  axes.up = axes.right.cross(axes.forward);
  return axes;
}

Projection choose_camera(const Bounds<3>& box, const Vec<3>& up, const RenderOptions& options,
                         double right_band, int& height) {
  if (options.eye) return place_camera(box, up, options, right_band, height);
  return fit_camera(box, look_from(up, options.azimuth, options.elevation), options, right_band, height);
}

Projection enlarged(Projection camera, double factor) {
  camera.focal *= factor, camera.x *= factor, camera.y *= factor;
  return camera;
}

Projection fit_light(const Bounds<3>& box, const CameraAxes& axes, int size) {
  Projection light;
  light.parallel = true;
  light.right = axes.right, light.up = axes.up, light.forward = axes.forward;
  const double radius = (box.high - box.low).norm() / 2;
  light.eye = (box.low + box.high) / 2 - 2 * radius * axes.forward;
  light.focal = size / (2.4 * radius);
  light.x = light.y = size / 2.0;
  return light;
}

}  // namespace saltus
