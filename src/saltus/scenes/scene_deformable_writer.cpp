#include "saltus/scenes/scene_deformable_writer.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "saltus/scenes/scene_function_writer.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

constexpr const char* kDirections[] = {"x", "y", "z"};

std::string format_parameter(const MaterialParameter& parameter) {
  if (parameter.table.empty()) return parameter.name + " = " + to_toml(parameter.value);
  std::string rows;
  for (const auto& row : parameter.table) append_item(rows, to_toml(std::vector<double>{row[0], row[1]}));
  return parameter.name + " = [" + rows + "]";
}

template <int Dim>
std::string format_nodes(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); i += Dim)
    append_item(text, to_toml(std::vector<double>(values.begin() + i, values.begin() + i + Dim)));
  return "[" + text + "]";
}

template <int Dim>
void write_support(const typename SceneDeformable<Dim>::Support& support, TextWriter& out) {
  const std::string direction = kDirections[support.direction];
  out.section("[[deformable.supports]]");
  out.key("on", quote(support.on));
  if (support.drive.kind == Drive::Kind::locked)
    out.key("locked", "[" + quote(direction) + "]");
  else
    out.key("drive", "{ " + direction + " = { " + format_drive(support.drive) + " } }");
}

template <int Dim>
void write_load(const typename SceneDeformable<Dim>::Load& load, TextWriter& out) {
  constexpr const char* kKinds[] = {"traction", "pressure", "force"};
  using Load = typename SceneDeformable<Dim>::Load;
  out.section("[[deformable.loads]]");
  out.key("on", quote(load.on));
  out.key("kind", quote(kKinds[static_cast<int>(load.kind)]));
  if (load.kind != Load::Kind::pressure) out.key("direction", quote(kDirections[load.direction]));
  out.key("value", format_function(load.value));
}

template <int Dim>
void write_place(const SceneDeformable<Dim>& body, TextWriter& out) {
  out.key("centre", to_toml(body.place.position));
  if constexpr (Dim == 2) {
    out.key("angle", to_toml(body.place.angle()));
  } else {
    const Eigen::AngleAxisd turn(body.place.orientation());
    out.key("rotation", to_toml(Vec<3>(turn.angle() * turn.axis())));
  }
}

}  // namespace

template <int Dim>
void write_deformable(const SceneDeformable<Dim>& body, TextWriter& out) {
  const SceneDeformable<Dim> preset;
  out.section("[[deformable]]");
  if (!body.name.empty()) out.key("name", quote(body.name));
  if (body.material.str() != preset.material.str()) out.key("material", quote(body.material.str()));
  out.key("mesh", body.mesh_text);
  write_place(body, out);
  std::string solids;
  for (const auto& solid : body.solids) {
    std::string text = "kind = " + quote(solid.kind) + ", density = " + to_toml(solid.density);
    if (!solid.group.empty()) text += ", group = " + quote(solid.group);
    for (const MaterialParameter& parameter : solid.parameters.given)
      append_item(text, format_parameter(parameter));
    append_item(solids, "{ " + text + " }");
  }
  out.key("solid", "[" + solids + "]");
  constexpr const char* kKinematics[] = {"small", "corotational", "finite"};
  out.key("kinematics", quote(kKinematics[static_cast<int>(body.kinematics)]));
  if (Dim == 2) {
    constexpr const char* kPlanes[] = {"strain", "stress", "axisymmetric"};
    out.key("plane", quote(kPlanes[static_cast<int>(body.plane)]));
    out.key("thickness", to_toml(body.thickness));
  }
  if (body.mean_dilatation) out.key("mean_dilatation", *body.mean_dilatation ? "true" : "false");
  if (body.mass) out.key("mass", quote(*body.mass == MassKind::lumped ? "lumped" : "consistent"));
  if (body.redistribute) out.key("mass", quote("redistributed"));
  if (body.damping_mass != 0) out.key("damping_mass", to_toml(body.damping_mass));
  if (body.damping_stiffness != 0) out.key("damping_stiffness", to_toml(body.damping_stiffness));
  constexpr const char* kNewton[] = {"tangent", "kept", "mass"};
  if (body.newton != NewtonMatrix::kept) out.key("newton", quote(kNewton[static_cast<int>(body.newton)]));
  if (!body.velocity.isZero(0)) out.key("velocity", to_toml(body.velocity));
  if (!body.spin.isZero(0))
    out.key("spin", Dim == 2 ? to_toml(body.spin[0])
                             : to_toml(std::vector<double>(body.spin.begin(), body.spin.end())));
  if (body.lithostatic) out.key("lithostatic", to_toml(*body.lithostatic));
  if (!body.q.empty()) out.key("displacements", format_nodes<Dim>(body.q));
  if (!body.v.empty()) out.key("velocities", format_nodes<Dim>(body.v));
  if (!body.touches) out.key("contact", quote("none"));
  if (!body.surfaces.empty()) out.key("contact", to_toml(body.surfaces));
  constexpr const char* kPoints[] = {"nodes", "middles", "quadrature", "facets"};
  if (body.points != ContactPoints::nodes)
    out.key("contact_points", quote(kPoints[static_cast<int>(body.points)]));
  if (!body.corners_touch) out.key("contact_corners", "false");
  if (body.touches_itself) out.key("self_contact", "true");
  if (body.group != preset.group) out.key("groups", group_list(body.group));
  if (body.mask != preset.mask) out.key("touches", group_list(body.mask));
  for (const auto& support : body.supports) write_support<Dim>(support, out);
  for (const auto& load : body.loads) write_load<Dim>(load, out);
}

template void write_deformable<2>(const SceneDeformable<2>&, TextWriter&);
template void write_deformable<3>(const SceneDeformable<3>&, TextWriter&);

}  // namespace saltus
