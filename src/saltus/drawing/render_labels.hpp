// Title, time, scale bar and legend of a figure.
#pragma once

#include <string>
#include <vector>

#include "saltus/drawing/render_canvas.hpp"

namespace saltus {

inline constexpr double kTopBand = 44, kBottomBand = 54, kSideBand = 24;

struct LegendEntry {
  std::string text;
  Colour colour;
  double width = 3;  // of the line that stands for it; 0: none
};

void draw_title(const Canvas& canvas, const std::string& title, double time);

// The legend begins at the left; `pixels_per_metre` > 0 adds a scale bar at the right.
void draw_legend(const Canvas& canvas, const std::vector<LegendEntry>& entries, double pixels_per_metre);

}  // namespace saltus
