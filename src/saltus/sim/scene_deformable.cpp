#include "saltus/sim/scene_deformable.hpp"

#include <fmt/format.h>

#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/face_load.hpp"
#include "saltus/fem/material_registry.hpp"
#include "saltus/fem/mesh_surface.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

template <int Dim>
std::vector<ContinuumMaterial> build_materials(const SceneDeformable<Dim>& body) {
  const SolidMesh<Dim>& mesh = *body.mesh;
  std::vector<ContinuumMaterial> materials(mesh.materials.size());
  const typename SceneDeformable<Dim>::Solid* rest = nullptr;
  for (const auto& solid : body.solids) {
    if (solid.group.empty()) {
      if (rest)
        throw InputError(solid.parameters.where, "a second material for all groups", solid.kind,
                         "one, or `group`");
      rest = &solid;
      continue;
    }
    ContinuumMaterial& own = materials[find_material(mesh, solid.group, solid.parameters.where)];
    if (own.material)
      throw InputError(solid.parameters.where, "a second material for one group", '"' + solid.group + '"',
                       "one");
    own = {make_material(solid.kind, solid.parameters), solid.density};
  }
  std::shared_ptr<const Material> shared = rest ? make_material(rest->kind, rest->parameters) : nullptr;
  std::vector<char> is_used(materials.size(), 0);
  for (const auto& element : mesh.elements) is_used[element.material] = 1;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (materials[i].material) continue;
    if (!rest && is_used[i])
      throw InputError(body.where, "elements without a material", '"' + mesh.materials[i] + '"',
                       "a [[deformable.solid]] with this group, or one without a group for all");
    if (rest) materials[i] = {shared, rest->density};
  }
  return materials;
}

template <int Dim>
void add_supports(const SceneDeformable<Dim>& body, SolidModel<Dim>& model) {
  std::set<std::pair<int, int>> held;
  for (const auto& support : body.supports)
    for (const int node : compute_group_nodes(*body.mesh, support.on, support.where)) {
      if (!held.emplace(node, support.direction).second)
        throw InputError(support.where, "a second support of one node in one direction",
                         fmt::format("node {}, {}", node, "xyz"[support.direction]), "one of them");
      model.driven.push_back({node, support.direction, support.drive});
    }
}

template <int Dim>
void add_loads(const SceneDeformable<Dim>& body, SolidModel<Dim>& model) {
  using Kind = typename SceneDeformable<Dim>::Load::Kind;
  for (const auto& load : body.loads) {
    if (load.kind == Kind::pressure) {
      model.pressures.push_back({find_sides(*body.mesh, load.on, load.where), load.value});
      continue;
    }
    SharedForce force;
    force.value = load.value;
    if (load.kind == Kind::force) {
      const std::vector<int> nodes = compute_group_nodes(*body.mesh, load.on, load.where);
      for (const int node : nodes)
        force.shares.emplace_back(Dim * node + load.direction, 1.0 / static_cast<double>(nodes.size()));
    } else {
      Eigen::VectorXd shares =
          Eigen::VectorXd::Zero(Dim * static_cast<Eigen::Index>(body.mesh->nodes.size()));
      add_traction<Dim>(*body.mesh, find_sides(*body.mesh, load.on, load.where), {body.plane, body.thickness},
                        Vec<Dim>::Unit(load.direction), shares);
      for (Eigen::Index i = 0; i < shares.size(); ++i)
        if (shares[i] != 0) force.shares.emplace_back(static_cast<int>(i), shares[i]);
    }
    model.forces.push_back(std::move(force));
  }
}

}  // namespace

template <int Dim>
SolidModel<Dim> build_model(const SceneDeformable<Dim>& body) {
  SolidModel<Dim> model;
  model.mesh = body.mesh;
  model.name = body.name;
  model.where = body.where;
  model.options = {body.kinematics, body.plane, body.thickness, body.mean_dilatation, body.where};
  model.materials = build_materials(body);
  model.mass = body.mass.value_or(MassKind::consistent);
  if (body.redistribute) {
    const ContactSurface<Dim> surface =
        build_contact_surface(*body.mesh, contact_sides(body), ContactPoints::nodes, false);
    std::set<int> nodes;
    for (const int point : surface.touching)
      nodes.insert(surface.points[point].nodes.begin(), surface.points[point].nodes.end());
    model.massless.assign(nodes.begin(), nodes.end());
  }
  model.damping_mass = body.damping_mass;
  model.damping_stiffness = body.damping_stiffness;
  model.newton = body.newton;
  model.velocity = body.velocity;
  model.spin = body.spin;
  const auto size = Dim * body.mesh->nodes.size();
  for (const auto* values : {&body.q, &body.v})
    if (!values->empty() && values->size() != size)
      throw InputError(body.where, "displacements or velocities at the start",
                       fmt::format("{} numbers", values->size()),
                       fmt::format("{}, {} of each node", size, Dim));
  model.start_q = Eigen::Map<const Eigen::VectorXd>(body.q.data(), static_cast<Eigen::Index>(body.q.size()));
  model.start_v = Eigen::Map<const Eigen::VectorXd>(body.v.data(), static_cast<Eigen::Index>(body.v.size()));
  add_supports(body, model);
  add_loads(body, model);
  return model;
}

template <int Dim>
std::vector<MeshSide> contact_sides(const SceneDeformable<Dim>& body) {
  if (!body.touches) return {};
  if (body.surfaces.empty()) return compute_boundary_sides(*body.mesh);
  std::vector<MeshSide> sides;
  for (const std::string& name : body.surfaces) {
    const auto& own = find_sides(*body.mesh, name, body.where);
    sides.insert(sides.end(), own.begin(), own.end());
  }
  const auto order = [](const MeshSide& s) { return std::pair(s.element, s.face); };
  std::sort(sides.begin(), sides.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  sides.erase(std::unique(sides.begin(), sides.end(),
                          [&](const auto& a, const auto& b) { return order(a) == order(b); }),
              sides.end());
  return sides;
}

template SolidModel<2> build_model<2>(const SceneDeformable<2>&);
template SolidModel<3> build_model<3>(const SceneDeformable<3>&);
template std::vector<MeshSide> contact_sides<2>(const SceneDeformable<2>&);
template std::vector<MeshSide> contact_sides<3>(const SceneDeformable<3>&);

}  // namespace saltus
