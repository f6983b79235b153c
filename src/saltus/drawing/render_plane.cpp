// Figures of the plane: see render.hpp.
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_colours.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_parts.hpp"
#include "saltus/drawing/render_plane_figure.hpp"
#include "saltus/drawing/render_trails.hpp"
#include "saltus/drawing/surface_forces.hpp"

namespace saltus {

namespace {

// Page of the given width whose height fits the view.
PlaneView fit(const Bounds<2>& world, double width, bool labels, bool bar, double& height) {
  const Vec<2> size = world.high - world.low;
  const double top = labels ? kTopBand : 8, bottom = labels ? kBottomBand : 8, side = labels ? kSideBand : 8;
  const double inner = width - 2 * side - (bar ? kBarBand - side : 0);
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

PlaneView choose_view(const RenderOptions& options, const RenderScale<2>& scale, bool bar, double& height) {
  Bounds<2> world = scale.view;
  const Vec<2> middle =
      options.target ? Vec<2>(options.target->head<2>()) : Vec<2>((world.low + world.high) / 2);
  const Vec<2> half = (world.high - world.low) / (2 * options.zoom);
  world.low = middle - half, world.high = middle + half;
  return fit(world, options.width, options.labels, bar, height);
}

void draw_chains(const Canvas& canvas, const Frame<2>& frame, const TrajectoryHeader& header,
                 const PlaneView& view, double widest, const RenderScale<2>& scale,
                 const RenderOptions& options) {
  const double strongest = scale.strongest, least = options.least_force;
  if (!(strongest > 0)) return;
  for (const FrameContact<2>& contact : frame.contacts) {
    const double acting = force(contact, header.h), width = widest * std::min(acting / strongest, 1.5);
    if (width < 0.05 || acting < least) continue;
    const auto [a, b] = chain_ends(frame, contact, header.period);
    canvas.set_colour(colour_of(contact.status), 0.85);
    cairo_set_line_width(canvas.context(), std::max(width, 0.35));
    if (is_on_mesh(frame, contact)) {
      const double length = scale.size * std::min(acting / strongest, 1.5);
      const auto [from, to] = force_line(frame, contact, options.magnify, length);
      canvas.line(view.to_page(from), view.to_page(to));
      if (a == b) continue;
    }
    canvas.bent_line(view.to_page(a), view.to_page(contact.point), view.to_page(b));
  }
}

void draw_points(const Canvas& canvas, const Frame<2>& frame, const PlaneView& view, double size,
                 double magnify) {
  for (const FrameContact<2>& contact : frame.contacts) {
    const Vec<2> p = view.to_page(magnified_point(frame, contact, magnify));
    cairo_arc(canvas.context(), p.x(), p.y(), std::clamp(0.06 * size, 1.2, 4.0), 0, 2 * std::numbers::pi);
    canvas.set_colour(colour_of(contact.status));
    cairo_fill(canvas.context());
  }
}

void draw_arrows(const Canvas& canvas, const Frame<2>& frame, const PlaneView& view,
                 const RenderScale<2>& scale) {
  if (!(scale.fastest > 0)) return;
  const double longest = std::clamp(1.5 * scale.size * view.scale, 12.0, 90.0) / view.scale;
  for (const FrameBody<2>& body : frame.bodies) {
    if (body.stands() && !body.follows) continue;
    canvas.arrow(view.to_page(body.pose.position),
                 view.to_page(body.pose.position + body.velocity * (longest / scale.fastest)), kVelocity,
                 1.3);
  }
}

}  // namespace

template <>
void Renderer<2>::find_outline(const std::vector<std::int64_t>&, const ViewChoice&) {}

template <>
int Renderer<2>::height() const {
  double height = 0;
  choose_view(options_, scale_, colours_ != nullptr, height);
  return static_cast<int>(height);
}

template <>
void Renderer<2>::paint(std::int64_t number, const Canvas& canvas) const {
  const Frame<2> frame = reader_.frame(number);
  double height = 0;
  const PlaneView view = choose_view(options_, scale_, colours_ != nullptr, height);
  cairo_t* context = canvas.context();
  const PlaneFigure figure(canvas, view);
  const FieldValues values = colours_ ? colours_->values(frame, number) : FieldValues();

  cairo_save(context);
  const Vec<2> corner = view.to_page({view.low.x(), view.high.y()}),
               size = view.scale * (view.high - view.low);
  cairo_rectangle(context, corner.x(), corner.y(), size.x(), size.y());
  cairo_clip(context);
  const auto draw_bodies = [&](bool bounded) {
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      const FrameBody<2>& body = frame.bodies[i];
      if (is_unbounded<2>(*body.shape) == bounded || body.follows || !body.pose.position.allFinite())
        continue;
      figure.draw_body(
          body, colours_ && !body.stands() && bounded ? colours_->colour(values.bodies[i]) : std::nullopt);
    }
  };
  draw_bodies(false);
  // Under the bodies: one that has got into a mesh must be seen.
  for (std::size_t s = 0; s < frame.systems.size(); ++s) {
    const FrameSystem<2>& system = frame.systems[s];
    std::vector<Vec<2>> nodes;
    for (const Vec<2>& node : magnified_nodes(system, options_.magnify)) nodes.push_back(view.to_page(node));
    const bool coloured = colours_ && values.nodes[s].size() == nodes.size();
    draw_mesh(canvas, nodes, *system.elements, sides_[s], coloured ? &values.nodes[s] : nullptr,
              [&](double value) { return colours_->colour(value); });
  }
  draw_bodies(true);
  draw_crosses(canvas, frame, [&](const Vec<2>& x) { return view.to_page(x); });
  if (trails_)
    for (const auto& path : trails_->paths(number))
      for (std::size_t i = 1; i < path.size(); ++i) {
        canvas.set_colour(kTrail, 1 - 0.85 * path[i].age);
        cairo_set_line_width(context, 1.4);
        canvas.line(view.to_page(path[i - 1].place), view.to_page(path[i].place));
      }

  const double widest = std::clamp(0.25 * scale_.size * view.scale, 2.0, 12.0);
  if (shows_chains()) draw_chains(canvas, frame, reader_.header(), view, widest, scale_, options_);
  for (const FrameJoint<2>& joint : frame.joints) {
    const double load = joint.impulse.norm() / reader_.header().h;
    const double width =
        shows_chains() && scale_.strongest > 0 ? widest * std::min(load / scale_.strongest, 1.5) : 0;
    draw_joint(canvas, view.to_page(joint.point), view.to_page(joint.point_b),
               {joint.impulse.x(), -joint.impulse.y()}, width, scale_.size * view.scale);
  }
  if (options_.contacts) draw_points(canvas, frame, view, scale_.size * view.scale, options_.magnify);
  if (options_.velocities) draw_arrows(canvas, frame, view, scale_);
  cairo_restore(context);
  draw_labels(canvas, frame.time, widest, view.scale);
}

}  // namespace saltus
