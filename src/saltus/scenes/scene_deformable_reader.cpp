#include "saltus/scenes/scene_deformable_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/material_registry.hpp"
#include "saltus/fem/mesh_surface.hpp"
#include "saltus/scenes/scene_block_wall.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_mesh_reader.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

constexpr double kFarthestMesh = 1e9;

Pose<2> read_mesh_place(TableReader& t, const Vec<2>& centre) {
  return Pose<2>(centre, t.number("angle", 0, kAnyNumber));
}
// A rotation vector.
Pose<3> read_mesh_place(TableReader& t, const Vec<3>& centre) {
  return Pose<3>(centre, exponential_map(t.vector<3>("rotation", Vec<3>(Vec<3>::Zero()))));
}

template <int Dim>
int read_direction(TableReader& t, std::string_view key) {
  std::vector<std::string> names = {"x", "y", "z"};
  names.resize(Dim);
  return t.choice(key, names);
}

// { kind = "elastic", young = 1e6, ... }: what is not known to a scene are parameters of the material.
template <int Dim>
typename SceneDeformable<Dim>::Solid read_solid(TableReader& t, double density) {
  typename SceneDeformable<Dim>::Solid solid;
  solid.group = t.text("group", "");
  const std::vector<std::string> kinds = material_names();
  solid.kind = kinds[t.choice("kind", kinds)];
  solid.density = t.number("density", density, kPositive);
  solid.parameters.where = t.where();
  for (const auto& [key, node] : t.tree()) {
    const std::string word(key.str());
    if (word == "group" || word == "kind" || word == "density") continue;
    MaterialParameter parameter{word, 0, {}, t.where(word)};
    if (node.is_array()) {
      for (const Vec<2>& row : t.vectors<2>(word)) parameter.table.push_back({row[0], row[1]});
    } else if (node.is_number()) {
      parameter.value = t.number(word, kAnyNumber);
    } else {
      fail_value(
          node, t.path(word),
          "a number, or pairs of numbers: a parameter of the material (kinematics, plane, mass and so on "
          "are keys of the body)");
    }
    solid.parameters.given.push_back(std::move(parameter));
  }
  t.finish();
  make_material(solid.kind, solid.parameters);  // complains
  return solid;
}

template <int Dim>
void read_solids(TableReader& t, double density, SceneDeformable<Dim>& body) {
  const toml::node* node = t.node("solid");
  if (node && node->is_table()) {
    TableReader own = t.table("solid");
    body.solids.push_back(read_solid<Dim>(own, density));
  } else {
    for (TableReader& own : t.tables("solid")) body.solids.push_back(read_solid<Dim>(own, density));
  }
  if (body.solids.empty())
    t.fail("solid", "none",
           "what it is made of: solid = { kind = \"linear-elastic\", young = 1e9, poisson = 0.3 }");
}

template <int Dim>
void read_supports(TableReader& t, SceneContext& context, SceneDeformable<Dim>& body) {
  std::vector<std::string> names = {"x", "y", "z"};
  names.resize(Dim);
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
      for (int i = 0; i < Dim; ++i)
        if (drives->has(names[i]))
          body.supports.push_back({on, i, read_drive(drives->table(names[i]), context), own.where()});
      drives->finish();
    }
    if (body.supports.size() == before)
      own.fail("locked", "none", "locked = [\"x\"], or drive = { x = { velocity = 0.1 } }");
    own.finish();
  }
}

template <int Dim>
void read_loads(TableReader& t, SceneContext& context, SceneDeformable<Dim>& body) {
  using Load = typename SceneDeformable<Dim>::Load;
  for (TableReader& own : t.tables("loads")) {
    Load load;
    load.on = own.text("on");
    load.where = own.where();
    load.kind = static_cast<typename Load::Kind>(own.choice("kind", {"traction", "pressure", "force"}));
    if (load.kind != Load::Kind::pressure) load.direction = read_direction<Dim>(own, "direction");
    load.value = read_function(own, "value", context);
    own.finish();
    body.loads.push_back(std::move(load));
  }
}

template <int Dim>
void read_contact(TableReader& t, SceneDeformable<Dim>& body) {
  const toml::node* node = t.node("contact");
  if (node && node->is_array()) {
    body.surfaces = t.texts("contact");
    if (body.surfaces.empty()) t.fail("contact", "[]", "names of sides, \"all\" or \"none\"");
  } else {
    body.touches = t.choice("contact", {"all", "none"}, 0) == 0;
  }
  body.points =
      static_cast<ContactPoints>(t.choice("contact_points", {"nodes", "middles", "quadrature", "facets"}, 0));
  body.corners_touch = t.flag("contact_corners", true);
  body.touches_itself = t.flag("self_contact", false);
  body.group = read_group_bits(t, "groups", body.group);
  body.mask = read_group_bits(t, "touches", body.mask);
}

template <int Dim>
std::vector<double> read_nodes(TableReader& t, std::string_view key, const SolidMesh<Dim>& mesh) {
  std::vector<double> values;
  if (!t.has(key)) return values;
  for (const Vec<Dim>& v : t.vectors<Dim>(key)) values.insert(values.end(), v.data(), v.data() + Dim);
  if (values.size() != Dim * mesh.nodes.size())
    t.fail(key, fmt::format("{} vectors", values.size() / Dim),
           fmt::format("{}, as the mesh has nodes", mesh.nodes.size()));
  return values;
}

template <int Dim>
std::vector<SceneDeformable<Dim>> read_deformable_body(TableReader& t, SceneContext& context) {
  SceneDeformable<Dim> body;
  body.name = t.text("name", "");
  body.where = t.where();
  body.material = context.material(t, "material");
  TableReader table = t.table("mesh");
  body.mesh_text = format_mesh_table(table, context);
  auto mesh = std::make_shared<SolidMesh<Dim>>(read_solid_mesh<Dim>(table, context));
  const Pose<Dim> place = read_mesh_place(
      t, t.vector<Dim>("centre", Vec<Dim>(Vec<Dim>::Zero()), Range{-kFarthestMesh, kFarthestMesh}));
  for (Vec<Dim>& x : mesh->nodes) x = place.to_world(x);
  body.place = place;
  body.mesh = mesh;

  const auto material = context.materials.find(body.material);
  const bool has_density = material != context.materials.end() && material->second;
  read_solids<Dim>(t, has_density ? *material->second : 1000, body);
  body.kinematics = static_cast<Kinematics>(t.choice("kinematics", {"small", "corotational", "finite"}, 0));
  if constexpr (Dim == 2) {
    body.plane = static_cast<PlaneKind>(t.choice("plane", {"strain", "stress", "axisymmetric"}, 0));
    body.thickness = t.number("thickness", 1, kPositive);
  }
  if (t.has("mean_dilatation")) body.mean_dilatation = t.flag("mean_dilatation", true);
  const int mass = t.choice("mass", {"consistent", "lumped", "redistributed"}, 0);
  body.redistribute = mass == 2;
  if (t.has("mass") && mass != 2) body.mass = mass == 1 ? MassKind::lumped : MassKind::consistent;
  body.damping_mass = t.number("damping_mass", 0, kNotNegative);
  body.damping_stiffness = t.number("damping_stiffness", 0, kNotNegative);
  body.newton = static_cast<NewtonMatrix>(t.choice("newton", {"tangent", "kept", "mass"}, 1));
  body.velocity = t.vector<Dim>("velocity", body.velocity);
  if constexpr (Dim == 2)
    body.spin[0] = t.number("spin", 0, kAnyNumber);
  else
    body.spin = t.vector<3>("spin", body.spin);
  if (t.has("lithostatic")) body.lithostatic = t.number("lithostatic", kAnyNumber);
  body.q = read_nodes<Dim>(t, "displacements", *mesh);
  body.v = read_nodes<Dim>(t, "velocities", *mesh);
  read_supports(t, context, body);
  read_loads(t, context, body);
  read_contact(t, body);
  build_model(body);  // complains of groups that are not there
  contact_sides(body);
  std::vector<SceneDeformable<Dim>> blocks = read_block_wall<Dim>(t, context, std::move(body));
  t.finish();
  return blocks;
}

}  // namespace

template <int Dim>
std::vector<SceneDeformable<Dim>> read_deformable(TableReader& scene, SceneContext& context) {
  std::vector<SceneDeformable<Dim>> bodies;
  for (TableReader& t : scene.tables("deformable"))
    for (SceneDeformable<Dim>& body : read_deformable_body<Dim>(t, context))
      bodies.push_back(std::move(body));
  return bodies;
}

template std::vector<SceneDeformable<2>> read_deformable<2>(TableReader&, SceneContext&);
template std::vector<SceneDeformable<3>> read_deformable<3>(TableReader&, SceneContext&);

}  // namespace saltus
