#include "saltus/drawing/render_shade.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/parallel.hpp"

namespace saltus {

namespace {

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

}  // namespace

Eigen::Vector3d Shader::shade(int px, int py) const {
  const std::size_t at = index(px, py);
  const int id = raster.id[at];
  if (id < 0) return Eigen::Vector3d::Ones();
  const Vec<3> point = camera.position(px + 0.5, py + 0.5, raster.nearness[at]);
  const Vec<3> eye_way = (camera.eye - point).normalized();
  Vec<3> n = raster.normal[at].cast<double>().normalized();
  if (n.dot(eye_way) < 0) n = -n;
  const Vec<3> to_light = -light.forward;
  const double facing = std::max(0.0, n.dot(to_light));
  const double direct = facing > 0 && shadow ? facing * lit_part(*shadow, light, point + bias * n, bias)
                        : shadow             ? 0
                                             : facing;
  const double sky = 0.5 + 0.5 * n.dot(up);
  const float value = raster.value[at];
  const Colour base = colour_of_value && !std::isnan(value) ? colour_of_value(value)
                                                            : looks[static_cast<std::size_t>(id)].colour;
  const double gain = 0.44 + 0.14 * sky + 0.50 * direct;
  Eigen::Vector3d colour = gain * Eigen::Vector3d(base.red, base.green, base.blue);
  const double gleam = direct > 0 ? std::pow(std::max(0.0, n.dot((to_light + eye_way).normalized())), 40) : 0;
  colour.array() += 0.10 * gleam * direct;
  colour = (is_edge(px, py) ? 0.45 : raster.line[at] ? 0.72 : 1.0) * colour.cwiseMin(1.0);
  if (pale > 0) colour += pale * (Eigen::Vector3d::Ones() - colour);
  if (!looks[static_cast<std::size_t>(id)].inside) return colour;
  // The ground fades into the paper instead of ending.
  const double fade = std::clamp(2 * (point - middle).norm() / extent - 1, 0.0, 1.0);
  return colour + fade * (Eigen::Vector3d::Ones() - colour);
}

// A thin line where one body ends and another one, or nothing, begins.
bool Shader::is_edge(int px, int py) const {
  if (looks[static_cast<std::size_t>(raster.id[index(px, py)])].inside) return false;
  const int id = raster.id[index(px, py)];
  return (px + 1 < raster.width && raster.id[index(px + 1, py)] != id) ||
         (py + 1 < raster.height && raster.id[index(px, py + 1)] != id);
}

cairo_surface_t* develop(const Shader& under, const Shader* over, int width, int height) {
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  unsigned char* data = cairo_image_surface_get_data(image);
  const int stride = cairo_image_surface_get_stride(image);
  parallel_for(height, 16, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < width; ++x) {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (int k = 0; k < kFine * kFine; ++k) {
          const int px = kFine * x + k % kFine, py = kFine * y + k / kFine;
          sum += (over && !over->is_empty(px, py) ? *over : under).shade(px, py);
        }
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

}  // namespace saltus
