// Bodies of the plane as outlines on a page.
#pragma once

#include <optional>

#include "saltus/drawing/render_canvas.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

// World to page, y up.
struct PlaneView {
  Vec<2> low, high;  // of the world
  double scale;      // pixels per metre
  Vec<2> origin;     // page position of `low`

  Vec<2> to_page(const Vec<2>& x) const {
    return {origin.x() + scale * (x.x() - low.x()), origin.y() - scale * (x.y() - low.y())};
  }
};

class PlaneFigure {
 public:
  PlaneFigure(const Canvas& canvas, const PlaneView& view) : canvas_(canvas), view_(view) {}

  // Filled with `colour`; none: the colour of bodies, or of walls for one that is fixed.
  void draw_body(const FrameBody<2>& body, const std::optional<Colour>& colour) const;

 private:
  const Canvas& canvas_;
  const PlaneView& view_;
};

}  // namespace saltus
