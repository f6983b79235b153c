// Hidden surfaces by a depth buffer: what is seen at each pixel, and from which side.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/drawing/render_mesh.hpp"

namespace saltus {

// A camera (perspective) or a distant light (parallel). Pixels grow to the right and down.
struct Projection {
  Vec<3> eye, right, up, forward;  // unit vectors
  double focal = 1;                // perspective: pixels per unit of slope; parallel: pixels per metre
  double x = 0, y = 0;             // pixel that looks along `forward`
  bool parallel = false;

  // Pixel, and a nearness that is linear over the picture and grows towards the eye.
  Vec<3> project(const Vec<3>& world) const;
  // Not behind the eye.
  bool sees(const Vec<3>& world) const { return parallel || (world - eye).dot(forward) > 0; }
  // The point seen at a pixel with this nearness.
  Vec<3> position(double px, double py, double nearness) const;
};

struct Raster {
  Raster(int columns, int rows);
  void add(const Surface& surface, const Projection& projection, int id);

  int width, height;
  std::vector<float> nearness;          // per pixel; -infinity: nothing
  std::vector<Eigen::Vector3f> normal;  // world axes
  std::vector<std::int32_t> id;         // -1: nothing
  std::vector<float> value;             // of a field; nan: none
  std::vector<std::uint8_t> line;       // 1: the side of an outlined triangle

 private:
  // Cut where it passes behind the eye.
  void add_triangle(const SurfaceTriangle& triangle, const Projection& projection, int body);
  void fill_triangle(const SurfaceTriangle& triangle, const Projection& projection, int body);
  void add_ball(const Vec<3>& centre, double radius, const Projection& projection, int body);
  // False when something nearer is there.
  bool put(int px, int py, double near, const Vec<3>& n, int body);
};

}  // namespace saltus
