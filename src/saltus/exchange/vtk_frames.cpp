#include "saltus/exchange/vtk_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/drawing/render_scale.hpp"
#include "saltus/exchange/vtk_columns.hpp"
#include "saltus/exchange/vtk_meshes.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

namespace {

// The fields of a trajectory (output.fields) that arrays are made of.
struct ArrayNeeds {
  const char* array;
  bool of_contacts;
  std::vector<std::string> fields;
};
const ArrayNeeds kNeeds[] = {{"velocity", false, {"velocities"}},
                             {"spin", false, {"velocities"}},
                             {"status", false, {"contacts"}},
                             {"pressure", false, {"contacts", "points", "frames", "impulses"}},
                             {"force_sum", false, {"contacts", "frames", "impulses"}},
                             {"gap", true, {"gaps"}},
                             {"residual", true, {"residuals"}},
                             {"normal", true, {"frames"}},
                             {"force", true, {"frames", "impulses"}},
                             {"normal_force", true, {"impulses"}},
                             {"friction_force", true, {"impulses"}},
                             {"velocity", true, {"frames", "relative_velocities"}}};

Vec<3> spin_of(const Vec<1>& spin) { return {0, 0, spin[0]}; }
Vec<3> spin_of(const Vec<3>& spin) { return spin; }

void add_turn(const Pose<2>& pose, VtkReals& turn) {
  const double half = pose.angle() / 2;
  for (const double q : {std::cos(half), 0.0, 0.0, std::sin(half)}) turn.add(q);
}
void add_turn(const Pose<3>& pose, VtkReals& turn) {
  const Eigen::Quaterniond q = pose.orientation();
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) turn.add(x);
}

Vec<3> to_space(const Pose<2>& pose, const Vec<3>& x) {
  const Vec<2> place = pose.to_world(Vec<2>(x.head<2>()));
  return {place.x(), place.y(), 0};
}
Vec<3> to_space(const Pose<3>& pose, const Vec<3>& x) { return pose.to_world(x); }

template <int Dim>
bool is_shown(const FrameBody<Dim>& body) {
  return !body.follows && body.pose.position.allFinite();
}

constexpr std::size_t kMostPolygons = 2'000'000;

// Polygons of all balls of a frame with so many sides.
template <int Dim>
std::size_t count_polygons(const Frame<Dim>& frame, int sides) {
  const std::size_t of_ball =
      Dim == 2 ? 1 : static_cast<std::size_t>(sides) * static_cast<std::size_t>(sides) / 2;
  return of_ball *
         static_cast<std::size_t>(std::count_if(frame.bodies.begin(), frame.bodies.end(), [](const auto& b) {
           return std::holds_alternative<Ball<Dim>>(*b.shape);
         }));
}

}  // namespace

template <int Dim>
VtkFrames<Dim>::VtkFrames(const TrajectoryReader<Dim>& reader, std::optional<int> sides)
    : reader_(reader), fields_(reader) {
  const Frame<Dim> last = reader.frame(reader.frames() - 1);
  Bounds<Dim> box;
  for (const FrameBody<Dim>& body : last.bodies)
    if (is_shown(body) && !is_unbounded<Dim>(*body.shape))
      box.add(compute_bounds<Dim>(*body.shape, body.pose));
  for (const FrameSystem<Dim>& system : last.systems)
    for (const Vec<Dim>& node : system.nodes)
      if (node.allFinite()) box.add(node);
  if (!(box.low.array() <= box.high.array()).all()) box.low.setConstant(-1), box.high.setConstant(1);
  surface_.extent = 0.75 * (box.high - box.low).norm();
  const Vec<Dim> middle = (box.low + box.high) / 2;
  for (int k = 0; k < Dim; ++k) surface_.middle[k] = middle[k];
  surface_.sides = sides.value_or(24);
  if (!sides)
    for (const int fewer : {12, 8, 0})
      if (count_polygons(last, surface_.sides) > kMostPolygons / (surface_.sides > 12 ? 8 : 1))
        surface_.sides = fewer;
  for (const FrameBody<Dim>& body : last.bodies) has_walls_ |= is_unbounded<Dim>(*body.shape);
  for (const FrameSystem<Dim>& system : last.systems) has_meshes_ |= !system.nodes.empty();
  has_contacts_ = reader.file().rows(Rows::contact) > 0 && is_stored({"points"});
  has_joints_ = !last.joints.empty();
}

template <int Dim>
bool VtkFrames<Dim>::is_stored(const std::vector<std::string>& fields) const {
  return describe_missing(reader_.file(), fields).empty();
}

// What was not stored reads as zero: no array rather than one of zeros.
template <int Dim>
void VtkFrames<Dim>::drop_missing(std::vector<VtkArray>& arrays, bool of_contacts) const {
  const auto is_missing = [&](const VtkArray& array) {
    return std::any_of(std::begin(kNeeds), std::end(kNeeds), [&](const ArrayNeeds& needs) {
      return needs.of_contacts == of_contacts && array.name == needs.array && !is_stored(needs.fields);
    });
  };
  arrays.erase(std::remove_if(arrays.begin(), arrays.end(), is_missing), arrays.end());
}

template <int Dim>
std::string VtkFrames<Dim>::left_out() const {
  std::string list;
  const auto add = [&](const std::string& what, const std::vector<std::string>& fields) {
    for (const std::string& field : fields)
      if (!is_stored({field})) {
        list += fmt::format("{}{} (needs the field {})", list.empty() ? "" : ", ", what, field);
        return;
      }
  };
  for (const ArrayNeeds& needs : kNeeds)
    if (!needs.of_contacts || has_contacts_)
      add(needs.of_contacts ? fmt::format("{} of contacts", needs.array) : needs.array, needs.fields);
  add("contacts", {"contacts", "points"});
  add("chains", {"impulses"});
  return list;
}

template <int Dim>
std::vector<std::string> VtkFrames<Dim>::names() const {
  std::vector<std::string> names = {"centres", "bodies"};
  if (has_walls_) names.emplace_back("walls");
  if (has_meshes_) names.emplace_back("meshes");
  if (has_contacts_) names.emplace_back("contacts");
  if (has_contacts_ && is_stored({"impulses"})) names.emplace_back("chains");
  if (has_joints_) names.emplace_back("joints");
  return names;
}

template <int Dim>
std::vector<VtkPart> VtkFrames<Dim>::build(std::int64_t number) {
  const Frame<Dim> frame = reader_.frame(number);
  std::vector<VtkPart> parts;
  parts.push_back({"centres", build_centres(frame, number)});
  parts.push_back({"bodies", build_bodies(frame, number, false)});
  if (has_walls_) parts.push_back({"walls", build_bodies(frame, number, true)});
  if (has_meshes_) parts.push_back({"meshes", build_vtk_meshes(frame)});
  if (has_contacts_) parts.push_back({"contacts", build_contacts(frame)});
  if (has_contacts_ && is_stored({"impulses"})) parts.push_back({"chains", build_chains(frame)});
  if (has_joints_) parts.push_back({"joints", build_joints(frame)});
  for (VtkPart& part : parts) part.piece.time = frame.time;
  return parts;
}

template <int Dim>
std::vector<VtkArray> VtkFrames<Dim>::body_arrays(const Frame<Dim>& frame, std::int64_t number,
                                                  const std::vector<std::size_t>& rows) {
  VtkIntegers id("body", 1), material("material", 1), status("status", 1);
  VtkReals velocity("velocity", 3), spin("spin", 3), displacement("displacement", 3), rotation("rotation", 1);
  VtkReals pressure("pressure", 1), force("force_sum", 1), mass("mass", 1);
  const std::vector<double> pressures = fields_.pressures(frame), forces = fields_.forces(frame);
  const std::vector<BodyStatus> statuses = fields_.statuses(frame);
  for (const std::size_t i : rows) {
    const FrameBody<Dim>& body = frame.bodies[i];
    id.add(body.id), material.add(body.material), status.add(statuses[i]);
    velocity.add_vector(body.velocity), spin.add_vector(spin_of(body.spin));
    displacement.add_vector(fields_.displacement(body, number));
    rotation.add(fields_.rotation(body, number));
    pressure.add(std::isnan(pressures[i]) ? 0 : pressures[i]), force.add(forces[i]), mass.add(body.mass);
  }
  std::vector<VtkArray> arrays =
      gather_arrays(id, material, status, velocity, spin, displacement, rotation, pressure, force, mass);
  drop_missing(arrays, false);
  return arrays;
}

template <int Dim>
VtkPiece VtkFrames<Dim>::build_centres(const Frame<Dim>& frame, std::int64_t number) {
  VtkPiece piece;
  VtkReals radius("radius", 1), turn("orientation", 4);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const FrameBody<Dim>& body = frame.bodies[i];
    if (!is_shown(body) || is_unbounded<Dim>(*body.shape)) continue;
    const std::array<std::int32_t, 1> vertex = {piece.add_point(body.pose.position)};
    piece.vertices.add(vertex);
    rows.push_back(i);
    radius.add(compute_bounding_radius<Dim>(*body.shape));
    add_turn(body.pose, turn);
  }
  piece.point_data = body_arrays(frame, number, rows);
  piece.point_data.push_back(radius.take()), piece.point_data.push_back(turn.take());
  return piece;
}

template <int Dim>
const SurfaceMesh& VtkFrames<Dim>::surface_of(const FrameBody<Dim>& body) {
  // Endless shapes are cut about a place that depends on where their body is.
  if (is_unbounded<Dim>(*body.shape)) {
    SurfaceOptions options = surface_;
    const Vec<Dim> middle = body.pose.to_local(Vec<Dim>(surface_.middle.template head<Dim>()));
    for (int k = 0; k < Dim; ++k) options.middle[k] = middle[k];
    options.sides = std::max(options.sides, 48);
    return surfaces_[body.shape] = build_surface_mesh<Dim>(*body.shape, options);
  }
  const auto known = surfaces_.find(body.shape);
  if (known != surfaces_.end()) return known->second;
  return surfaces_[body.shape] = build_surface_mesh<Dim>(*body.shape, surface_);
}

template <int Dim>
VtkPiece VtkFrames<Dim>::build_bodies(const Frame<Dim>& frame, std::int64_t number, bool endless) {
  VtkPiece piece;
  std::vector<std::size_t> line_rows, rows;  // which body a line or polygon is of
  std::vector<std::int32_t> cell;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const FrameBody<Dim>& body = frame.bodies[i];
    if (!is_shown(body) || is_unbounded<Dim>(*body.shape) != endless) continue;
    const SurfaceMesh& surface = surface_of(body);
    const std::int32_t first = piece.point_count();
    for (const Vec<3>& x : surface.points) piece.add_point(to_space(body.pose, x));
    std::int32_t begin = 0;
    for (const std::int32_t end : surface.ends) {
      cell.clear();
      for (std::int32_t k = begin; k < end; ++k)
        cell.push_back(first + surface.corners[static_cast<std::size_t>(k)]);
      (cell.size() == 2 ? piece.lines : piece.polygons).add(cell);
      (cell.size() == 2 ? line_rows : rows).push_back(i);
      begin = end;
    }
  }
  line_rows.insert(line_rows.end(), rows.begin(), rows.end());
  piece.cell_data = body_arrays(frame, number, line_rows);
  return piece;
}

template <int Dim>
VtkPiece VtkFrames<Dim>::build_contacts(const Frame<Dim>& frame) const {
  VtkPiece piece;
  VtkIntegers a("a", 1), b("b", 1), status("status", 1);
  VtkReals normal("normal", 3), force("force", 3), normal_force("normal_force", 1),
      friction("friction_force", 1);
  VtkReals gap("gap", 1), residual("residual", 1), velocity("velocity", 3);
  const double h = reader_.header().h;
  for (const FrameContact<Dim>& contact : frame.contacts) {
    if (!contact.point.allFinite()) continue;
    const std::array<std::int32_t, 1> vertex = {piece.add_point(contact.point)};
    piece.vertices.add(vertex);
    const Vec<Dim> acting = h > 0 ? Vec<Dim>(contact.impulse / h) : Vec<Dim>(Vec<Dim>::Zero());
    a.add(frame.bodies[static_cast<std::size_t>(contact.a)].id);
    b.add(frame.bodies[static_cast<std::size_t>(contact.b)].id);
    status.add(contact.status), gap.add(contact.gap), residual.add(contact.residual);
    normal.add_vector(Vec<Dim>(contact.axes.col(0)));
    force.add_vector(Vec<Dim>(contact.axes * acting));
    normal_force.add(acting[0]), friction.add(acting.template tail<Dim - 1>().norm());
    velocity.add_vector(Vec<Dim>(contact.axes * contact.velocity));
  }
  piece.point_data =
      gather_arrays(a, b, status, gap, residual, normal, force, normal_force, friction, velocity);
  drop_missing(piece.point_data, true);
  return piece;
}

template <int Dim>
VtkPiece VtkFrames<Dim>::build_chains(const Frame<Dim>& frame) const {
  VtkPiece piece;
  VtkReals size("force_size", 1), normal("normal_force", 1);
  VtkIntegers status("status", 1);
  const double h = reader_.header().h;
  for (const FrameContact<Dim>& contact : frame.contacts) {
    if (!(force(contact, h) > 0)) continue;
    const auto [from, to] = chain_ends(frame, contact, reader_.header().period);
    if (!from.allFinite() || !to.allFinite() || !contact.point.allFinite()) continue;
    const std::array<std::int32_t, 3> line = {piece.add_point(from), piece.add_point(contact.point),
                                              piece.add_point(to)};
    piece.lines.add(line);
    // Of points, so that the filter Tube can take its radius from it.
    for (std::size_t k = 0; k < line.size(); ++k) {
      size.add(force(contact, h));
      normal.add(contact.impulse[0] / h);
      status.add(contact.status);
    }
  }
  piece.point_data = gather_arrays(size, normal, status);
  return piece;
}

template <int Dim>
VtkPiece VtkFrames<Dim>::build_joints(const Frame<Dim>& frame) const {
  VtkPiece piece;
  VtkIntegers which("joint", 1);
  VtkReals load("force", 3), moment("moment", 3), gap("gap", 1), value("value", 3), rate("rate", 3),
      effort("effort", 3);
  const double h = reader_.header().h > 0 ? reader_.header().h : 1;
  for (std::size_t i = 0; i < frame.joints.size(); ++i) {
    const FrameJoint<Dim>& joint = frame.joints[i];
    if (!joint.point.allFinite() || !joint.point_b.allFinite()) continue;
    const std::array<std::int32_t, 2> line = {piece.add_point(joint.point), piece.add_point(joint.point_b)};
    piece.lines.add(line);
    which.add(i), gap.add(joint.gap);
    load.add_vector(Vec<Dim>(joint.impulse / h)), moment.add_vector(Vec<3>(spin_of(joint.moment) / h));
    value.add_vector(joint.value), rate.add_vector(joint.rate), effort.add_vector(Vec<3>(joint.effort / h));
  }
  piece.cell_data = gather_arrays(which, load, moment, gap, value, rate, effort);
  return piece;
}

template class VtkFrames<2>;
template class VtkFrames<3>;

}  // namespace saltus
