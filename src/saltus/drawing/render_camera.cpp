#include "saltus/drawing/render_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render_labels.hpp"

namespace saltus {

namespace {

constexpr double kDistance = 4;  // radii of the view to the eye, without an angle

Projection stand_at(const Vec<3>& eye, const Vec<3>& target, const Vec<3>& up) {
  Projection camera;
  camera.eye = eye;
  const Vec<3> way = target - eye;
  if (!(way.norm() > 0))
    throw InputError("--eye", "the camera stands where it looks at", {},
                     "another place, or another --target");
  camera.forward = way.normalized();
  const Vec<3> level = camera.forward.cross(up);
  camera.right = level.norm() > 1e-6 ? Vec<3>(level.normalized()) : camera.forward.unitOrthogonal();
  camera.up = camera.right.cross(camera.forward);
  return camera;
}

// The outline fills the page; height follows from its shape.
Projection fit_camera(Projection camera, const Bounds<2>& outline, const RenderOptions& options,
                      double right_band, int& height) {
  const double above = options.labels ? kTopBand : 12, below = options.labels ? kBottomBand : 12,
               side = 2 * kSideBand;
  const Vec<2> size = outline.high - outline.low;
  const double inner = options.width - 2 * side - std::max(0.0, right_band - side);
  const double tall = std::clamp(inner * size.y() / size.x(), 0.45 * inner, 1.1 * inner);
  height = 2 * static_cast<int>(std::ceil(0.5 * (tall + above + below)));  // films want even sizes
  const Vec<2> centre = options.target ? Vec<2>(camera.project(*options.target).head<2>())
                                       : Vec<2>((outline.low + outline.high) / 2);
  camera.focal = std::min(inner / size.x(), tall / size.y()) * options.zoom;
  camera.x = side + inner / 2 - camera.focal * centre.x();
  camera.y = above + tall / 2 - camera.focal * centre.y();
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

Projection place_camera(const Bounds<3>& box, const Vec<3>& up, const RenderOptions& options) {
  const Vec<3> middle = (box.low + box.high) / 2;
  if (options.eye) return stand_at(*options.eye, options.target.value_or(middle), up);
  const CameraAxes axes = look_from(up, options.azimuth, options.elevation);
  const double slope = options.angle ? std::sin(*options.angle / 2 * std::numbers::pi / 180) : 1 / kDistance;
  Projection camera;
  camera.right = axes.right, camera.up = axes.up, camera.forward = axes.forward;
  camera.eye = middle - (box.high - box.low).norm() / 2 / slope * axes.forward;
  return camera;
}

Projection choose_camera(const Projection& placed, const Bounds<2>& outline, const RenderOptions& options,
                         double right_band, int& height) {
  if (!options.eye) return fit_camera(placed, outline, options, right_band, height);
  Projection camera = placed;
  height = 2 * (options.width * 3 / 8);
  const double half_angle = options.angle.value_or(40) / 2 * std::numbers::pi / 180;
  camera.focal = options.zoom * height / 2 / std::tan(half_angle);
  camera.x = (options.width - right_band) / 2, camera.y = height / 2.0;
  return camera;
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
