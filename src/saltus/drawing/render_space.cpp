// Shaded pictures of space: see render.hpp.
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/drawing/mesh_skin.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_camera.hpp"
#include "saltus/drawing/render_colours.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_outline.hpp"
#include "saltus/drawing/render_parts.hpp"
#include "saltus/drawing/render_shade.hpp"
#include "saltus/drawing/render_trails.hpp"
#include "saltus/drawing/surface_forces.hpp"

namespace saltus {

namespace {

constexpr int kShadowMap = 2048;
// Radii of the widest chain and of contact points over the mean width of bodies, and how wide they are on the page, pixels.
constexpr double kTube = 0.09, kWidestTube = 16, kThinnestTube = 1;
constexpr double kDot = 0.05, kWidestDot = 22, kSmallestDot = 3;
constexpr double kPale = 0.55;  // of bodies that chains show through
constexpr Colour kGround{0.93, 0.93, 0.92}, kWall{0.72, 0.73, 0.73}, kSolid{0.90, 0.82, 0.66};

Look look_of(const FrameBody<3>& body) {
  const bool hollow = std::holds_alternative<HollowSphere>(*body.shape) ||
                      std::holds_alternative<HollowCylinder>(*body.shape);
  if (std::holds_alternative<Plane>(*body.shape)) return {kGround, true};
  if (hollow) return {kGround, true};
  if (body.stands()) return {kWall};
  return {palette_colour(body.id)};
}

// Walls between the camera and what moves hide it: they are left out.
std::vector<bool> find_hiding_walls(const Frame<3>& frame, const Vec<3>& forward) {
  Bounds<3> moving;
  for (const FrameBody<3>& body : frame.bodies)
    if (!body.stands() && !is_unbounded<3>(*body.shape)) moving.add(body.pose.position);
  const Vec<3> middle = (moving.low + moving.high) / 2;
  const double radius = (moving.high - moving.low).norm() / 2;
  std::vector<bool> hiding;
  for (const FrameBody<3>& body : frame.bodies) {
    bool hides = body.stands() && radius < 1e100 && !is_unbounded<3>(*body.shape) &&
                 !std::holds_alternative<TriangleMesh>(*body.shape);
    if (hides) {
      const Bounds<3> box = compute_bounds<3>(*body.shape, body.pose);
      const bool large = (box.high - box.low).norm() > radius;
      hides = large && ((box.low + box.high) / 2 - middle).dot(forward) < -0.2 * radius;
    }
    hiding.push_back(hides);
  }
  return hiding;
}

// Surfaces that show their back to the eye are left out where only the inside is to be seen.
void remove_backs(const Vec<3>& eye, Surface& surface) {
  std::erase_if(surface.triangles,
                [&](const SurfaceTriangle& t) { return t.normal[0].dot(eye - t.corner[0]) <= 0; });
}

// Of the region that is asked for: it is a slice of space, and what is in front of it would hide it.
bool is_outside(const Vec<3>& place, const RenderOptions& options, const RenderScale<3>& scale) {
  return !options.region.empty() && !scale.view.contains(Bounds<3>{place, place});
}

// Radii in metres, so many pixels to a metre at the middle of the view.
struct TubeSizes {
  double widest = 0, thinnest = 0, dot = 0;

  TubeSizes(double size, double pixels) {
    if (!(pixels > 0)) return;
    const double per_pixel = 0.5 / pixels;
    widest = std::clamp(kTube * size, kThinnestTube * per_pixel, kWidestTube * per_pixel);
    thinnest = kThinnestTube * per_pixel;
    dot = std::clamp(kDot * size, kSmallestDot * per_pixel, kWidestDot * per_pixel);
  }
};

// Tubes along the chains, as wide as the force, and balls at the contacts; their looks are in the order of ContactStatus.
void add_contacts(const Frame<3>& frame, const TrajectoryHeader& header, const RenderScale<3>& scale,
                  bool chains, const TubeSizes& sizes, const RenderOptions& options, const Projection& camera,
                  Raster& raster) {
  for (const FrameContact<3>& contact : frame.contacts) {
    if (!contact.point.allFinite() || is_outside(contact.point, options, scale)) continue;
    const double acting = force(contact, header.h);
    Surface surface;
    if (chains && scale.strongest > 0 && acting >= options.least_force && acting > 0.01 * scale.strongest) {
      const double share = std::min(acting / scale.strongest, 1.5),
                   radius = std::max(sizes.widest * share, sizes.thinnest);
      const auto [a, b] = chain_ends(frame, contact, header.period);
      for (const Vec<3>& end : {a, b})
        if (end != contact.point) add_tube(contact.point, end, radius, 10, surface);
      if (is_on_mesh(frame, contact)) {
        const auto [from, to] = force_line(frame, contact, options.magnify, share * scale.size);
        add_tube(from, to, 0.5 * radius, 10, surface);
      }
    }
    if (options.contacts) {
      surface.balls.push_back({sizes.dot});
      surface.centres.push_back(magnified_point(frame, contact, options.magnify));
    }
    raster.add(surface, camera, static_cast<int>(contact.status));
  }
}

void draw_velocities(const Canvas& canvas, const Frame<3>& frame, const Projection& camera,
                     const RenderScale<3>& scale, const RenderOptions& options) {
  if (!(scale.fastest > 0)) return;
  for (const FrameBody<3>& body : frame.bodies) {
    if (body.stands() || !body.pose.position.allFinite() || is_outside(body.pose.position, options, scale))
      continue;
    const Vec<3> tip = body.pose.position + body.velocity * (1.5 * scale.size / scale.fastest);
    if (camera.sees(body.pose.position) && camera.sees(tip))
      canvas.arrow(camera.project(body.pose.position).head<2>(), camera.project(tip).head<2>(), kVelocity,
                   1.5);
  }
}

void draw_paths(const Canvas& canvas, const Projection& camera,
                const std::vector<std::vector<Trails<3>::Point>>& paths) {
  cairo_set_line_width(canvas.context(), 1.6);
  for (const auto& path : paths)
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (!camera.sees(path[i - 1].place) || !camera.sees(path[i].place)) continue;
      canvas.set_colour(kTrail, 1 - 0.85 * path[i].age);
      canvas.line(camera.project(path[i - 1].place).head<2>(), camera.project(path[i].place).head<2>());
    }
}

void draw_joints(const Canvas& canvas, const Frame<3>& frame, const Projection& camera,
                 const RenderScale<3>& scale, const RenderOptions& options, double h, bool loads) {
  constexpr double kSize = 40;  // of a body on the page, about
  for (const FrameJoint<3>& joint : frame.joints) {
    if (!camera.sees(joint.point) || !camera.sees(joint.point_b) || is_outside(joint.point, options, scale))
      continue;
    const double load = joint.impulse.norm() / h;
    const Vec<2> at = camera.project(joint.point_b).head<2>();
    const Vec<3> ahead = joint.point_b + 0.1 * scale.size * joint.impulse.normalized();
    const Vec<2> way = load > 0 ? Vec<2>(camera.project(ahead).head<2>() - at) : Vec<2>(Vec<2>::Zero());
    const double width = loads && scale.strongest > 0 ? 7 * std::min(load / scale.strongest, 1.5) : 0;
    draw_joint(canvas, camera.project(joint.point).head<2>(), at, way, width, kSize);
  }
}

// The outside of a mesh, with the values of its nodes where there are.
Surface build_mesh_surface(const FrameSystem<3>& system, const ElementSides& elements, double magnify,
                           const std::vector<double>* values) {
  Surface surface;
  const std::vector<Vec<3>> nodes = magnified_nodes(system, magnify);
  for (const std::array<int, 3>& face : build_skin(*system.elements)) {
    SurfaceTriangle t;
    for (std::size_t k = 0; k < 3; ++k) {
      t.corner[k] = nodes[static_cast<std::size_t>(face[k])];
      if (values) t.value[k] = static_cast<float>((*values)[static_cast<std::size_t>(face[k])]);
    }
    const Vec<3> normal = (t.corner[1] - t.corner[0]).cross(t.corner[2] - t.corner[0]);
    if (!normal.allFinite() || !(normal.norm() > 0)) continue;
    t.normal.fill(normal.normalized());
    for (std::size_t k = 0; k < 3; ++k)
      t.outlined[k] = elements.contains(face[(k + 1) % 3], face[(k + 2) % 3]);
    surface.triangles.push_back(t);
  }
  return surface;
}

}  // namespace

template <>
void Renderer<3>::find_outline(const std::vector<std::int64_t>& shown, const ViewChoice& view) {
  if (options_.eye) return;
  const Projection placed = place_camera(scale_.view, up_of(reader_.header().gravity), options_);
  outline_ = compute_outline(reader_, shown, view, scale_, placed);
}

template <>
int Renderer<3>::height() const {
  int height = 0;
  const Projection placed = place_camera(scale_.view, up_of(reader_.header().gravity), options_);
  choose_camera(placed, outline_, options_, colours_ ? kBarBand : 0, height);
  return height;
}

template <>
void Renderer<3>::paint(std::int64_t number, const Canvas& canvas) const {
  const Frame<3> frame = reader_.frame(number);
  const TrajectoryHeader& header = reader_.header();
  const Vec<3> up = up_of(header.gravity), middle = (scale_.view.low + scale_.view.high) / 2;
  const double extent = 0.75 * (scale_.view.high - scale_.view.low).norm();
  const FieldValues values = colours_ ? colours_->values(frame, number) : FieldValues();

  int height = 0;
  const Projection camera = choose_camera(place_camera(scale_.view, up, options_), outline_, options_,
                                          colours_ ? kBarBand : 0, height);
  const Projection fine = enlarged(camera, kFine);
  const Projection light = fit_light(scale_.view, look_from(up, options_.azimuth - 30, 48), kShadowMap);

  Raster raster(kFine * options_.width, kFine * height), shadow(kShadowMap, kShadowMap);
  std::vector<Look> looks;
  const std::vector<bool> hiding = find_hiding_walls(frame, camera.forward);
  const auto is_cut = [&](const FrameBody<3>& body) {  // outside of the region that is asked for
    return !is_unbounded<3>(*body.shape) && !body.is_held() &&
           is_outside(body.pose.position, options_, scale_);
  };
  for (const FrameBody<3>& body : frame.bodies) {
    const std::size_t i = looks.size();
    looks.push_back(look_of(body));
    if (colours_ && !body.stands() && !is_unbounded<3>(*body.shape))
      looks.back().colour = colours_->colour(values.bodies[i]).value_or(looks.back().colour);
    if (!body.pose.position.allFinite() || hiding[i] || body.follows || is_cut(body)) continue;
    Surface surface = build_surface(*body.shape, body.pose, middle, extent);
    const int id = static_cast<int>(i);
    if (!looks.back().inside) shadow.add(surface, light, id);
    if (looks.back().inside) remove_backs(camera.eye, surface);
    raster.add(surface, fine, id);
  }
  for (std::size_t s = 0; s < frame.systems.size(); ++s) {
    const FrameSystem<3>& system = frame.systems[s];
    if (system.nodes.empty()) continue;
    const bool coloured = colours_ && values.nodes[s].size() == system.nodes.size();
    const Surface surface =
        build_mesh_surface(system, sides_[s], options_.magnify, coloured ? &values.nodes[s] : nullptr);
    looks.push_back({kSolid});
    const int id = static_cast<int>(looks.size()) - 1;
    shadow.add(surface, light, id);
    raster.add(surface, fine, id);
  }

  const bool through = shows_chains() || options_.contacts;
  const auto colour_of_value = [&](double value) { return colours_->colour(value).value_or(kSolid); };
  const Shader shader{raster,
                      fine,
                      &shadow,
                      light,
                      looks,
                      up,
                      middle,
                      extent,
                      2.5 / light.focal,
                      colours_ ? std::function<Colour(double)>(colour_of_value) : nullptr,
                      through ? kPale : 0};
  Raster inner(through ? raster.width : 1, through ? raster.height : 1);
  const std::vector<Look> marks = {{kOpen}, {kOpen}, {kStick}, {kSlide}};
  const Shader over{inner, fine, nullptr, light, marks, up, middle, extent, 0, nullptr, 0};
  // The scale holds at the middle of the view.
  const double depth = (middle - camera.eye).dot(camera.forward),
               pixels = depth > 0 ? camera.focal / depth : 0;
  const TubeSizes sizes(scale_.size, pixels);
  if (through) add_contacts(frame, header, scale_, shows_chains(), sizes, options_, fine, inner);
  cairo_surface_t* image = develop(shader, through ? &over : nullptr, options_.width, height);
  cairo_set_source_surface(canvas.context(), image, 0, 0);
  cairo_paint(canvas.context());
  cairo_surface_destroy(image);

  draw_crosses(canvas, frame, [&](const Vec<3>& x) -> Vec<2> {
    return camera.sees(x) ? Vec<2>(camera.project(x).head<2>()) : Vec<2>(Vec<2>::Constant(NAN));
  });
  if (trails_) draw_paths(canvas, camera, trails_->paths(number));
  draw_joints(canvas, frame, camera, scale_, options_, header.h, shows_chains());
  if (options_.velocities) draw_velocities(canvas, frame, camera, scale_, options_);
  draw_labels(canvas, frame.time, 2 * sizes.widest * pixels, pixels);
}

}  // namespace saltus
