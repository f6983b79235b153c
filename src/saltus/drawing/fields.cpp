#include "saltus/drawing/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/mesh_fields.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct FieldKind {
  const char* name;
  const char* unit;
  bool is_vector, is_category;
};

constexpr FieldKind kFieldKinds[] = {
    {"velocity", "m/s", true, false},  {"displacement", "m", true, false}, {"spin", "rad/s", true, false},
    {"rotation", "rad", false, false}, {"pressure", "Pa", false, false},   {"force", "N", false, false},
    {"residual", "m/s", false, false}, {"penetration", "m", false, false}, {"body", "", false, true},
    {"material", "", false, true},     {"status", "", false, true}};

}  // namespace

std::vector<std::string> list_body_fields(int dimension) {
  std::vector<std::string> names;
  for (const FieldKind& kind : kFieldKinds) {
    names.emplace_back(kind.name);
    if (!kind.is_vector || (dimension == 2 && names.back() == "spin")) continue;
    for (int k = 0; k < dimension; ++k) names.push_back(std::string(kind.name) + '.' + "xyz"[k]);
  }
  return names;
}

namespace {

template <class Vector>
double part_of(const Vector& v, int component) {
  return component < 0 ? v.norm() : v[component];
}

double angle_between(const Pose<2>& from, const Pose<2>& to) { return to.angle() - from.angle(); }
double angle_between(const Pose<3>& from, const Pose<3>& to) {
  return from.orientation().angularDistance(to.orientation());
}

// Calls use(body, force on it in world axes, place of the contact) for both bodies of every contact that acts.
template <int Dim, class Use>
void for_each_force(const Frame<Dim>& frame, double h, Use&& use) {
  for (const FrameContact<Dim>& contact : frame.contacts) {
    const Vec<Dim> force = h > 0 ? Vec<Dim>(contact.axes * contact.impulse / h) : Vec<Dim>(Vec<Dim>::Zero());
    if (!force.allFinite() || force.isZero(0)) continue;
    use(static_cast<std::size_t>(contact.a), Vec<Dim>(-force), contact.point);
    use(static_cast<std::size_t>(contact.b), force, contact.point);
  }
}

// Of each body the largest of its contacts, 0 without any.
template <int Dim, class Value>
std::vector<double> largest_of_contacts(const Frame<Dim>& frame, const Value& value) {
  std::vector<double> largest(frame.bodies.size(), 0);
  for (const FrameContact<Dim>& contact : frame.contacts)
    for (const int body : {contact.a, contact.b}) {
      double& own = largest[static_cast<std::size_t>(body)];
      own = std::max(own, value(contact));
    }
  return largest;
}

Field describe_node_field(const std::string& name) {
  Field field;
  field.name = name, field.base = name.substr(0, name.find('.'));
  field.is_of_nodes = true;
  field.unit = field.base == "stress"                                      ? "Pa"
               : field.base == "reaction" || field.base == "contact_force" ? "N"
                                                                           : "";
  field.is_signed = name != field.base && name != "stress.mises" && !name.ends_with(".deviator");
  return field;
}

}  // namespace

Field find_field(const std::string& name, const TrajectoryHeader& header,
                 const std::vector<std::string>& of_nodes, const std::string& where) {
  std::vector<std::string> names = list_body_fields(header.dimension);
  const bool is_own = std::find(names.begin(), names.end(), name) != names.end();
  names.insert(names.end(), of_nodes.begin(), of_nodes.end());
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string nearest = nearest_name(name, names);
    throw InputError(where, "no such field",
                     nearest.empty() ? name : name + " (did you mean " + nearest + "?)", join_names(names));
  }
  if (!is_own) return describe_node_field(name);
  Field field;
  field.name = name;
  const std::size_t dot = name.find('.');
  field.base = name.substr(0, dot);
  if (dot != std::string::npos) field.component = name[dot + 1] - 'x';
  const FieldKind& kind = *std::find_if(std::begin(kFieldKinds), std::end(kFieldKinds),
                                        [&](const FieldKind& k) { return field.base == k.name; });
  field.unit = kind.unit, field.is_category = kind.is_category;
  if (field.base == "pressure" && header.dimension == 2) field.unit = "N/m";
  field.is_signed =
      field.component >= 0 || (header.dimension == 2 && (field.base == "spin" || field.base == "rotation"));
  if (field.base == "material") {
    field.categories = header.materials;
    if (field.categories.empty())
      throw InputError(where, "the file does not hold materials: an older version of saltus wrote it", name);
  }
  if (field.base == "status") field.categories = {"no contact", "sticks", "slides", "held"};
  if (field.base == "spin" && header.dimension == 2) field.component = 0;
  return field;
}

std::vector<std::string> stored_fields_of(const Field& field) {
  if (field.base == "velocity" || field.base == "spin") return {"velocities"};
  if (field.base == "pressure") return {"contacts", "points", "frames", "impulses"};
  if (field.base == "force") return {"contacts", "frames", "impulses"};
  if (field.base == "residual") return {"contacts", "residuals"};
  if (field.base == "penetration") return {"contacts", "gaps"};
  if (field.base == "status") return {"contacts"};
  return {};
}

template <int Dim>
FieldValues FieldReader<Dim>::compute(const Field& field, const Frame<Dim>& frame, std::int64_t number) {
  FieldValues values;
  values.bodies.assign(frame.bodies.size(), kNoNumber);
  const auto per_body = [&](auto&& value) {
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) values.bodies[i] = value(i, frame.bodies[i]);
  };
  if (field.base == "velocity")
    per_body([&](std::size_t, const auto& body) { return part_of(body.velocity, field.component); });
  else if (field.base == "displacement")
    per_body(
        [&](std::size_t, const auto& body) { return part_of(displacement(body, number), field.component); });
  else if (field.base == "spin")
    per_body([&](std::size_t, const auto& body) { return part_of(body.spin, field.component); });
  else if (field.base == "rotation")
    per_body([&](std::size_t, const auto& body) { return rotation(body, number); });
  else if (field.base == "body")
    per_body([&](std::size_t, const auto& body) { return static_cast<double>(body.id); });
  else if (field.base == "material")
    per_body([&](std::size_t, const auto& body) { return body.material < 0 ? kNoNumber : body.material; });
  else if (field.base == "pressure")
    values.bodies = pressures(frame);
  else if (field.base == "force")
    values.bodies = forces(frame);
  else if (field.base == "residual")
    values.bodies = residuals(frame);
  else if (field.base == "penetration")
    values.bodies = penetrations(frame);
  else if (field.base == "status")
    per_body([&, all = statuses(frame)](std::size_t i, const auto&) { return static_cast<double>(all[i]); });

  for (std::size_t s = 0; s < frame.systems.size(); ++s) {
    const FrameSystem<Dim>& system = frame.systems[s];
    std::vector<double>& nodes = values.nodes.emplace_back();
    if (field.is_of_nodes) {
      nodes = read_node_field(system, field.name);
      continue;
    }
    const Eigen::VectorXd& column = field.base == "velocity" ? system.velocity : system.coordinates;
    const bool is_vector = field.base == "velocity" || field.base == "displacement";
    if (!is_vector && field.base != "body") continue;
    if (is_vector && column.size() != static_cast<Eigen::Index>(Dim * system.nodes.size())) continue;
    for (std::size_t k = 0; k < system.nodes.size(); ++k)
      nodes.push_back(is_vector ? part_of(column.template segment<Dim>(static_cast<Eigen::Index>(Dim * k)),
                                          field.component)
                                : static_cast<double>(s));
  }
  return values;
}

template <int Dim>
const Pose<Dim>& FieldReader<Dim>::first_pose(const FrameBody<Dim>& body, std::int64_t number) {
  auto place = first_.find(body.id);
  for (; place == first_.end() && known_ <= number && known_ < reader_.frames(); ++known_) {
    for (const FrameBody<Dim>& other : reader_.frame(known_).bodies) first_.emplace(other.id, other.pose);
    place = first_.find(body.id);
  }
  return place == first_.end() ? body.pose : place->second;
}

template <int Dim>
Vec<Dim> FieldReader<Dim>::displacement(const FrameBody<Dim>& body, std::int64_t number) {
  return body.pose.position - first_pose(body, number).position;
}

template <int Dim>
double FieldReader<Dim>::rotation(const FrameBody<Dim>& body, std::int64_t number) {
  return angle_between(first_pose(body, number), body.pose);
}

template <int Dim>
std::vector<double> FieldReader<Dim>::pressures(const Frame<Dim>& frame) const {
  std::vector<double> trace(frame.bodies.size(), 0);
  const std::vector<double>& period = reader_.header().period;
  for_each_force<Dim>(frame, reader_.header().h,
                      [&](std::size_t i, const Vec<Dim>& force, const Vec<Dim>& place) {
                        Vec<Dim> arm = place - frame.bodies[i].pose.position;
                        for (int k = 0; k < Dim; ++k)
                          if (const double length = period[static_cast<std::size_t>(k)]; length > 0)
                            arm[k] -= length * std::round(arm[k] / length);
                        trace[i] += force.dot(arm);
                      });
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const double volume =
        is_unbounded<Dim>(*frame.bodies[i].shape) ? 0 : compute_volume<Dim>(*frame.bodies[i].shape);
    trace[i] = volume > 0 ? -trace[i] / (Dim * volume) : kNoNumber;
  }
  return trace;
}

template <int Dim>
std::vector<double> FieldReader<Dim>::forces(const Frame<Dim>& frame) const {
  std::vector<double> sum(frame.bodies.size(), 0);
  for_each_force<Dim>(frame, reader_.header().h,
                      [&](std::size_t i, const Vec<Dim>& force, const Vec<Dim>&) { sum[i] += force.norm(); });
  return sum;
}

template <int Dim>
std::vector<double> FieldReader<Dim>::residuals(const Frame<Dim>& frame) const {
  return largest_of_contacts(frame, [](const FrameContact<Dim>& contact) { return contact.residual; });
}

template <int Dim>
std::vector<double> FieldReader<Dim>::penetrations(const Frame<Dim>& frame) const {
  return largest_of_contacts(frame, [](const FrameContact<Dim>& contact) { return -contact.gap; });
}

template <int Dim>
std::vector<BodyStatus> FieldReader<Dim>::statuses(const Frame<Dim>& frame) const {
  std::vector<BodyStatus> status(frame.bodies.size(), BodyStatus::no_contact);
  for (const FrameContact<Dim>& contact : frame.contacts)
    for (const int body : {contact.a, contact.b}) {
      BodyStatus& own = status[static_cast<std::size_t>(body)];
      if (contact.status == ContactStatus::slide) own = BodyStatus::slides;
      if (contact.status == ContactStatus::stick) own = std::max(own, BodyStatus::sticks);
    }
  for (std::size_t i = 0; i < status.size(); ++i)
    if (frame.bodies[i].is_held()) status[i] = BodyStatus::held;
  return status;
}

template class FieldReader<2>;
template class FieldReader<3>;

}  // namespace saltus
