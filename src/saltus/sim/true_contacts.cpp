// Of the contacts that detection finds on surfaces of deformable bodies, those that are meant.
#include <algorithm>
#include <limits>
#include <tuple>

#include "saltus/sim/crossing_edges.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/sim/surface_followers.hpp"

namespace saltus {

namespace {

// Order of points: by body, then by number.
bool comes_before(const TouchedPoint& p, const TouchedPoint& q) {
  return std::tie(p.body, p.follower) < std::tie(q.body, q.follower);
}

// Does x, from the middle of the facet, lie on it?
bool lies_on(std::span<const Vec<2>> corners, const Vec<2>& x, double slack) {
  const Vec<2> edge = corners[1] - corners[0], arm = x - corners[0];
  const double length = edge.norm(), along = edge.dot(arm) / length;
  return std::abs(cross2(edge, arm)) <= slack * length && along >= -slack && along <= length + slack;
}
bool lies_on(std::span<const Vec<3>> corners, const Vec<3>& x, double slack) {
  const Vec<3> normal = facet_normal(corners);
  for (int k = 0; k < 3; ++k) {
    const Vec<3> edge = corners[(k + 1) % 3] - corners[k];
    if (normal.cross(edge).dot(x - corners[k]) < -slack * edge.norm()) return false;
  }
  return std::abs(normal.dot(x - corners[0])) <= slack;
}

template <int Dim>
double size_of(const FollowerPlace<Dim>& facet) {
  double size = 0;
  for (const Vec<Dim>& x : facet.corners) size = std::max(size, 2 * x.norm());
  return size;
}

// A round body touches the border of a facet along another normal than that of the facet.
template <int Dim>
bool is_at_border(const ContactPoint<Dim>& c, const FollowerPlace<Dim>& facet) {
  constexpr double kRoundOff = 1e-7;  // rad
  const Vec<Dim> own = facet_normal(std::span<const Vec<Dim>>(facet.corners));
  return (c.normal - c.normal.dot(own) * own).norm() > kRoundOff;
}

double distance_to_edge(const auto& a, const auto& b, const auto& x) {
  const auto edge = (b - a).eval();
  return (x - a - std::clamp(edge.dot(x - a) / edge.squaredNorm(), 0.0, 1.0) * edge).norm();
}
// From a facet, x and its corners from its middle, m.
double distance_to(std::span<const Vec<2>> corners, const Vec<2>& x) {
  return distance_to_edge(corners[0], corners[1], x);
}
double distance_to(std::span<const Vec<3>> corners, const Vec<3>& x) {
  const Vec<3> normal = facet_normal(corners);
  bool is_over = true;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&a = corners[k], &b = corners[(k + 1) % 3];
    is_over &= normal.cross(b - a).dot(x - a) >= 0;
    least = std::min(least, distance_to_edge(a, b, x));
  }
  return is_over ? std::abs(normal.dot(x - corners[0])) : least;
}

// A point at one side of a body, a hair's breadth within it, is also behind the facets of the sides beside it, as deep as it is away from
// their corner: it touches the side that it is nearest to. Looked at where a contact is deeper than a hundredth of its facet.
template <int Dim, class Engine>
void drop_deeper_facets(const Engine& engine, std::vector<ContactPoint<Dim>>& contacts) {
  constexpr double kNear = 0.01;
  const auto& followers = engine.model.parts.followers;
  const auto& places = engine.work.parts.places;
  const auto find = [&](int slot) { return engine.model.parts.follower_of[engine.state.bodies.id[slot]]; };
  std::erase_if(contacts, [&](const ContactPoint<Dim>& c) {
    const int a = find(c.a), b = find(c.b);
    if (!(c.gap < 0) || a < 0 || b < 0 || !followers[a].is_on_surface() || !followers[b].is_on_surface())
      return false;
    const int facet = followers[a].is_facet() ? a : b, point = facet == a ? b : a;
    if (followers[point].is_facet()) return false;
    const double nearer = -c.gap - kNear * size_of(places[facet]);
    if (!(nearer > 0)) return false;
    const SurfaceModel<Dim>& surface = engine.surface_of(facet);
    const auto facets = static_cast<int>(surface.surface.facets.size());
    for (int other = surface.first_facet; other < surface.first_facet + facets; ++other) {
      const Vec<Dim> x = places[point].pose.position - places[other].pose.position;
      if (other != facet && distance_to(std::span<const Vec<Dim>>(places[other].corners), x) < nearer)
        return true;
    }
    return false;
  });
}

template <int Dim>
void remove_dropped(const std::vector<char>& dropped, std::vector<ContactPoint<Dim>>& contacts) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!dropped[i]) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

// A facet by its number among the followers.
template <class Engine>
FacetOfSurface facet_of(const Engine& engine, int follower) {
  const SurfaceModel<3>& surface = engine.surface_of(follower);
  return {&surface, follower - surface.first_facet};
}

// Edges that cross where the node at the end of one touches already.
template <class Engine>
void drop_crossings_at_nodes(Engine& engine, std::vector<ContactPoint<3>>& contacts) {
  const auto& followers = engine.model.parts.followers;
  const auto find = [&](int slot) { return engine.model.parts.follower_of[engine.state.bodies.id[slot]]; };
  const auto is_facet = [&](int follower) { return follower >= 0 && followers[follower].is_facet(); };
  const auto is_crossing = [&](const auto& c) { return is_facet(find(c.a)) && is_facet(find(c.b)); };
  if (std::none_of(contacts.begin(), contacts.end(), is_crossing)) return;
  std::vector<TouchedPoint>& touched = engine.work.parts.touched_points;
  touched.clear();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const int a = find(contacts[i].a), b = find(contacts[i].b);
    if (a < 0 || b < 0 || is_facet(a) == is_facet(b)) continue;
    touched.push_back({followers[is_facet(a) ? a : b].system, is_facet(a) ? b : a, i, contacts[i].gap});
  }
  std::sort(touched.begin(), touched.end(), comes_before);
  std::vector<char>& dropped = engine.work.parts.doubled;
  dropped.clear();
  for (const ContactPoint<3>& c : contacts) {
    const Vec<3> offset = c.image.template cast<double>().cwiseProduct(engine.model.scene.period);
    dropped.push_back(is_crossing(c) &&
                      is_at_touching_node(c, facet_of(engine, find(c.a)), facet_of(engine, find(c.b)), offset,
                                          engine.work.parts.places, {touched, contacts}));
  }
  remove_dropped<3>(dropped, contacts);
}

}  // namespace

template <int Dim>
const SurfaceModel<Dim>& Simulation<Dim>::Engine::surface_of(int follower) const {
  // Systems of deformable bodies follow each other.
  const std::vector<SurfaceModel<Dim>>& surfaces = model.parts.surfaces;
  return surfaces[model.parts.followers[follower].system - surfaces.front().system];
}

// A point that lies on two facets of a convex corner, as where the sides of two blocks are flush, touches the one that it
// faces: one of its own facets, or their mean, looks against it.
template <int Dim>
bool Simulation<Dim>::Engine::faces(int point, int facet) const {
  constexpr double kFacing = 0.3;
  const auto& followers = model.parts.followers;
  const SurfaceModel<Dim>& surface = surface_of(point);
  if (surface.is_facets && !surface.surface.stands_out[point - surface.first_point]) return false;
  if (followers[point].system == followers[facet].system && !surface.touches_itself) return false;
  const auto normal_of = [&](int follower) {
    return facet_normal(std::span<const Vec<Dim>>(work.parts.places[follower].corners));
  };
  const Vec<Dim> against = normal_of(facet);
  Vec<Dim> mean = Vec<Dim>::Zero();
  for (const int own : surface.surface.facets_of[point - surface.first_point]) {
    const Vec<Dim> normal = normal_of(surface.first_facet + own);
    if (normal.dot(against) < -kFacing) return true;
    mean += normal;
  }
  return mean.normalized().dot(against) < -kFacing;
}

// Where the surface is convex, a round body touches it at an edge between facets, or at a corner that is no node. Each facet there
// tells its own nearest place; of those that lie on one another's facets the nearest is meant, and one of equal ones. A node
// that touches goes before them.
template <int Dim>
void Simulation<Dim>::Engine::drop_doubled_borders(std::vector<ContactPoint<Dim>>& contacts) {
  constexpr double kSame = 1e-5;  // of the facet: points are balls of 1e-6 of it
  const auto& followers = model.parts.followers;
  const auto& places = work.parts.places;
  const auto find = [&](int slot) { return model.parts.follower_of[state.bodies.id[slot]]; };
  const auto on_surface = [&](int follower) { return follower >= 0 && followers[follower].is_on_surface(); };
  // Contacts of a body with surfaces, body by body.
  auto& of_body = work.parts.contacts_of_body;
  of_body.clear();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const bool is_a = on_surface(find(contacts[i].a));
    if (is_a != on_surface(find(contacts[i].b)))
      of_body.emplace_back(is_a ? contacts[i].b : contacts[i].a, i);
  }
  std::sort(of_body.begin(), of_body.end());
  const auto is_doubled = [&](const ContactPoint<Dim>& c) {
    const int a = find(c.a), b = find(c.b);
    if (on_surface(a) == on_surface(b)) return false;
    const int facet = on_surface(a) ? a : b, body = facet == a ? c.b : c.a;
    if (!followers[facet].is_facet()) return false;
    const bool at_border = is_at_border(c, places[facet]);
    if (Dim == 2 && !at_border) return false;
    const Vec<Dim> x = c.point - (facet == a ? 0.5 : -0.5) * c.gap * c.normal;
    const double slack = kSame * size_of(places[facet]);
    auto at = std::lower_bound(of_body.begin(), of_body.end(), std::pair(body, 0));
    for (; at != of_body.end() && at->first == body; ++at) {
      const ContactPoint<Dim>& d = contacts[at->second];
      const int other = find(d.a == body ? d.b : d.a);
      if (other == facet || followers[other].system != followers[facet].system) continue;
      // An edge of a body that crosses one between facets of one plane: both tell of it.
      if (other < facet && followers[other].is_facet() && (d.point - c.point).norm() <= slack &&
          (d.normal - (d.a == body ? -1.0 : 1.0) * (c.a == body ? -1.0 : 1.0) * c.normal).norm() <= kSame)
        return true;
      if (!at_border) continue;
      const Vec<Dim> arm = x - places[other].pose.position;
      if (!followers[other].is_facet()) {
        if (arm.norm() <= slack && d.gap <= c.gap + slack) return true;
        continue;
      }
      if (d.gap > c.gap + slack || !lies_on(std::span<const Vec<Dim>>(places[other].corners), arm, slack))
        continue;
      if (d.gap < c.gap - slack || !is_at_border(d, places[other]) || other < facet) return true;
    }
    return false;
  };
  std::vector<char>& doubled = work.parts.doubled;
  doubled.clear();
  for (const ContactPoint<Dim>& c : contacts) doubled.push_back(is_doubled(c));
  remove_dropped<Dim>(doubled, contacts);
}

// A rigid body touches facets so that it does not pass between their points. Where a point of the facet is nearly as deep in it, the point
// holds it: both would be one contact too many, and which of them acts would change with every step (the
// chord of a disk lies within it). Nearly: up to a hundredth of the facet, and of the body; at a border, which is a chord too and counts only where
// the surface stands out between its points, up to a tenth if the point itself touches. A body with corners is held only near the point: what
// a box stands on are its corners, which may lie anywhere on a facet.
template <int Dim>
void Simulation<Dim>::Engine::drop_held_facets(std::vector<ContactPoint<Dim>>& contacts) {
  constexpr double kNear = 0.01, kBeside = 0.1, kBorder = 10;
  const auto& followers = model.parts.followers;
  const auto find = [&](int slot) { return model.parts.follower_of[state.bodies.id[slot]]; };
  const auto on_surface = [&](int follower) { return follower >= 0 && followers[follower].is_on_surface(); };
  std::vector<TouchedPoint>& touched = work.parts.touched_points;
  touched.clear();
  for (const ContactPoint<Dim>& c : contacts) {
    const int a = find(c.a), b = find(c.b);
    if (on_surface(a) == on_surface(b)) continue;
    const int own = on_surface(a) ? a : b;
    if (!followers[own].is_facet())
      touched.push_back({own == a ? c.b : c.a, own, own == a ? c.a : c.b, c.gap});
  }
  if (touched.empty()) return;
  std::sort(touched.begin(), touched.end(), comes_before);
  const auto is_held = [&](const ContactPoint<Dim>& c) {
    const int a = find(c.a), b = find(c.b);
    if (on_surface(a) == on_surface(b)) return false;
    const int facet = on_surface(a) ? a : b, body = facet == a ? c.b : c.a;
    if (!followers[facet].is_facet()) return false;
    const double size = size_of(work.parts.places[facet]);
    const double thickness = model.thickness[state.bodies.id[body]];
    const double near = kNear * (thickness > 0 ? std::min(size, thickness) : size);
    const bool has_corners = model.turning[state.bodies.id[body]] > 0;
    const bool at_border = is_at_border(c, work.parts.places[facet]);
    const double held_below = at_border ? std::min(near, c.gap + kBorder * near) : c.gap + near;
    const SurfaceModel<Dim>& surface = surface_of(facet);
    const auto& points = surface.points_of[facet - surface.first_facet];
    return std::any_of(points.begin(), points.end(), [&](int point) {
      const TouchedPoint key{body, surface.first_point + point, -1, 0};
      const auto at = std::lower_bound(touched.begin(), touched.end(), key, comes_before);
      if (at == touched.end() || comes_before(key, *at) || at->gap > held_below) return false;
      return !has_corners || (state.bodies.pose[at->slot].position - c.point).norm() <= kBeside * size;
    });
  };
  std::erase_if(contacts, is_held);
}

template <int Dim>
const std::vector<ContactPoint<Dim>>& Simulation<Dim>::Engine::true_contacts(
    const std::vector<ContactPoint<Dim>>& detected) {
  if (model.parts.surfaces.empty() && state.parts.beams.empty()) return detected;
  const auto& followers = model.parts.followers;
  work.parts.true_contacts.clear();
  for (const ContactPoint<Dim>& c : detected) {
    const int a = model.parts.follower_of[state.bodies.id[c.a]],
              b = model.parts.follower_of[state.bodies.id[c.b]];
    if constexpr (Dim == 3) {
      if (a >= 0 && b >= 0 && followers[a].is_facet() && followers[b].is_facet()) {
        const Vec<3> offset = c.image.template cast<double>().cwiseProduct(model.scene.period);
        add_crossings(c, facet_of(*this, a), facet_of(*this, b), offset, work.parts.places,
                      work.parts.true_contacts);
        continue;
      }
    }
    if (a >= 0 && b >= 0 && followers[a].is_on_surface() && followers[b].is_on_surface() &&
        (is_at_border(c, work.parts.places[followers[a].is_facet() ? a : b]) ||
         !(followers[a].is_facet() ? faces(b, a) : faces(a, b))))
      continue;
    // Elements of one line do not touch each other.
    if (a >= 0 && b >= 0 && followers[a].line && followers[a].system == followers[b].system) continue;
    work.parts.true_contacts.push_back(c);
  }
  if (!model.parts.surfaces.empty()) {
    drop_deeper_facets<Dim>(*this, work.parts.true_contacts);
    drop_doubled_borders(work.parts.true_contacts);
    drop_held_facets(work.parts.true_contacts);
    if constexpr (Dim == 3) drop_crossings_at_nodes(*this, work.parts.true_contacts);
  }
  return work.parts.true_contacts;
}

template const std::vector<ContactPoint<2>>& Simulation<2>::Engine::true_contacts(
    const std::vector<ContactPoint<2>>&);
template const std::vector<ContactPoint<3>>& Simulation<3>::Engine::true_contacts(
    const std::vector<ContactPoint<3>>&);

}  // namespace saltus
