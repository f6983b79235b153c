#include "saltus/drawing/render_colours.hpp"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/drawing/mesh_fields.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_units.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

namespace {

constexpr Colour kBodyPalette[] = {{0.55, 0.66, 0.78}, {0.84, 0.74, 0.58}, {0.65, 0.75, 0.64},
                                   {0.80, 0.64, 0.60}, {0.70, 0.66, 0.77}, {0.86, 0.84, 0.73}};
// Eleven points of viridis (S. van der Walt and N. Smith, CC0).
constexpr std::array<Colour, 11> kViridis = {{{0.267, 0.005, 0.329},
                                              {0.283, 0.141, 0.458},
                                              {0.254, 0.265, 0.530},
                                              {0.207, 0.372, 0.553},
                                              {0.164, 0.471, 0.558},
                                              {0.128, 0.567, 0.551},
                                              {0.135, 0.659, 0.518},
                                              {0.267, 0.749, 0.441},
                                              {0.478, 0.821, 0.318},
                                              {0.741, 0.873, 0.150},
                                              {0.993, 0.906, 0.144}}};
// Ends and middle of K. Moreland's diverging map (2009), with two points between.
constexpr std::array<Colour, 5> kDiverging = {{{0.230, 0.299, 0.754},
                                               {0.552, 0.690, 0.996},
                                               {0.865, 0.865, 0.865},
                                               {0.958, 0.604, 0.482},
                                               {0.706, 0.016, 0.150}}};
// Paler than those of chains, which are drawn on top.
constexpr Colour kStatusColours[] = {
    {0.90, 0.91, 0.92}, {0.60, 0.73, 0.88}, {0.94, 0.68, 0.62}, {0.70, 0.70, 0.68}};

template <std::size_t N>
Colour between(const std::array<Colour, N>& points, double s) {
  const double at = std::clamp(s, 0.0, 1.0) * (N - 1);
  const auto i = std::min(static_cast<std::size_t>(at), N - 2);
  const double t = at - static_cast<double>(i);
  const auto mix = [&](double a, double b) { return a + t * (b - a); };
  return {mix(points[i].red, points[i + 1].red), mix(points[i].green, points[i + 1].green),
          mix(points[i].blue, points[i + 1].blue)};
}

constexpr std::size_t kMostSampled = 60;

}  // namespace

Colour palette_colour(std::int64_t number) {
  return kBodyPalette[static_cast<std::size_t>(number < 0 ? -number : number) % std::size(kBodyPalette)];
}
Colour scale_colour(double s) {
  // A little lighter than it is: shades and outlines must be seen on it.
  constexpr double kLift = 0.14;
  const Colour c = between(kViridis, s);
  const auto lift = [](double x) { return x + kLift * (1 - x); };
  return {lift(c.red), lift(c.green), lift(c.blue)};
}
Colour signed_colour(double s) { return between(kDiverging, s); }

std::vector<double> choose_ticks(double low, double high, int most) {
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span)) return {low};
  const double power = std::pow(10, std::floor(std::log10(span / most)));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0})
    if (span / (digit * power) <= most) step = digit * power;
  std::vector<double> ticks;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * span; ++n)
    ticks.push_back(std::abs(n) < 0.5 ? 0 : n * step);
  return ticks;
}

template <int Dim>
FieldColours<Dim>::FieldColours(const TrajectoryReader<Dim>& reader, const std::string& field,
                                const std::optional<std::pair<double, double>>& range,
                                const std::vector<std::int64_t>& shown, const Bounds<Dim>* region)
    : field_(find_field(field, reader.header(), list_node_fields(reader.frame(shown.at(0))), "--colour")),
      fields_(reader) {
  require_fields(reader.file(), stored_fields_of(field_), "--colour " + field);
  if (range) {
    low_ = range->first, high_ = range->second;
    return;
  }
  if (field_.is_category) return;
  low_ = 1e300, high_ = -1e300;
  const auto add = [&](double x, const Vec<Dim>& place) {
    if (!std::isfinite(x) || (region && !region->contains({place, place}))) return;
    low_ = std::min(low_, x), high_ = std::max(high_, x);
  };
  const std::size_t stride = 1 + shown.size() / kMostSampled;
  for (std::size_t i = 0; i < shown.size(); i += stride) {
    const Frame<Dim> frame = reader.frame(shown[i]);
    const FieldValues all = fields_.compute(field_, frame, shown[i]);
    for (std::size_t b = 0; b < frame.bodies.size(); ++b)
      if (!frame.bodies[b].is_held() && !frame.bodies[b].follows)
        add(all.bodies[b], frame.bodies[b].pose.position);
    for (std::size_t s = 0; s < all.nodes.size(); ++s)
      for (std::size_t k = 0; k < all.nodes[s].size(); ++k) add(all.nodes[s][k], frame.systems[s].nodes[k]);
  }
  if (!(low_ <= high_)) low_ = high_ = 0;
  if (field_.is_signed) low_ = -std::max(std::abs(low_), std::abs(high_)), high_ = -low_;
  // Sizes begin at zero, unless all are far from it.
  if (!field_.is_signed && low_ > 0 && low_ < 0.5 * high_) low_ = 0;
}

template <int Dim>
std::optional<Colour> FieldColours<Dim>::colour(double value) const {
  if (std::isnan(value)) return std::nullopt;
  if (field_.base == "status") return kStatusColours[static_cast<std::size_t>(std::clamp(value, 0.0, 3.0))];
  if (field_.is_category) return palette_colour(static_cast<std::int64_t>(value));
  const double s = high_ > low_ ? (value - low_) / (high_ - low_) : 0.5;
  return field_.is_signed ? signed_colour(s) : scale_colour(s);
}

template <int Dim>
void FieldColours<Dim>::draw_categories(const Canvas& canvas) const {
  cairo_t* context = canvas.context();
  const double left = canvas.width() - kBarBand + 8;
  double y = kTopBand + 12;
  for (std::size_t i = 0; i < field_.categories.size() && y < canvas.height() - kBottomBand; ++i, y += 26) {
    cairo_rectangle(context, left, y, 16, 16);
    canvas.set_colour(*colour(static_cast<double>(i)));
    cairo_fill_preserve(context);
    canvas.set_colour(kInk);
    cairo_set_line_width(context, 0.6);
    cairo_stroke(context);
    canvas.text(left + 23, y + 13, field_.categories[i], 13, kInk);
  }
}

template <int Dim>
void FieldColours<Dim>::draw_bar(const Canvas& canvas) const {
  if (field_.is_category) return draw_categories(canvas);
  cairo_t* context = canvas.context();
  const double left = canvas.width() - kBarBand + 14, wide = 18;
  const double room = canvas.height() - kTopBand - kBottomBand;
  const double tall = std::min(0.8 * room - 20, 420.0), top = kTopBand + (room - tall) / 2 + 10;
  const auto y_of = [&](double value) {
    return high_ > low_ ? top + tall * (1 - (value - low_) / (high_ - low_)) : top + tall / 2;
  };
  cairo_pattern_t* gradient = cairo_pattern_create_linear(0, top + tall, 0, top);
  constexpr int kStops = 32;
  for (int i = 0; i <= kStops; ++i) {
    const double s = static_cast<double>(i) / kStops;
    const Colour c = field_.is_signed ? signed_colour(s) : scale_colour(s);
    cairo_pattern_add_color_stop_rgb(gradient, s, c.red, c.green, c.blue);
  }
  cairo_rectangle(context, left, top, wide, tall);
  cairo_set_source(context, gradient);
  cairo_fill_preserve(context);
  cairo_pattern_destroy(gradient);
  canvas.set_colour(kInk);
  cairo_set_line_width(context, 0.8);
  cairo_stroke(context);
  const PrefixedUnit unit = choose_prefix(field_.unit, std::max(std::abs(low_), std::abs(high_)));
  for (const double tick : choose_ticks(low_, high_, 6)) {
    canvas.set_colour(kInk);
    canvas.line({left + wide, y_of(tick)}, {left + wide + 5, y_of(tick)});
    canvas.text(left + wide + 9, y_of(tick) + 4.5, fmt::format("{:.4g}", tick / unit.size), 13, kInk);
  }
  // Words above, right-aligned to the page where they are long.
  const std::string words = unit.name.empty() ? field_.name : field_.name + ", " + unit.name;
  const double length = canvas.text_width(words, 13);
  canvas.text(std::min(left, canvas.width() - 8 - length), top - 12, words, 13, kInk);
}

template class FieldColours<2>;
template class FieldColours<3>;

}  // namespace saltus
