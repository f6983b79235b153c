// Small deformable bodies that tests share.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::test {

// Of 1000 kg/m3.
template <int Dim>
SceneDeformable<Dim> soft_body(SolidMesh<Dim> mesh, const Vec<Dim>& centre, const std::string& kind, double young,
                               double poisson) {
  SceneDeformable<Dim> body;
  body.name = "soft";
  for (Vec<Dim>& x : mesh.nodes) x += centre;
  body.mesh = std::make_shared<SolidMesh<Dim>>(std::move(mesh));
  body.solids = {{"", kind, {"", {{"young", young}, {"poisson", poisson}}}, 1000}};
  body.newton = NewtonMatrix::kept;
  return body;
}

inline SolidMesh<2> rectangle_mesh(ElementKind kind, const Vec<2>& size, int nx, int ny) {
  MeshGrid<2> grid;
  grid.kind = kind;
  grid.cells = {nx, ny};
  return build_box_mesh<2>(size, grid, "");
}

template <int Dim>
void give(SceneDeformable<Dim>& body, const std::string& name, double value) {
  body.solids[0].parameters.given.push_back({name, value});
}

template <int Dim>
void hold(SceneDeformable<Dim>& body, const std::string& on, int direction) {
  body.supports.push_back({on, direction, {Drive::Kind::locked, {}}, ""});
}

// Sum over contacts, of a whole h.
template <int Dim>
Vec<Dim> contact_force_sum(const Simulation<Dim>& simulation) {
  Vec<Dim> force = Vec<Dim>::Zero();
  for (const ContactState<Dim>& c : simulation.contacts())
    force += c.axes * c.impulse / simulation.scene().scheme.h;
  return force;
}

}  // namespace saltus::test
