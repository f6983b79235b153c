#include "saltus/drawing/render_parts.hpp"

#include <cairo.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

namespace saltus {

namespace {

constexpr Colour kElastic{0.985, 0.93, 0.82}, kElementLine{0.82, 0.74, 0.60};

// A triangle as pieces of one colour each, small enough for the eye to see none.
void fill_pieces(const Canvas& canvas, const std::array<Vec<2>, 3>& x, const std::array<double, 3>& value,
                 const std::function<std::optional<Colour>(double)>& colour) {
  cairo_t* context = canvas.context();
  const double longest = std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
  const int pieces = std::clamp(static_cast<int>(longest / 6), 1, 12);
  // Neighbours share their border: without smooth edges there is no seam between them.
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  const auto point = [&](int i, int j) -> Vec<2> {
    return x[0] + (x[1] - x[0]) * i / pieces + (x[2] - x[0]) * j / pieces;
  };
  const auto fill = [&](const std::array<std::array<int, 2>, 3>& corners) {
    double mean = 0;
    for (const auto& [i, j] : corners) {
      const double b1 = static_cast<double>(i) / pieces, b2 = static_cast<double>(j) / pieces;
      mean += ((1 - b1 - b2) * value[0] + b1 * value[1] + b2 * value[2]) / 3;
      const Vec<2> p = point(i, j);
      cairo_line_to(context, p.x(), p.y());
    }
    cairo_close_path(context);
    canvas.set_colour(colour(mean).value_or(kElastic));
    cairo_fill(context);
  };
  // Under them the whole: where round-off leaves a pixel between two pieces, it shows no hole.
  fill({{{0, 0}, {pieces, 0}, {0, pieces}}});
  for (int i = 0; i < pieces; ++i)
    for (int j = 0; i + j < pieces; ++j) {
      fill({{{i, j}, {i + 1, j}, {i, j + 1}}});
      if (i + j + 1 < pieces) fill({{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}});
    }
  cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
}

// Without smooth edges: triangles of one element meet without a seam.
void fill_whole(const Canvas& canvas, const std::array<Vec<2>, 3>& x) {
  cairo_t* context = canvas.context();
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  for (const Vec<2>& corner : x) cairo_line_to(context, corner.x(), corner.y());
  cairo_close_path(context);
  canvas.set_colour(kElastic);
  cairo_fill(context);
  cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
}

}  // namespace

void draw_mesh(const Canvas& canvas, const std::vector<Vec<2>>& nodes,
               const std::vector<std::array<int, 3>>& triangles, const ElementSides& elements,
               const std::vector<double>* values,
               const std::function<std::optional<Colour>(double)>& colour) {
  cairo_t* context = canvas.context();
  std::map<std::pair<int, int>, int> sides;  // how many triangles have it
  const auto at = [&](int node) -> const Vec<2>& { return nodes[static_cast<std::size_t>(node)]; };
  for (const auto& triangle : triangles) {
    if (!std::all_of(triangle.begin(), triangle.end(), [&](int node) { return at(node).allFinite(); }))
      continue;
    if (values) {
      fill_pieces(
          canvas, {at(triangle[0]), at(triangle[1]), at(triangle[2])},
          {(*values)[static_cast<std::size_t>(triangle[0])], (*values)[static_cast<std::size_t>(triangle[1])],
           (*values)[static_cast<std::size_t>(triangle[2])]},
          colour);
    }
    if (!values) fill_whole(canvas, {at(triangle[0]), at(triangle[1]), at(triangle[2])});
    for (int k = 0; k < 3; ++k) ++sides[std::minmax(triangle[k], triangle[(k + 1) % 3])];
  }
  canvas.set_colour(values ? kInk : kElementLine, values ? 0.25 : 1);
  cairo_set_line_width(context, 0.5);
  for (const auto& [side, count] : sides)
    if (count > 1 && elements.contains(side.first, side.second)) canvas.line(at(side.first), at(side.second));
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
