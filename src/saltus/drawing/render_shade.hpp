// Light and colour of what a raster shows.
#pragma once

#include <functional>
#include <vector>

#include "saltus/drawing/render_canvas.hpp"
#include "saltus/drawing/render_raster.hpp"

namespace saltus {

inline constexpr int kFine = 2;  // pixels of the raster per pixel of the picture, each way

struct Look {
  Colour colour;
  bool inside = false;  // seen from inside only: walls of drums
};

struct Shader {
  const Raster& raster;
  const Projection& camera;
  const Raster* shadow;  // none: light from everywhere
  const Projection& light;
  const std::vector<Look>& looks;
  Vec<3> up, middle;
  double extent;  // of the ground about `middle`
  double bias;
  std::function<Colour(double)> colour_of_value;  // of pixels with a value
  double pale = 0;                                // 1: white

  bool is_empty(int px, int py) const { return raster.id[index(px, py)] < 0; }
  Eigen::Vector3d shade(int px, int py) const;

 private:
  std::size_t index(int px, int py) const {
    return static_cast<std::size_t>(py) * static_cast<std::size_t>(raster.width) +
           static_cast<std::size_t>(px);
  }
  bool is_edge(int px, int py) const;
};

// Means of kFine x kFine pixels, as a Cairo picture; where `over` is not empty it hides `under`.
cairo_surface_t* develop(const Shader& under, const Shader* over, int width, int height);

}  // namespace saltus
