#include "saltus/sim/event_rigid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Vector = Eigen::VectorXd;
using Gradient = Eigen::Ref<Eigen::VectorXd>;

Vec<2> turned(const Vec<2>& v) { return {-v.y(), v.x()}; }

std::shared_ptr<const CoordinateFunction> function(std::vector<int> dofs, CallbackFunction::Callback f) {
  return std::make_shared<CallbackFunction>(std::move(dofs), std::move(f));
}

EventContact with_law(const PairLaw& law) {
  EventContact contact;
  contact.restitution = law.kind == LawKind::newton ? law.restitution : 0;
  contact.friction = law.friction;
  return contact;
}

// n . x - offset - radius; along t the point of the disk that touches moves by t . x - radius angle.
EventContact disk_on_plane(int at, double radius, const Vec<2>& n, double offset, const PairLaw& law) {
  EventContact contact = with_law(law);
  const Vec<2> t = turned(n);
  contact.gap = function({at, at + 1}, [=](const Vector& q, double, Gradient g, double& rate) {
    g = n;
    rate = 0;
    return n.dot(q.segment<2>(at)) - offset - radius;
  });
  contact.tangent = function({at, at + 1, at + 2}, [=](const Vector& q, double, Gradient g, double& rate) {
    g << t, -radius;
    rate = 0;
    return t.dot(q.segment<2>(at)) - radius * q[at + 2];
  });
  return contact;
}

EventContact corner_on_plane(int at, const Vec<2>& corner, const Vec<2>& n, double offset,
                             const PairLaw& law) {
  EventContact contact = with_law(law);
  const auto along = [=](const Vec<2>& direction, double less) {
    return function({at, at + 1, at + 2}, [=](const Vector& q, double, Gradient g, double& rate) {
      const Pose<2> pose(q.segment<2>(at), q[at + 2]);
      const Vec<2> arm = pose.rotated(corner);
      g << direction, direction.dot(turned(arm));
      rate = 0;
      return direction.dot(pose.position + arm) - less;
    });
  };
  contact.gap = along(n, offset);
  contact.tangent = along(turned(n), 0);
  return contact;
}

// Of two disks, the second of which may stand. The tangent is a row and no gradient: only its rate is used.
EventContact disk_on_disk(int a, double radius_a, int b, double radius_b, const Vec<2>& standing,
                          const PairLaw& law) {
  EventContact contact = with_law(law);
  std::vector<int> dofs = {a, a + 1, a + 2};
  if (b >= 0) dofs.insert(dofs.end(), {b, b + 1, b + 2});
  const auto apart = [=](const Vector& q) -> Vec<2> {
    return (b >= 0 ? Vec<2>(q.segment<2>(b)) : standing) - q.segment<2>(a);
  };
  contact.gap = function(dofs, [=](const Vector& q, double, Gradient g, double& rate) {
    const Vec<2> d = apart(q), n = d.normalized();
    g.setZero();
    g.head<2>() = -n;
    if (b >= 0) g.segment<2>(3) = n;
    rate = 0;
    return d.norm() - radius_a - radius_b;
  });
  contact.tangent = function(dofs, [=](const Vector& q, double, Gradient g, double& rate) {
    const Vec<2> t = turned(apart(q).normalized());
    g.setZero();
    g.head<3>() << -t, -radius_a;
    if (b >= 0) g.segment<3>(3) << t, -radius_b;
    rate = 0;
    return 0.0;
  });
  return contact;
}

template <class S>
const S* as(const EventBody& body) {
  return std::get_if<S>(body.shape);
}

// `from` and `to`: their places in the list.
void add_contacts(const EventBody& a, int from, const EventBody& b, int to, const PairLaw& law,
                  EventModel& model, std::vector<EventTouch>& touches) {
  const int at = a.coordinate;
  if (const HalfPlane* plane = as<HalfPlane>(b); plane && b.coordinate < 0) {
    const Vec<2> n = b.pose.rotated(plane->normal);
    const double offset = plane->offset + n.dot(b.pose.position);
    if (const Disk* disk = as<Disk>(a)) {
      model.contacts.push_back(disk_on_plane(at, disk->radius, n, offset, law));
      touches.push_back({to, from, 0, &law, [=](const Vector& q, Vec<2>& point, Vec<2>& normal) {
                           point = q.segment<2>(at) - (n.dot(q.segment<2>(at)) - offset) * n;
                           normal = n;
                         }});
      return;
    }
    if (const ConvexPolygon* polygon = as<ConvexPolygon>(a)) {
      for (const Vec<2>& corner : polygon->vertices) {
        const auto feature = static_cast<std::uint64_t>(&corner - polygon->vertices.data());
        model.contacts.push_back(corner_on_plane(at, corner, n, offset, law));
        touches.push_back({to, from, feature, &law, [=](const Vector& q, Vec<2>& point, Vec<2>& normal) {
                             point = q.segment<2>(at) + Pose<2>(q.segment<2>(at), q[at + 2]).rotated(corner);
                             normal = n;
                           }});
      }
      return;
    }
  }
  const Disk *first = as<Disk>(a), *second = as<Disk>(b);
  if (!first || !second)
    throw InputError(b.where, "two shapes that may touch, under the scheme", "event-driven",
                     "disks and convex polygons on fixed half-planes, disks on disks; or another scheme");
  model.contacts.push_back(
      disk_on_disk(at, first->radius, b.coordinate, second->radius, b.pose.position, law));
  touches.push_back({from, to, 0, &law,
                     [at, other = b.coordinate, standing = b.pose.position, radius = first->radius](
                         const Vector& q, Vec<2>& point, Vec<2>& normal) {
                       const Vec<2> far = other >= 0 ? Vec<2>(q.segment<2>(other)) : standing;
                       normal = (far - q.segment<2>(at)).normalized();
                       point = q.segment<2>(at) + radius * normal;
                     }});
}

}  // namespace

void check_event_law(const PairLaw& law, int dimension, const std::string& where) {
  const auto refuse = [&](const char* what, const std::string& value, const char* allowed) {
    throw InputError(where, fmt::format("{} under the scheme event-driven", what), value, allowed);
  };
  const bool rigid = law.kind == LawKind::newton || law.kind == LawKind::velocity_signorini ||
                     law.kind == LawKind::quasi_inelastic || law.kind == LawKind::gap_signorini;
  if (!rigid)
    refuse("the law", name(law.kind), "newton, or one without restitution: its impacts are Newton's");
  if (law.friction > 0 && dimension == 3)
    refuse("friction in space", fmt::format("{}", law.friction),
           "0: directions of sliding are followed in the plane only");
  if (law.friction_dynamic >= 0 && law.friction_dynamic != law.friction)
    refuse("a dynamic friction", fmt::format("{}", law.friction_dynamic), "none: one coefficient");
  if (law.cohesion > 0 || law.viscosity > 0 || law.rolling > 0 || law.function || law.regularisation > 0)
    refuse("cohesion, viscosity, rolling friction, a friction function or regularisation", name(law.kind),
           "none of them");
  if (law.restitution_tangent != 0)
    refuse("tangential restitution", fmt::format("{}", law.restitution_tangent), "0");
}

EventModel build_rigid_model(const std::vector<EventBody>& bodies,
                             const std::function<const PairLaw*(int, int)>& law,
                             const std::function<Vec<2>(double)>& gravity, std::vector<EventTouch>& touches) {
  EventModel model;
  std::vector<EventBody> moving;
  for (const EventBody& body : bodies)
    if (body.coordinate >= 0) moving.push_back(body);
  model.size = static_cast<int>(3 * moving.size());
  model.mass = [moving](const Vector&, Eigen::MatrixXd& mass) {
    mass.setZero();
    for (const EventBody& body : moving) {
      const int at = body.coordinate;
      mass(at, at) = mass(at + 1, at + 1) = body.model.mass;
      mass(at + 2, at + 2) = body.model.inertia(0, 0);
    }
  };
  model.force = [moving, gravity](double t, const Vector&, const Vector& v, Vector& force) {
    const Vec<2> g = gravity(t);
    for (const EventBody& body : moving) {
      const BodyModel<2>& m = body.model;
      const int at = body.coordinate;
      for (int i = 0; i < 2; ++i) force[at + i] = m.force[i].at(t) + m.mass * (g[i] - m.damping * v[at + i]);
      force[at + 2] = m.force[2].at(t) - m.damping_rotation * m.inertia(0, 0) * v[at + 2];
    }
  };
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
    for (int j = 0; j < static_cast<int>(bodies.size()); ++j) {
      const EventBody &a = bodies[i], &b = bodies[j];
      if (a.coordinate < 0 || (b.coordinate >= 0 && j <= i)) continue;
      if (const PairLaw* between = law(i, j)) add_contacts(a, i, b, j, *between, model, touches);
    }
  return model;
}

}  // namespace saltus
