// Figures of the plane: see render.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_parts.hpp"
#include "saltus/drawing/render_units.hpp"

namespace saltus {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr Colour kBody{0.90, 0.92, 0.945}, kPlaneWall{0.80, 0.80, 0.78}, kOutline{0.30, 0.33, 0.38};

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
  PlaneFigure(const Canvas& canvas, const PlaneView& view)
      : canvas_(canvas), context_(canvas.context()), view_(view) {}

  void draw_body(const FrameBody<2>& body) const {
    std::visit([&](const auto& shape) { draw(shape, body.pose, body.fixed); }, *body.shape);
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
    canvas_.set_colour(fixed ? kPlaneWall : kBody);
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
    if (!fixed) mark(pose.position, pose.to_world({0.4 * size, 0}), size);
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

  const Canvas& canvas_;
  cairo_t* context_;
  const PlaneView& view_;
};

// Page of the given width whose height fits the view.
PlaneView fit(const Bounds<2>& world, double width, bool labels, double& height) {
  const Vec<2> size = world.high - world.low;
  const double top = labels ? kTopBand : 8, bottom = labels ? kBottomBand : 8, side = labels ? kSideBand : 8;
  const double inner = width - 2 * side;
  const double tall = std::clamp(inner * size.y() / size.x(), 0.3 * inner, 1.4 * inner);
  height = 2 * std::ceil(0.5 * (tall + top + bottom));  // films want even sizes
  PlaneView view;
  view.scale = std::min(inner / size.x(), tall / size.y());
  const Vec<2> shown(inner / view.scale, tall / view.scale);  // at least `size`
  view.low = (world.low + world.high - shown) / 2;
  view.high = view.low + shown;
  view.origin = {side, top + tall};
  return view;
}

}  // namespace

template <>
void Renderer<2>::draw(std::int64_t number, const std::string& path) const {
  const Frame<2> frame = reader_.frame(number);
  double height = 0;
  const PlaneView view = fit(scale_.view, options_.width, options_.labels, height);
  Canvas canvas(path, options_.width, height);
  cairo_t* context = canvas.context();
  const PlaneFigure figure(canvas, view);

  cairo_save(context);
  const Vec<2> corner = view.to_page({view.low.x(), view.high.y()}),
               size = view.scale * (view.high - view.low);
  cairo_rectangle(context, corner.x(), corner.y(), size.x(), size.y());
  cairo_clip(context);
  const auto draw_bodies = [&](bool bounded) {
    for (const FrameBody<2>& body : frame.bodies)
      if (is_unbounded<2>(*body.shape) != bounded && !body.follows && body.pose.position.allFinite())
        figure.draw_body(body);
  };
  draw_bodies(false);
  // Under the bodies: one that has got into a mesh must be seen.
  for (const FrameSystem<2>& system : frame.systems) {
    std::vector<Vec<2>> nodes;
    for (const Vec<2>& node : system.nodes) nodes.push_back(view.to_page(node));
    draw_mesh(canvas, nodes, *system.elements);
  }
  draw_bodies(true);

  const double h = reader_.header().h, widest = std::clamp(0.25 * scale_.size * view.scale, 2.0, 12.0);
  for (const FrameContact<2>& contact : frame.contacts) {
    if (!options_.chains || !(scale_.strongest > 0)) break;
    const double width = widest * std::min(force(contact, h) / scale_.strongest, 1.5);
    if (width < 0.05) continue;
    const auto [a, b] = chain_ends(frame, contact, reader_.header().period);
    canvas.set_colour(colour_of(contact.status), 0.85);
    cairo_set_line_width(context, std::max(width, 0.35));
    canvas.bent_line(view.to_page(a), view.to_page(contact.point), view.to_page(b));
  }
  for (const FrameJoint<2>& joint : frame.joints) {
    const double width = options_.chains && scale_.strongest > 0
                             ? widest * std::min(joint.impulse.norm() / h / scale_.strongest, 1.5)
                             : 0;
    draw_joint(canvas, view.to_page(joint.point), view.to_page(joint.point_b),
               {joint.impulse.x(), -joint.impulse.y()}, width, scale_.size * view.scale);
  }
  for (const FrameContact<2>& contact : frame.contacts) {
    if (!options_.contacts) break;
    const Vec<2> p = view.to_page(contact.point);
    cairo_arc(context, p.x(), p.y(), std::clamp(0.06 * scale_.size * view.scale, 1.2, 4.0), 0, 2 * kPi);
    canvas.set_colour(colour_of(contact.status));
    cairo_fill(context);
  }
  canvas.set_colour(kVelocity);
  cairo_set_line_width(context, 1.3);
  for (const FrameBody<2>& body : frame.bodies) {
    if (!options_.velocities || (body.fixed && !body.follows) || !(scale_.fastest > 0)) continue;
    const double longest = std::clamp(1.5 * scale_.size * view.scale, 12.0, 90.0) / view.scale;
    canvas.arrow(view.to_page(body.pose.position),
                 view.to_page(body.pose.position + body.velocity * (longest / scale_.fastest)));
  }
  cairo_restore(context);

  if (options_.labels) {
    const TrajectoryHeader& header = reader_.header();
    draw_title(canvas, header.title.empty() ? header.name : header.title, frame.time);
    std::vector<LegendEntry> legend;
    if (options_.chains || options_.contacts) legend = {{"stick", kStick}, {"slide", kSlide}};
    if (options_.contacts) legend.push_back({"open", kOpen});
    if (options_.chains && scale_.strongest > 0)
      legend.push_back({format_force(scale_.strongest), kInk, widest});
    if (options_.velocities) legend.push_back({format_velocity_legend(scale_.fastest), kVelocity, 1.3});
    draw_legend(canvas, legend, view.scale);
  }
  canvas.finish();
}

}  // namespace saltus
