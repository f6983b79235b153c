#include "saltus/drawing/render_plane_figure.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr Colour kBody{0.90, 0.92, 0.945}, kPlaneWall{0.80, 0.80, 0.78}, kOutline{0.30, 0.33, 0.38};

// From the origin to the edge of a polygon around it, along its x axis.
double way_out(const ConvexPolygon& shape) {
  double way = 1e300;
  for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
    const Vec<2>&a = shape.vertices[i], &b = shape.vertices[(i + 1) % shape.vertices.size()];
    const Vec<2> normal(b.y() - a.y(), a.x() - b.x());  // outward: counterclockwise
    if (normal.x() > 0) way = std::min(way, normal.dot(a) / normal.x());
  }
  return std::max(way, 0.0);
}

class Outline {
 public:
  Outline(const Canvas& canvas, const PlaneView& view, const std::optional<Colour>& colour)
      : canvas_(canvas), context_(canvas.context()), view_(view), colour_(colour) {}

  void draw(const Disk& shape, const Pose<2>& pose, bool fixed) const {
    circle(pose.position, shape.radius);
    fill(fixed, shape.radius);
    if (!fixed) mark(pose.position, pose.to_world({shape.radius, 0}), shape.radius);
  }
  void draw(const Capsule<2>& shape, const Pose<2>& pose, bool fixed) const {
    const Vec<2> a = view_.to_page(pose.to_world(shape.start)), b = view_.to_page(pose.to_world(shape.end));
    const double radius = std::max(shape.radius * view_.scale, 0.5),
                 angle = std::atan2(b.y() - a.y(), b.x() - a.x());
    cairo_new_sub_path(context_);
    cairo_arc(context_, b.x(), b.y(), radius, angle - kPi / 2, angle + kPi / 2);
    cairo_arc(context_, a.x(), a.y(), radius, angle + kPi / 2, angle + 3 * kPi / 2);
    cairo_close_path(context_);
    fill(fixed, shape.radius);
    if (!fixed) mark(pose.position, pose.to_world(shape.end), shape.radius);
  }
  void draw(const ConvexPolygon& shape, const Pose<2>& pose, bool fixed) const {
    for (const Vec<2>& vertex : shape.vertices) line_to(pose.to_world(vertex));
    cairo_close_path(context_);
    double size = 1e300;
    for (const Vec<2>& vertex : shape.vertices) size = std::min(size, vertex.norm());
    fill(fixed, size);
    if (!fixed) mark(pose.position, pose.to_world({std::min(0.4 * size, 0.8 * way_out(shape)), 0}), size);
  }
  void draw(const HalfPlane& shape, const Pose<2>& pose, bool) const {
    const Vec<2> normal = pose.rotated(shape.normal), along = quarter_turn(normal);
    // The foot of the middle of the view, and far enough to both sides.
    const Vec<2> middle = (view_.low + view_.high) / 2, base = pose.to_world(shape.offset * shape.normal);
    const Vec<2> foot = middle - normal * normal.dot(middle - base);
    const double far = (view_.high - view_.low).norm();
    move_to(foot - far * along), line_to(foot + far * along);
    line_to(foot + far * along - far * normal), line_to(foot - far * along - far * normal);
    cairo_close_path(context_);
    canvas_.set_colour(kPlaneWall, 0.35);
    cairo_fill(context_);
    hatch(foot - far * along, foot + far * along, normal);
  }
  void draw(const HollowDisk& shape, const Pose<2>& pose, bool) const {
    circle(pose.position, shape.radius);
    circle(pose.position, 1.03 * shape.radius);
    cairo_set_fill_rule(context_, CAIRO_FILL_RULE_EVEN_ODD);
    fill(true, shape.radius);
    // The wall turns with its body: a few spokes show it.
    for (int k = 0; k < 12; ++k) {
      const Vec<2> way(std::cos(k * kPi / 6), std::sin(k * kPi / 6));
      mark(pose.to_world(shape.radius * way), pose.to_world(1.03 * shape.radius * way), shape.radius);
    }
  }
  void draw(const Polyline& shape, const Pose<2>& pose, bool) const {
    const std::size_t count = shape.points.size(), segments = shape.closed ? count : count - 1;
    for (std::size_t i = 0; i < segments; ++i) {
      const Vec<2> from = pose.to_world(shape.points[i]), to = pose.to_world(shape.points[(i + 1) % count]);
      if (from != to) hatch(from, to, quarter_turn((to - from).normalized()));
    }
  }
  void draw(const Compound<2>& shape, const Pose<2>& pose, bool fixed) const {
    for (const auto& part : shape.parts)
      std::visit([&](const auto& inner) { draw(inner, pose * part.pose, fixed); }, part.shape);
  }

 private:
  void move_to(const Vec<2>& world) const {
    const Vec<2> p = view_.to_page(world);
    cairo_move_to(context_, p.x(), p.y());
  }
  void line_to(const Vec<2>& world) const {
    const Vec<2> p = view_.to_page(world);
    cairo_line_to(context_, p.x(), p.y());
  }
  void circle(const Vec<2>& world, double radius) const {
    const Vec<2> p = view_.to_page(world);
    cairo_new_sub_path(context_);
    cairo_arc(context_, p.x(), p.y(), radius * view_.scale, 0, 2 * kPi);
  }
  // Fills and strokes the present path; the outline gets thinner with the body.
  void fill(bool fixed, double size) const {
    canvas_.set_colour(colour_.value_or(fixed ? kPlaneWall : kBody));
    cairo_fill_preserve(context_);
    canvas_.set_colour(kOutline);
    cairo_set_line_width(context_, std::clamp(0.03 * size * view_.scale, 0.3, 1.2));
    cairo_stroke(context_);
  }
  void mark(const Vec<2>& from, const Vec<2>& to, double size) const {
    canvas_.set_colour(kOutline);
    cairo_set_line_width(context_, std::clamp(0.03 * size * view_.scale, 0.3, 1.2));
    move_to(from), line_to(to);
    cairo_stroke(context_);
  }
  // Strokes behind an edge tell the side of the matter.
  void hatch(const Vec<2>& from, const Vec<2>& to, const Vec<2>& outward) const {
    canvas_.set_colour(kMuted);
    cairo_set_line_width(context_, 0.8);
    const Vec<2> along = to - from;
    const double length = along.norm() * view_.scale, spacing = 9;
    const Vec<2> step = along.normalized() * (7 / view_.scale), depth = -outward * (9 / view_.scale);
    for (double at = spacing / 2; at < length; at += spacing) {
      const Vec<2> start = from + along * (at / length);
      move_to(start), line_to(start - step + depth);
    }
    cairo_stroke(context_);
    canvas_.set_colour(kOutline);
    cairo_set_line_width(context_, 1.4);
    move_to(from), line_to(to);
    cairo_stroke(context_);
  }

  const Canvas& canvas_;
  cairo_t* context_;
  const PlaneView& view_;
  const std::optional<Colour>& colour_;
};

}  // namespace

void PlaneFigure::draw_body(const FrameBody<2>& body, const std::optional<Colour>& colour) const {
  const Outline outline(canvas_, view_, colour);
  std::visit([&](const auto& shape) { outline.draw(shape, body.pose, body.stands()); }, *body.shape);
}

}  // namespace saltus
