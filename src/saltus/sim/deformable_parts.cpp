#include "saltus/sim/deformable_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_surface.hpp"
#include "saltus/sim/beam_parts.hpp"
#include "saltus/sim/line_followers.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/systems/explicit_solid.hpp"
#include "saltus/systems/solid_system.hpp"

namespace saltus {

namespace {

// The rectangle of an elastic body, with its sides by name: cells of two triangles, whose diagonals alternate like the squares of
// a chessboard: with an even number of cells in a direction the mesh is its own mirror image in it. Node (i, j), counted from
// the lower left corner, is number j (nx + 1) + i.
std::shared_ptr<const SolidMesh<2>> build_mesh(const SceneElasticBody& body) {
  const int nx = body.divisions[0], ny = body.divisions[1];
  auto mesh = std::make_shared<SolidMesh<2>>();
  const double c = std::cos(body.angle), s = std::sin(body.angle);
  const auto along = [](double length, int i, int n) { return length * (static_cast<double>(i) / n - 0.5); };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const Vec<2> x(along(body.size[0], i, nx), along(body.size[1], j, ny));
      mesh->nodes.push_back(body.centre + Vec<2>(c * x[0] - s * x[1], s * x[0] + c * x[1]));
    }
  using Triangle = std::array<int, 3>;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, top = a + nx + 1, last = top + 1;
      const bool even = (i + j) % 2 == 0;
      mesh->add_element(ElementKind::t3, even ? Triangle{a, b, last} : Triangle{a, b, top});
      mesh->add_element(ElementKind::t3, even ? Triangle{a, last, top} : Triangle{b, last, top});
    }
  mesh->node_groups = {{"left", {}}, {"right", {}}, {"bottom", {}}, {"top", {}}};
  for (int j = 0, node = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i, ++node) {
      const bool on[] = {i == 0, i == nx, j == 0, j == ny};
      for (int side = 0; side < 4; ++side)
        if (on[side]) mesh->node_groups[side].nodes.push_back(node);
    }
  return mesh;
}

SceneDeformable<2> build_deformable(const SceneElasticBody& body) {
  SceneDeformable<2> result;
  result.name = body.name;
  result.where = body.where;
  result.material = body.material;
  result.mesh = build_mesh(body);
  result.solids = {{"",
                    "linear-elastic",
                    {body.where, {{"young", body.elasticity.young}, {"poisson", body.elasticity.poisson}}},
                    body.density}};
  result.plane = body.elasticity.plane == PlaneState::strain ? PlaneKind::strain : PlaneKind::stress;
  result.thickness = body.thickness;
  result.mean_dilatation = false;
  result.damping_mass = body.damping_mass;
  result.damping_stiffness = body.damping_stiffness;
  result.velocity = body.velocity;
  result.spin[0] = body.spin;
  // A corner belongs to two sides: it is held once.
  std::vector<int> held;
  for (const SceneElasticBody::Side side : body.clamped) {
    const auto& nodes = result.mesh->node_groups[side].nodes;
    held.insert(held.end(), nodes.begin(), nodes.end());
  }
  if (!held.empty()) {
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    auto mesh = std::make_shared<SolidMesh<2>>(*result.mesh);
    mesh->node_groups.push_back({"clamped", held});
    result.mesh = mesh;
    for (int direction = 0; direction < 2; ++direction)
      result.supports.push_back({"clamped", direction, {Drive::Kind::locked, {}}, body.where});
  }
  result.touches_itself = true;
  result.group = body.group;
  result.mask = body.mask;
  return result;
}

}  // namespace

template <int Dim>
std::vector<SceneDeformable<Dim>> deformables(const Scene<Dim>& scene) {
  std::vector<SceneDeformable<Dim>> all;
  if constexpr (Dim == 2)
    for (const SceneElasticBody& body : scene.elastic) all.push_back(build_deformable(body));
  else if (!scene.elastic.empty())
    throw InputError(scene.elastic.front().where,
                     "an elastic rectangle is a thing of the plane: it needs dimension 2");
  all.insert(all.end(), scene.deformable.begin(), scene.deformable.end());
  return all;
}

template <int Dim>
const std::string& solid_name(const Scene<Dim>& scene, int solid) {
  const int elastic = static_cast<int>(scene.elastic.size());
  const int solids = elastic + static_cast<int>(scene.deformable.size());
  if (solid >= solids) return scene.beams[solid - solids].name;
  return solid < elastic ? scene.elastic[solid].name : scene.deformable[solid - elastic].name;
}

namespace {

template <int Dim>
std::unique_ptr<System> build_system(const SceneDeformable<Dim>& body, SolidModel<Dim> solid,
                                     const std::shared_ptr<Continuum<Dim>>& continuum,
                                     const SchemeOptions& scheme) {
  if (is_explicit(scheme.kind)) {
    if (body.mass == MassKind::consistent)
      throw InputError(body.where, "mass under an explicit scheme", "\"consistent\"",
                       "\"lumped\", which is what it has if none is given: M has to be a diagonal");
    solid.mass = MassKind::lumped;
    LinearModel linear = build_linear_model(solid, *continuum);
    const typename ExplicitSolid<Dim>::Options options{scheme.h,
                                                       scheme.kind == SchemeKind::dynamic_relaxation};
    return std::make_unique<ExplicitSolid<Dim>>(std::move(solid), continuum, std::move(linear), options);
  }
  if (solid.is_linear(*continuum))
    return std::make_unique<LinearSystem>(build_linear_model(solid, *continuum));
  if (scheme.kind == SchemeKind::schatzman_paoli || scheme.kind == SchemeKind::event_driven)
    throw InputError(
        body.where,
        fmt::format("a deformable body that is not linear, under the scheme {}", name(scheme.kind)),
        body.name.empty() ? "this one" : '"' + body.name + '"',
        "scheme.kind = \"moreau-jean\", or small kinematics with an elastic material");
  return std::make_unique<SolidSystem<Dim>>(std::move(solid), continuum);
}

}  // namespace

template <int Dim>
void add_deformable(const SceneDeformable<Dim>& body, SimulationModel<Dim>& model, CoupledState<Dim>& state) {
  if (body.redistribute) refuse_massless(model.scene.scheme, body.where);
  SolidModel<Dim> solid = build_model(body);
  auto continuum = std::make_shared<Continuum<Dim>>(*body.mesh, solid.materials, solid.options);
  if (body.lithostatic) continuum->start_under_weight(*body.lithostatic, model.scene.gravity);
  const int system = static_cast<int>(state.systems.size());
  state.systems.push_back(build_system(body, std::move(solid), continuum, model.scene.scheme));
  model.parts.surfaces.push_back(add_surface<Dim>(body, state.systems.back()->coordinates(), system,
                                                  model.scene, model.parts.followers,
                                                  model.parts.neighbours));
  state.solids.push_back(std::move(continuum));
}

template <int Dim>
std::vector<std::array<int, Dim + 1>> cut_into_simplices(const SolidMesh<Dim>& mesh,
                                                         std::vector<int>& element_of) {
  std::vector<std::array<int, Dim + 1>> simplices;
  for (const auto& element : mesh.elements) {
    const std::span<const int> n = mesh.nodes_of(element);
    const auto add = [&](const std::array<int, Dim + 1>& local) {
      std::array<int, Dim + 1> nodes;
      for (int i = 0; i <= Dim; ++i) nodes[i] = n[local[i]];
      simplices.push_back(nodes);
    };
    if constexpr (Dim == 2) {
      switch (element.kind) {
        case ElementKind::t6: add({0, 3, 5}), add({3, 1, 4}), add({5, 4, 2}), add({3, 4, 5}); break;
        case ElementKind::q4: add({0, 1, 2}), add({0, 2, 3}); break;
        case ElementKind::q8:
          add({0, 4, 7}), add({4, 1, 5}), add({5, 2, 6}), add({6, 3, 7}), add({4, 5, 7}), add({5, 6, 7});
          break;
        default: add({0, 1, 2});
      }
    } else if (element.kind == ElementKind::t4 || element.kind == ElementKind::t10) {
      add({0, 1, 2, 3});
    } else {  // six about the diagonal from 0 to 6
      add({0, 1, 2, 6}), add({0, 2, 3, 6}), add({0, 3, 7, 6}), add({0, 7, 4, 6}), add({0, 4, 5, 6}),
          add({0, 5, 1, 6});
    }
    element_of.resize(simplices.size(), static_cast<int>(&element - mesh.elements.data()));
  }
  return simplices;
}

template std::vector<SceneDeformable<2>> deformables<2>(const Scene<2>&);
template std::vector<SceneDeformable<3>> deformables<3>(const Scene<3>&);
template const std::string& solid_name<2>(const Scene<2>&, int);
template const std::string& solid_name<3>(const Scene<3>&, int);
template void add_deformable<2>(const SceneDeformable<2>&, SimulationModel<2>&, CoupledState<2>&);
template void add_deformable<3>(const SceneDeformable<3>&, SimulationModel<3>&, CoupledState<3>&);
template std::vector<std::array<int, 3>> cut_into_simplices<2>(const SolidMesh<2>&, std::vector<int>&);
template std::vector<std::array<int, 4>> cut_into_simplices<3>(const SolidMesh<3>&, std::vector<int>&);

}  // namespace saltus
