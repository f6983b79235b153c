// Shaded pictures of space: see render.hpp.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/base/parallel.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_parts.hpp"
#include "saltus/drawing/render_raster.hpp"
#include "saltus/drawing/render_units.hpp"

namespace saltus {

namespace {

constexpr int kFine = 2;  // pixels of the raster per pixel of the picture, each way
constexpr int kShadowMap = 2048;
constexpr Colour kGround{0.93, 0.93, 0.92}, kWall{0.72, 0.73, 0.73};
// Muted, distinct in grey too.
constexpr Colour kPalette[] = {{0.55, 0.66, 0.78}, {0.84, 0.74, 0.58}, {0.65, 0.75, 0.64},
                               {0.80, 0.64, 0.60}, {0.70, 0.66, 0.77}, {0.86, 0.84, 0.73}};

struct Look {
  Colour colour;
  bool inside = false;  // seen from inside only: walls of drums
};

Look look_of(const FrameBody<3>& body) {
  const bool hollow = std::holds_alternative<HollowSphere>(*body.shape) ||
                      std::holds_alternative<HollowCylinder>(*body.shape);
  if (std::holds_alternative<Plane>(*body.shape)) return {kGround, true};
  if (hollow) return {kGround, true};
  if (body.fixed) return {kWall};
  return {kPalette[static_cast<std::size_t>(body.id) % std::size(kPalette)]};
}

// Walls between the camera and what moves hide it: they are left out.
std::vector<bool> find_hiding_walls(const Frame<3>& frame, const Vec<3>& forward) {
  Bounds<3> moving;
  for (const FrameBody<3>& body : frame.bodies)
    if (!body.fixed && !is_unbounded<3>(*body.shape)) moving.add(body.pose.position);
  const Vec<3> middle = (moving.low + moving.high) / 2;
  const double radius = (moving.high - moving.low).norm() / 2;
  std::vector<bool> hiding;
  for (const FrameBody<3>& body : frame.bodies) {
    bool hides = body.fixed && radius < 1e100 && !is_unbounded<3>(*body.shape) &&
                 !std::holds_alternative<TriangleMesh>(*body.shape);
    if (hides) {
      const Bounds<3> box = compute_bounds<3>(*body.shape, body.pose);
      const bool large = (box.high - box.low).norm() > radius;
      hides = large && ((box.low + box.high) / 2 - middle).dot(forward) < -0.2 * radius;
    }
    hiding.push_back(hides);
  }
  return hiding;
}

// Surfaces that show their back to the eye are left out where only the inside is to be seen.
void remove_backs(const Vec<3>& eye, Surface& surface) {
  std::erase_if(surface.triangles,
                [&](const SurfaceTriangle& t) { return t.normal[0].dot(eye - t.corner[0]) <= 0; });
}

Vec<3> up_of(const std::vector<double>& gravity) {
  const Vec<3> g(gravity[0], gravity[1], gravity[2]);
  return g.norm() > 0 ? Vec<3>(-g.normalized()) : Vec<3>::UnitZ();
}

struct Axes {
  Vec<3> right, up, forward;
};

// Looks down at `elevation`, turned by `azimuth` about `up`, degrees.
Axes look_from(const Vec<3>& up, double azimuth, double elevation) {
  const Vec<3> x =
      (std::abs(up.x()) < 0.9 ? Vec<3>::UnitX() : Vec<3>::UnitY()).cross(up).normalized().cross(up) * -1;
  const Vec<3> y = up.cross(x);
  const double turn = azimuth * std::numbers::pi / 180, tilt = elevation * std::numbers::pi / 180;
  const Vec<3> aside = std::cos(turn) * x + std::sin(turn) * y;
  Axes axes;
  axes.forward = -(std::cos(tilt) * aside + std::sin(tilt) * up).normalized();
  axes.right = axes.forward.cross(up).normalized();
  axes.up = axes.right.cross(axes.forward);
  return axes;
}

template <class Use>
void for_each_corner(const Bounds<3>& box, Use use) {
  for (int k = 0; k < 8; ++k)
    use(Vec<3>(k & 1 ? box.high.x() : box.low.x(), k & 2 ? box.high.y() : box.low.y(),
               k & 4 ? box.high.z() : box.low.z()));
}

// The box fills the page but for the margins; height follows from its shape.
Projection fit_camera(const Bounds<3>& box, const Axes& axes, int width, bool labels, int& height) {
  Projection camera;
  camera.right = axes.right, camera.up = axes.up, camera.forward = axes.forward;
  const Vec<3> middle = (box.low + box.high) / 2;
  camera.eye = middle - 4 * (box.high - box.low).norm() / 2 * axes.forward;
  double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
  for_each_corner(box, [&](const Vec<3>& corner) {
    const Vec<3> p = camera.project(corner);
    left = std::min(left, p.x()), right = std::max(right, p.x()), top = std::min(top, p.y()),
    bottom = std::max(bottom, p.y());
  });
  const double above = labels ? kTopBand : 12, below = labels ? kBottomBand : 12, side = 2 * kSideBand;
  const double inner = width - 2 * side;
  const double tall = std::clamp(inner * (bottom - top) / (right - left), 0.45 * inner, 1.1 * inner);
  height = 2 * static_cast<int>(std::ceil(0.5 * (tall + above + below)));  // films want even sizes
  camera.focal = std::min(inner / (right - left), tall / (bottom - top));
  camera.x = width / 2.0 - camera.focal * (left + right) / 2;
  camera.y = above + tall / 2 - camera.focal * (top + bottom) / 2;
  return camera;
}

Projection enlarged(Projection camera, double factor) {
  camera.focal *= factor, camera.x *= factor, camera.y *= factor;
  return camera;
}

Projection fit_light(const Bounds<3>& box, const Axes& axes) {
  Projection light;
  light.parallel = true;
  light.right = axes.right, light.up = axes.up, light.forward = axes.forward;
  const double radius = (box.high - box.low).norm() / 2;
  light.eye = (box.low + box.high) / 2 - 2 * radius * axes.forward;
  light.focal = kShadowMap / (2.4 * radius);
  light.x = light.y = kShadowMap / 2.0;
  return light;
}

// Part of the light that reaches a point: 0 to 1, over 5 x 5 texels of the map for soft edges.
double lit_part(const Raster& map, const Projection& light, const Vec<3>& point, double bias) {
  const Vec<3> p = light.project(point);
  const int cx = static_cast<int>(p.x()), cy = static_cast<int>(p.y());
  int lit = 0, asked = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int x = cx + dx, y = cy + dy;
      if (x < 0 || y < 0 || x >= map.width || y >= map.height) continue;
      ++asked;
      lit += !(map.nearness[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) +
                            static_cast<std::size_t>(x)] > p.z() + bias);
    }
  return asked ? static_cast<double>(lit) / asked : 1;
}

struct Shader {
  const Raster& raster;
  const Projection& camera;
  const Raster& shadow;
  const Projection& light;
  const std::vector<Look>& looks;
  Vec<3> up, middle;
  double extent;  // of the ground about `middle`
  double bias;

  Eigen::Vector3d shade(int px, int py) const {
    const std::size_t at = index(px, py);
    const int id = raster.id[at];
    if (id < 0) return Eigen::Vector3d::Ones();
    const Vec<3> point = camera.position(px + 0.5, py + 0.5, raster.nearness[at]);
    const Vec<3> eye_way = (camera.eye - point).normalized();
    Vec<3> n = raster.normal[at].cast<double>().normalized();
    if (n.dot(eye_way) < 0) n = -n;
    const Vec<3> to_light = -light.forward;
    const double facing = std::max(0.0, n.dot(to_light));
    const double direct = facing > 0 ? facing * lit_part(shadow, light, point + bias * n, bias) : 0;
    const double sky = 0.5 + 0.5 * n.dot(up);
    const Colour& base = looks[static_cast<std::size_t>(id)].colour;
    const double gain = 0.44 + 0.14 * sky + 0.50 * direct;
    Eigen::Vector3d colour = gain * Eigen::Vector3d(base.red, base.green, base.blue);
    const double gleam =
        direct > 0 ? std::pow(std::max(0.0, n.dot((to_light + eye_way).normalized())), 40) : 0;
    colour.array() += 0.10 * gleam * direct;
    colour = (is_edge(px, py) ? 0.45 : 1.0) * colour.cwiseMin(1.0);
    if (!looks[static_cast<std::size_t>(id)].inside) return colour;
    // The ground fades into the paper instead of ending.
    const double fade = std::clamp(2 * (point - middle).norm() / extent - 1, 0.0, 1.0);
    return colour + fade * (Eigen::Vector3d::Ones() - colour);
  }

 private:
  std::size_t index(int px, int py) const {
    return static_cast<std::size_t>(py) * static_cast<std::size_t>(raster.width) +
           static_cast<std::size_t>(px);
  }
  // A thin line where one body ends and another one, or nothing, begins.
  bool is_edge(int px, int py) const {
    if (looks[static_cast<std::size_t>(raster.id[index(px, py)])].inside) return false;
    const int id = raster.id[index(px, py)];
    return (px + 1 < raster.width && raster.id[index(px + 1, py)] != id) ||
           (py + 1 < raster.height && raster.id[index(px, py + 1)] != id);
  }
};

// Means of kFine x kFine pixels, as a Cairo picture.
cairo_surface_t* develop(const Shader& shader, int width, int height) {
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  unsigned char* data = cairo_image_surface_get_data(image);
  const int stride = cairo_image_surface_get_stride(image);
  parallel_for(height, 16, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < width; ++x) {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (int k = 0; k < kFine * kFine; ++k)
          sum += shader.shade(kFine * x + k % kFine, kFine * y + k / kFine);
        const Eigen::Vector3d mean = sum / (kFine * kFine) * 255;
        std::uint32_t pixel = 0;
        for (int c = 0; c < 3; ++c)
          pixel = pixel << 8 | static_cast<std::uint32_t>(std::clamp(mean[c], 0.0, 255.0) + 0.5);
        *reinterpret_cast<std::uint32_t*>(data + y * stride + 4 * x) = pixel;
      }
  });
  cairo_surface_mark_dirty(image);
  return image;
}

void draw_contacts(const Canvas& canvas, const Frame<3>& frame, const Projection& camera,
                   const TrajectoryHeader& header, double strongest) {
  cairo_t* context = canvas.context();
  const auto page = [&](const Vec<3>& x) -> Vec<2> { return camera.project(x).head<2>(); };
  for (const FrameContact<3>& contact : frame.contacts) {
    const double width = strongest > 0 ? 7 * std::min(force(contact, header.h) / strongest, 1.5) : 0;
    canvas.set_colour(colour_of(contact.status), 0.8);
    if (width > 0.05) {
      const auto [a, b] = chain_ends(frame, contact, header.period);
      cairo_set_line_width(context, std::max(0.4, width));
      canvas.bent_line(page(a), page(contact.point), page(b));
    }
    const Vec<2> p = page(contact.point);
    cairo_arc(context, p.x(), p.y(), 1.8, 0, 2 * std::numbers::pi);
    cairo_fill(context);
  }
}

void draw_velocities(const Canvas& canvas, const Frame<3>& frame, const Projection& camera,
                     const RenderScale<3>& scale) {
  canvas.set_colour(kVelocity);
  cairo_set_line_width(canvas.context(), 1.5);
  if (!(scale.fastest > 0)) return;
  for (const FrameBody<3>& body : frame.bodies) {
    if (body.fixed || !body.pose.position.allFinite()) continue;
    const Vec<3> tip = body.pose.position + body.velocity * (1.5 * scale.size / scale.fastest);
    canvas.arrow(camera.project(body.pose.position).head<2>(), camera.project(tip).head<2>());
  }
}

}  // namespace

template <>
void Renderer<3>::draw(std::int64_t number, const std::string& path) const {
  const Frame<3> frame = reader_.frame(number);
  const TrajectoryHeader& header = reader_.header();
  const Vec<3> up = up_of(header.gravity), middle = (scale_.view.low + scale_.view.high) / 2;
  const double extent = 0.75 * (scale_.view.high - scale_.view.low).norm();

  int height = 0;
  const Projection camera = fit_camera(scale_.view, look_from(up, options_.azimuth, options_.elevation),
                                       options_.width, options_.labels, height);
  const Projection fine = enlarged(camera, kFine);
  const Projection light = fit_light(scale_.view, look_from(up, options_.azimuth - 30, 48));

  Raster raster(kFine * options_.width, kFine * height), shadow(kShadowMap, kShadowMap);
  std::vector<Look> looks;
  const std::vector<bool> hiding = find_hiding_walls(frame, camera.forward);
  for (const FrameBody<3>& body : frame.bodies) {
    looks.push_back(look_of(body));
    if (!body.pose.position.allFinite() || hiding[looks.size() - 1]) continue;
    Surface surface = build_surface(*body.shape, body.pose, middle, extent);
    const int id = static_cast<int>(looks.size()) - 1;
    if (!looks.back().inside) shadow.add(surface, light, id);
    if (looks.back().inside) remove_backs(camera.eye, surface);
    raster.add(surface, fine, id);
  }

  Canvas canvas(path, options_.width, height);
  const Shader shader{raster, fine, shadow, light, looks, up, middle, extent, 2.5 / light.focal};
  cairo_surface_t* image = develop(shader, options_.width, height);
  cairo_set_source_surface(canvas.context(), image, 0, 0);
  cairo_paint(canvas.context());
  cairo_surface_destroy(image);

  for (const FrameJoint<3>& joint : frame.joints) {
    const double load = joint.impulse.norm() / reader_.header().h;
    const Vec<2> at = camera.project(joint.point_b).head<2>();
    const Vec<2> way =
        load > 0
            ? Vec<2>(camera.project(Vec<3>(joint.point_b + 0.1 * scale_.size * joint.impulse.normalized()))
                         .head<2>() -
                     at)
            : Vec<2>(Vec<2>::Zero());
    const double width =
        options_.chains && scale_.strongest > 0 ? 7 * std::min(load / scale_.strongest, 1.5) : 0;
    constexpr double kSize = 40;  // of a body on the page, about
    draw_joint(canvas, camera.project(joint.point).head<2>(), at, way, width, kSize);
  }
  if (options_.contacts) draw_contacts(canvas, frame, camera, header, scale_.strongest);
  if (options_.velocities) draw_velocities(canvas, frame, camera, scale_);
  if (options_.labels) {
    draw_title(canvas, header.title.empty() ? header.name : header.title, frame.time);
    std::vector<LegendEntry> legend;
    if (options_.contacts) {
      legend = {{"stick", kStick}, {"slide", kSlide}, {"open", kOpen}};
      if (scale_.strongest > 0) legend.push_back({format_force(scale_.strongest), kInk, 7});
    }
    if (options_.velocities) legend.push_back({format_velocity_legend(scale_.fastest), kVelocity, 1.5});
    // The scale holds at the middle of the view.
    draw_legend(canvas, legend, camera.focal / (middle - camera.eye).dot(camera.forward));
  }
  canvas.finish();
}

}  // namespace saltus
