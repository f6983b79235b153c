// Colours of a field, and the bar that tells them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/drawing/fields.hpp"
#include "saltus/drawing/render_canvas.hpp"
#include "saltus/geometry/bounds.hpp"

namespace saltus {

inline constexpr double kBarBand = 118;  // pixels at the right of a page that has a bar

// Muted, distinct in grey too: what has no order.
Colour palette_colour(std::int64_t number);
// s from 0 to 1. `scale_colour`: dark to light, even steps to the eye (viridis); `signed_colour`: blue, grey, red.
Colour scale_colour(double s);
Colour signed_colour(double s);

// A range that ends at round numbers, and where its ticks are.
std::vector<double> choose_ticks(double low, double high, int most);

template <int Dim>
class FieldColours {
 public:
  // The range is that of the bodies that are not held and of meshes in the frames, at most 60 of them; of those in the region where
  // there is one.
  FieldColours(const TrajectoryReader<Dim>& reader, const std::string& field,
               const std::optional<std::pair<double, double>>& range, const std::vector<std::int64_t>& shown,
               const Bounds<Dim>* region = nullptr);

  FieldValues values(const Frame<Dim>& frame, std::int64_t number) {
    return fields_.compute(field_, frame, number);
  }
  // None for nan: what has no such number keeps its own colour.
  std::optional<Colour> colour(double value) const;

  void draw_bar(const Canvas& canvas) const;

 private:
  void draw_categories(const Canvas& canvas) const;

  Field field_;
  FieldReader<Dim> fields_;
  double low_ = 0, high_ = 0;
};

extern template class FieldColours<2>;
extern template class FieldColours<3>;

}  // namespace saltus
