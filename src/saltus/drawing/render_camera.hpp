// Where pictures of space are seen from.
#pragma once

#include <optional>
#include <vector>

#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_raster.hpp"
#include "saltus/geometry/bounds.hpp"

namespace saltus {

// Against gravity; z without it.
Vec<3> up_of(const std::vector<double>& gravity);

struct CameraAxes {
  Vec<3> right, up, forward;
};

// Looks down at `elevation`, turned by `azimuth` about `up`, degrees.
CameraAxes look_from(const Vec<3>& up, double azimuth, double elevation);

// Where the eye is when the page is to hold the box, and how it looks; one pixel to a unit of slope. With options.eye: there.
Projection place_camera(const Bounds<3>& box, const Vec<3>& up, const RenderOptions& options);

// The outline, as `placed` sees it, fills the page but for the margins, or the camera is where the options put it; `height` of the page is
// even. `right_band`: pixels at the right that are kept free.
Projection choose_camera(const Projection& placed, const Bounds<2>& outline, const RenderOptions& options,
                         double right_band, int& height);

// The same picture with so many times more pixels.
Projection enlarged(Projection camera, double factor);

// A distant light that covers the box; its map has `size` x `size` pixels.
Projection fit_light(const Bounds<3>& box, const CameraAxes& axes, int size);

}  // namespace saltus
