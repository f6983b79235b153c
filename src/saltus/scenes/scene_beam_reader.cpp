#include "saltus/scenes/scene_beam_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/math/expression.hpp"
#include "saltus/meshes/line_mesh_reader.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_mesh_reader.hpp"
#include "saltus/scenes/scene_text.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

constexpr double kFarthestLine = 1e9;
constexpr Range kLineRadius{1e-9, 1e9};
constexpr Range kLinePlaces{-kFarthestLine, kFarthestLine};

Pose<2> read_line_place(TableReader& t, const Vec<2>& centre) {
  return Pose<2>(centre, t.number("angle", 0, kAnyNumber));
}
Pose<3> read_line_place(TableReader& t, const Vec<3>& centre) {
  return Pose<3>(centre, exponential_map(t.vector<3>("rotation", Vec<3>(Vec<3>::Zero()))));
}

std::vector<std::string> space_names(int dim) {
  std::vector<std::string> names = {"x", "y", "z"};
  names.resize(dim);
  return names;
}

int read_divisions(TableReader& t, const SceneContext& context) {
  return static_cast<int>(t.integer("divisions", 1, std::min<std::int64_t>(context.limits.bodies, 1000000)));
}

template <int Dim>
LineMesh<Dim> read_curve(TableReader& t, const SceneContext& context) {
  const std::vector<Vec<Dim>> corners = t.vectors<Dim>("points");
  if (corners.size() < 2) t.fail("points", fmt::format("{}", corners.size()), "two or more");
  std::vector<int> divisions;
  const toml::node* node = t.node("divisions");
  if (node && node->is_array())
    divisions = t.integers("divisions", 1, 1000000);
  else
    divisions.assign(corners.size() - 1, read_divisions(t, context));
  if (divisions.size() + 1 != corners.size())
    t.fail("divisions", fmt::format("{} numbers", divisions.size()),
           fmt::format("one, or {}: elements of each stretch", corners.size() - 1));
  double all = 0;
  for (const int n : divisions) all += n;
  if (all > static_cast<double>(context.limits.bodies))
    t.fail("divisions", fmt::format("{} elements", all), fmt::format("up to {}", context.limits.bodies));
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    if (!((corners[i + 1] - corners[i]).norm() > 0))
      t.fail("points", "two that follow each other at one place", "a distance");
  return build_polyline<Dim>(corners, divisions, t.number("grading", 1, Range{1e-6, 1e6}));
}

template <int Dim>
LineMesh<Dim> read_line_table(TableReader& t, SceneContext& context) {
  LineMesh<Dim> mesh;
  if (t.has("file")) {
    const double scale = t.number("scale", 1, kPositive);
    context.load_file(t, "file");  // its hash belongs to the scene
    mesh = read_line_mesh<Dim>(context.file_path(t, "file"), scale);
  } else {
    switch (t.choice("kind", {"line", "curve", "arc"})) {
      case 0: {
        const Vec<Dim> from = t.vector<Dim>("from", kLinePlaces), to = t.vector<Dim>("to", kLinePlaces);
        if (!((to - from).norm() > 0)) t.fail("to", "the place of `from`", "a distance");
        mesh = build_polyline<Dim>({from, to}, {read_divisions(t, context)},
                                   t.number("grading", 1, Range{1e-6, 1e6}));
        break;
      }
      case 1: mesh = read_curve<Dim>(t, context); break;
      default: {
        const double radius = t.number("radius", kLineRadius), from = t.number("from", Range{-10, 10}),
                     to = t.number("to", Range{-10, 10});
        if (from == to) t.fail("to", "the angle of `from`", "another");
        mesh = build_arc<Dim>(t.vector<Dim>("centre", Vec<Dim>(Vec<Dim>::Zero()), kLinePlaces), radius, from,
                              to, read_divisions(t, context));
      }
    }
  }
  t.finish();
  check_line_mesh(mesh, t.where());
  return mesh;
}

// { kind = "rectangle", width = 0.02, height = 0.05, young = 2.1e11, density = 7800 }.
template <int Dim>
typename SceneBeam<Dim>::Section read_section(TableReader& t, double density) {
  typename SceneBeam<Dim>::Section own;
  own.group = t.text("group", "");
  own.where = t.where();
  BeamSection& s = own.section;
  switch (t.choice("kind", {"rectangle", "circle", "tube", "general"})) {
    case 0: {
      const double height = t.number("height", kPositive);
      s = rectangle_section(t.number("width", Dim == 2 ? 1.0 : height, kPositive), height);
      break;
    }
    case 1: s = circle_section(t.number("radius", kPositive)); break;
    case 2: {
      const double radius = t.number("radius", kPositive);
      s = tube_section(radius, t.number("wall", Range{0, radius, true}));
      break;
    }
    default:
      s.area = t.number("area", kPositive);
      s.inertia = t.number("inertia", 0, kNotNegative);
      s.inertia_side = t.number("inertia_side", s.inertia, kNotNegative);
      s.torsion = t.number("torsion", s.inertia + s.inertia_side, kNotNegative);
      s.radius = t.number("radius", kPositive);
  }
  s.shear_factor = t.number("shear_factor", 0, kNotNegative);
  s.young = t.number("young", kPositive);
  s.poisson = t.number("poisson", 0.3, Range{-1, 0.5, true});
  s.density = t.number("density", density, kPositive);
  s.tension = t.number("tension", 0, kAnyNumber);
  t.finish();
  return own;
}

template <int Dim>
void read_supports(TableReader& t, SceneContext& context, SceneBeam<Dim>& body) {
  std::vector<std::string> names = dof_names<Dim>();
  names.resize(body.stride());
  for (TableReader& own : t.tables("supports")) {
    const std::string on = own.text("on");
    const std::size_t before = body.supports.size();
    for (const std::string& word : own.texts("locked")) {
      const auto at = std::find(names.begin(), names.end(), word);
      if (at == names.end()) own.fail("locked", '"' + word + '"', join_names(names));
      body.supports.push_back(
          {on, static_cast<int>(at - names.begin()), {Drive::Kind::locked, {}}, own.where()});
    }
    if (std::optional<TableReader> drives = own.optional_table("drive")) {
      for (std::size_t i = 0; i < names.size(); ++i)
        if (drives->has(names[i]))
          body.supports.push_back(
              {on, static_cast<int>(i), read_drive(drives->table(names[i]), context), own.where()});
      drives->finish();
    }
    if (body.supports.size() == before)
      own.fail("locked", "none", "locked = [\"x\"], or drive = { x = { velocity = 0.1 } }");
    own.finish();
  }
}

template <int Dim>
void read_loads(TableReader& t, SceneContext& context, SceneBeam<Dim>& body) {
  using Load = typename SceneBeam<Dim>::Load;
  for (TableReader& own : t.tables("loads")) {
    Load load;
    load.where = own.where();
    load.kind = static_cast<typename Load::Kind>(own.choice("kind", {"force", "moment", "line"}));
    load.on = load.kind == Load::Kind::line ? own.text("on", "") : own.text("on");
    if (Dim == 3 || load.kind != Load::Kind::moment)
      load.direction = own.choice("direction", space_names(Dim));
    load.value = read_function(own, "value", context);
    own.finish();
    body.loads.push_back(std::move(load));
  }
}

// Rows of numbers, one of each node, or { y = "0.1*sin(pi*x)" }: formulas of the places of nodes at rest.
template <int Dim>
std::vector<double> read_start(TableReader& t, std::string_view key, const SceneBeam<Dim>& body) {
  const toml::node* node = t.node(key);
  if (!node) return {};
  const int stride = body.stride();
  const std::size_t count = body.mesh->nodes.size();
  std::vector<double> values(stride * count, 0.0);
  if (const toml::array* rows = node->as_array()) {
    if (rows->size() != count)
      t.fail(key, fmt::format("{} rows", rows->size()), fmt::format("{}, as the mesh has nodes", count));
    for (std::size_t i = 0; i < count; ++i) {
      const toml::array* row = (*rows)[i].as_array();
      const std::string path = fmt::format("{}.{}", t.path(key), i);
      if (!row || static_cast<int>(row->size()) != stride)
        fail_value((*rows)[i], path, fmt::format("{} numbers", stride));
      for (int k = 0; k < stride; ++k) values[stride * i + k] = read_number((*row)[k], path, kAnyNumber);
    }
    return values;
  }
  TableReader own = t.table(key);
  for (int k = 0; k < stride; ++k) {
    const std::string& name = dof_names<Dim>()[k];
    if (!own.has(name)) continue;
    const toml::node& given = *own.node(name);
    std::string text = given.is_number() ? to_toml(own.number(name, kAnyNumber)) : own.text(name);
    try {
      const Expression formula(std::move(text), {space_names(Dim), {}});
      for (std::size_t i = 0; i < count; ++i)
        values[stride * i + k] = formula.value(std::span<const double>(body.mesh->nodes[i].data(), Dim));
    } catch (const InputError& error) {
      throw InputError(own.where(name), fmt::format("{}: {}", own.path(name), error.what()));
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(values[stride * i + k]))
        own.fail(name, fmt::format("not finite at node {}", i),
                 "a formula of x, y (z) that is finite at all nodes");
  }
  own.finish();
  return values;
}

template <int Dim>
void read_sections(TableReader& t, double density, SceneBeam<Dim>& body) {
  const toml::node* node = t.node("section");
  if (node && node->is_table()) {
    TableReader own = t.table("section");
    body.sections.push_back(read_section<Dim>(own, density));
  } else {
    for (TableReader& own : t.tables("section")) body.sections.push_back(read_section<Dim>(own, density));
  }
  if (body.sections.empty())
    t.fail("section", "none", "section = { kind = \"circle\", radius = 0.01, young = 2e11, density = 7800 }");
}

template <int Dim>
SceneBeam<Dim> read_beam(TableReader& t, SceneContext& context) {
  SceneBeam<Dim> body;
  body.name = t.text("name", "");
  body.where = t.where();
  body.material = context.material(t, "material");
  body.kind = static_cast<LineKind>(t.choice("kind", {"beam", "bar", "string"}, 0));
  TableReader table = t.table("mesh");
  body.mesh_text = format_mesh_table(table, context);
  auto mesh = std::make_shared<LineMesh<Dim>>(read_line_table<Dim>(table, context));
  body.place = read_line_place(t, t.vector<Dim>("centre", Vec<Dim>(Vec<Dim>::Zero()), kLinePlaces));
  for (Vec<Dim>& x : mesh->nodes) x = body.place.to_world(x);
  body.mesh = mesh;
  if constexpr (Dim == 3) {
    body.up = t.vector<3>("up", body.up);
    if (!(body.up.norm() > 0)) t.fail("up", "zero", "a direction");
  }
  const auto material = context.materials.find(body.material);
  const bool has_density = material != context.materials.end() && material->second;
  read_sections<Dim>(t, has_density ? *material->second : 1000, body);
  body.large = t.choice("kinematics", {"small", "large"}, 0) == 1;
  const int mass = t.choice("mass", {"consistent", "lumped", "redistributed"}, 0);
  body.redistribute = mass == 2;
  body.mass = mass == 1 ? MassKind::lumped : MassKind::consistent;
  if (body.redistribute) body.massless = t.texts("massless");
  body.damping_mass = t.number("damping_mass", 0, kNotNegative);
  body.damping_stiffness = t.number("damping_stiffness", 0, kNotNegative);
  body.newton = static_cast<NewtonMatrix>(t.choice("newton", {"tangent", "kept", "mass"}, 1));
  body.velocity = t.vector<Dim>("velocity", body.velocity);
  if constexpr (Dim == 2)
    body.spin[0] = t.number("spin", 0, kAnyNumber);
  else
    body.spin = t.vector<3>("spin", body.spin);
  body.q = read_start(t, "displacements", body);
  body.v = read_start(t, "velocities", body);
  read_supports(t, context, body);
  read_loads(t, context, body);
  body.contact =
      static_cast<typename SceneBeam<Dim>::Contact>(t.choice("contact", {"length", "nodes", "none"}, 0));
  if (t.has("radius")) body.radius = t.number("radius", kPositive);
  body.group = read_group_bits(t, "groups", body.group);
  body.mask = read_group_bits(t, "touches", body.mask);
  t.finish();
  build_model(body, *build_beams(body));  // complains of groups that are not there
  return body;
}

}  // namespace

template <int Dim>
std::vector<SceneBeam<Dim>> read_beams(TableReader& scene, SceneContext& context) {
  std::vector<SceneBeam<Dim>> bodies;
  for (TableReader& t : scene.tables("beams")) bodies.push_back(read_beam<Dim>(t, context));
  return bodies;
}

template std::vector<SceneBeam<2>> read_beams<2>(TableReader&, SceneContext&);
template std::vector<SceneBeam<3>> read_beams<3>(TableReader&, SceneContext&);

}  // namespace saltus
