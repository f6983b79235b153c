#include "saltus/scenes/scene_beam_writer.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_function_writer.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

std::string format_section(const BeamSection& s, const std::string& group) {
  std::string text = "kind = \"general\"";
  if (!group.empty()) text += ", group = " + quote(group);
  const auto add = [&](const char* key, double value) {
    append_item(text, fmt::format("{} = {}", key, to_toml(value)));
  };
  add("area", s.area);
  if (s.inertia > 0) add("inertia", s.inertia);
  if (s.inertia_side > 0) add("inertia_side", s.inertia_side);
  if (s.torsion > 0) add("torsion", s.torsion);
  add("radius", s.radius);
  if (s.shear_factor > 0) add("shear_factor", s.shear_factor);
  add("young", s.young), add("poisson", s.poisson), add("density", s.density);
  if (s.tension != 0) add("tension", s.tension);
  return "{ " + text + " }";
}

std::string format_rows(const std::vector<double>& values, int stride) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); i += stride)
    append_item(text, to_toml(std::vector<double>(values.begin() + i, values.begin() + i + stride)));
  return "[" + text + "]";
}

template <int Dim>
void write_support(const typename SceneBeam<Dim>::Support& support, TextWriter& out) {
  const std::string& name = dof_names<Dim>()[support.dof];
  out.section("[[beams.supports]]");
  out.key("on", quote(support.on));
  if (support.drive.kind == Drive::Kind::locked)
    out.key("locked", "[" + quote(name) + "]");
  else
    out.key("drive", "{ " + name + " = { " + format_drive(support.drive) + " } }");
}

template <int Dim>
void write_load(const typename SceneBeam<Dim>::Load& load, TextWriter& out) {
  using Kind = typename SceneBeam<Dim>::Load::Kind;
  constexpr const char* kKinds[] = {"force", "moment", "line"};
  constexpr const char* kDirections[] = {"x", "y", "z"};
  out.section("[[beams.loads]]");
  if (!load.on.empty()) out.key("on", quote(load.on));
  out.key("kind", quote(kKinds[static_cast<int>(load.kind)]));
  if (Dim == 3 || load.kind != Kind::moment) out.key("direction", quote(kDirections[load.direction]));
  out.key("value", format_function(load.value));
}

}  // namespace

template <int Dim>
void write_beam(const SceneBeam<Dim>& body, TextWriter& out) {
  using Contact = typename SceneBeam<Dim>::Contact;
  const SceneBeam<Dim> preset;
  out.section("[[beams]]");
  if (!body.name.empty()) out.key("name", quote(body.name));
  if (body.material.str() != preset.material.str()) out.key("material", quote(body.material.str()));
  constexpr const char* kKinds[] = {"beam", "bar", "string"};
  out.key("kind", quote(kKinds[static_cast<int>(body.kind)]));
  out.key("mesh", body.mesh_text);
  out.key("centre", to_toml(body.place.position));
  if constexpr (Dim == 2) {
    out.key("angle", to_toml(body.place.angle()));
  } else {
    const Eigen::AngleAxisd turn(body.place.orientation());
    out.key("rotation", to_toml(Vec<3>(turn.angle() * turn.axis())));
    out.key("up", to_toml(body.up));
  }
  std::string sections;
  for (const auto& own : body.sections) append_item(sections, format_section(own.section, own.group));
  out.key("section", "[" + sections + "]");
  out.key("kinematics", quote(body.large ? "large" : "small"));
  if (body.mass == MassKind::lumped) out.key("mass", quote("lumped"));
  if (body.redistribute) out.key("mass", quote("redistributed"));
  if (!body.massless.empty()) out.key("massless", to_toml(body.massless));
  if (body.damping_mass != 0) out.key("damping_mass", to_toml(body.damping_mass));
  if (body.damping_stiffness != 0) out.key("damping_stiffness", to_toml(body.damping_stiffness));
  constexpr const char* kNewton[] = {"tangent", "kept", "mass"};
  if (body.newton != NewtonMatrix::kept) out.key("newton", quote(kNewton[static_cast<int>(body.newton)]));
  if (!body.velocity.isZero(0)) out.key("velocity", to_toml(body.velocity));
  if (!body.spin.isZero(0))
    out.key("spin", Dim == 2 ? to_toml(body.spin[0])
                             : to_toml(std::vector<double>(body.spin.begin(), body.spin.end())));
  if (!body.q.empty()) out.key("displacements", format_rows(body.q, body.stride()));
  if (!body.v.empty()) out.key("velocities", format_rows(body.v, body.stride()));
  if (body.contact != Contact::length)
    out.key("contact", quote(body.contact == Contact::nodes ? "nodes" : "none"));
  if (body.radius) out.key("radius", to_toml(*body.radius));
  if (body.group != preset.group) out.key("groups", group_list(body.group));
  if (body.mask != preset.mask) out.key("touches", group_list(body.mask));
  for (const auto& support : body.supports) write_support<Dim>(support, out);
  for (const auto& load : body.loads) write_load<Dim>(load, out);
}

template void write_beam<2>(const SceneBeam<2>&, TextWriter&);
template void write_beam<3>(const SceneBeam<3>&, TextWriter&);

}  // namespace saltus
