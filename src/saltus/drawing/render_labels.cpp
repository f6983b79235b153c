#include "saltus/drawing/render_labels.hpp"

#include <cairo.h>

#include "saltus/drawing/render_units.hpp"

namespace saltus {

namespace {

constexpr double kText = 15;

}  // namespace

void draw_title(const Canvas& canvas, const std::string& title, double time) {
  const std::string label = "t = " + format_time(time);
  canvas.text(canvas.width() - kSideBand, 29, label, kText, kInk, 1);
  const double room = canvas.width() - 3 * kSideBand - canvas.text_width(label, kText);
  const auto fits = [&](const std::string& text) { return canvas.text_width(text, kText) <= room; };
  canvas.text(kSideBand, 29, shorten_text(title, fits), kText, kInk);
}

void draw_legend(const Canvas& canvas, const std::vector<LegendEntry>& entries, double pixels_per_metre) {
  cairo_t* context = canvas.context();
  const double base = canvas.height() - 20;
  double x = kSideBand;
  for (const LegendEntry& entry : entries) {
    if (entry.width > 0) {
      canvas.set_colour(entry.colour);
      cairo_set_line_width(context, entry.width);
      cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT);
      canvas.line({x, base - 5}, {x + 26, base - 5});
      x += 34;
    }
    canvas.text(x, base, entry.text, kText - 2, kMuted);
    x += canvas.text_width(entry.text, kText - 2) + 24;
  }
  cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
  if (!(pixels_per_metre > 0)) return;
  const double length = round_length(0.16 * canvas.width() / pixels_per_metre);
  const double right = canvas.width() - kSideBand, left = right - length * pixels_per_metre;
  canvas.set_colour(kInk);
  cairo_set_line_width(context, 1.5);
  canvas.line({left, base + 2}, {right, base + 2});
  for (const double end : {left, right}) canvas.line({end, base - 2}, {end, base + 6});
  canvas.text((left + right) / 2, base - 6, format_length(length), kText - 2, kInk, 0.5);
}

}  // namespace saltus
