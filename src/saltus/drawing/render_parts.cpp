#include "saltus/drawing/render_parts.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

namespace saltus {

namespace {

constexpr Colour kElastic{0.985, 0.93, 0.82}, kElementLine{0.82, 0.74, 0.60};

}  // namespace

void draw_mesh(const Canvas& canvas, const std::vector<Vec<2>>& nodes,
               const std::vector<std::array<int, 3>>& triangles) {
  cairo_t* context = canvas.context();
  std::map<std::pair<int, int>, int> sides;  // how many triangles have it
  const auto at = [&](int node) -> const Vec<2>& { return nodes[static_cast<std::size_t>(node)]; };
  for (const auto& triangle : triangles) {
    if (!std::all_of(triangle.begin(), triangle.end(), [&](int node) { return at(node).allFinite(); }))
      continue;
    cairo_move_to(context, at(triangle[0]).x(), at(triangle[0]).y());
    for (const int k : {1, 2}) cairo_line_to(context, at(triangle[k]).x(), at(triangle[k]).y());
    cairo_close_path(context);
    canvas.set_colour(kElastic);
    cairo_fill_preserve(context);
    canvas.set_colour(kElementLine);
    cairo_set_line_width(context, 0.5);
    cairo_stroke(context);
    for (int k = 0; k < 3; ++k) ++sides[std::minmax(triangle[k], triangle[(k + 1) % 3])];
  }
  canvas.set_colour(kInk);
  cairo_set_line_width(context, 1.2);
  for (const auto& [side, count] : sides)
    if (count == 1) canvas.line(at(side.first), at(side.second));
}

void draw_joint(const Canvas& canvas, const Vec<2>& point, const Vec<2>& point_b, const Vec<2>& way,
                double load, double size) {
  if (!point.allFinite() || !point_b.allFinite()) return;
  const double ring = std::clamp(0.12 * size, 1.5, 3.5);
  cairo_t* context = canvas.context();
  if ((point_b - point).norm() > 2 * ring) {
    canvas.set_colour(kInk);
    cairo_set_line_width(context, 1.2);
    canvas.line(point, point_b);
  }
  if (load > 0.35 && way.norm() > 0) {
    const Vec<2> half = std::clamp(0.3 * size, 4.0, 18.0) * way.normalized();
    canvas.set_colour(kStick, 0.85);
    cairo_set_line_width(context, std::min(load, std::clamp(0.15 * size, 1.0, 5.0)));
    canvas.line(point_b - half, point_b + half);
  }
  cairo_new_sub_path(context);
  cairo_arc(context, point_b.x(), point_b.y(), ring, 0, 2 * std::numbers::pi);
  canvas.set_colour({1, 1, 1});
  cairo_fill_preserve(context);
  canvas.set_colour(kInk);
  cairo_set_line_width(context, 1.6);
  cairo_stroke(context);
}

}  // namespace saltus
