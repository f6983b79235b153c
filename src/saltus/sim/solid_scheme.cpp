#include "saltus/sim/solid_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/schemes/quasi_static.hpp"
#include "saltus/sim/deformable_parts.hpp"
#include "saltus/systems/rigid_motions.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

namespace {

template <int Dim>
void check_explicit_scene(const Scene<Dim>& scene) {
  const auto refuse = [&](const std::string& where, const char* what, const char* allowed) {
    throw InputError(where, fmt::format("{} under the scheme", what), name(scene.scheme.kind), allowed);
  };
  const char* elements = "moreau-jean: only elements tell the critical step";
  if (!scene.systems.empty()) refuse(scene.systems.front().where, "a system given by matrices", elements);
  if (!scene.lagrangian.empty())
    refuse(scene.lagrangian.front().where, "a system given by formulas", elements);
}

// What a step leaves of overlap, h u, goes back against springs of the stiffness of the nodes, m/h^2: m u^2/2, as much as the impact itself had.
template <int Dim>
void check_projected_scene(const Scene<Dim>& scene) {
  const auto refuse = [&](const std::string& where, const char* what) {
    throw InputError(where, fmt::format("{} that touches, under the scheme", what), name(scene.scheme.kind),
                     "contact = \"none\", or moreau-jean or generalized-alpha: to project it out of an "
                     "obstacle would put as much energy into "
                     "its elements as an impact has");
  };
  for (const SceneDeformable<Dim>& body : deformables(scene)) {
    if (body.touches) refuse(body.where, "a deformable body");
    if (body.kinematics != Kinematics::small)
      throw InputError(body.where, "a deformable body of large displacements under the scheme",
                       name(scene.scheme.kind),
                       "kinematics = \"small\", or moreau-jean or generalized-alpha");
  }
  for (const SceneBeam<Dim>& body : scene.beams)
    if (body.contact != SceneBeam<Dim>::Contact::none) refuse(body.where, "a bar, string or beam");
}

template <int Dim>
void check_held(const SceneDeformable<Dim>& body) {
  const SolidModel<Dim> solid = build_model(body);
  std::vector<char> is_driven(Dim * body.mesh->nodes.size(), 0);
  for (const auto& [node, direction, drive] : solid.driven)
    is_driven[Dim * node + direction] = !drive.is_free();
  if (const int free = count_free_motions(*body.mesh, body.plane, is_driven); free > 0)
    throw InputError(
        body.where, "motions that supports leave to a deformable body under the scheme quasi-static",
        fmt::format("{}", free),
        "0: without inertia it has no place of its own, also where contacts would hold it; more supports, or "
        "scheme.kind = \"dynamic-relaxation\" or \"moreau-jean\"");
}

template <int Dim>
void check_quasi_static_scene(const SimulationModel<Dim>& model, CoupledState<Dim>& parts) {
  const Scene<Dim>& scene = model.scene;
  for (const SceneBody<Dim>& body : scene.bodies) {
    const bool is_free =
        std::any_of(body.drive.begin(), body.drive.end(), [](const Drive& drive) { return drive.is_free(); });
    if (body.follows < 0 && !body.fixed && is_free)
      throw InputError(
          body.where, "a rigid body that may move, under the scheme", "quasi-static",
          "bodies that are fixed or driven: without inertia it has no place of its own; or moreau-jean");
  }
  if (!scene.lagrangian.empty())
    throw InputError(scene.lagrangian.front().where, "a system given by formulas under the scheme",
                     "quasi-static", "deformable bodies and systems given by matrices; or moreau-jean");
  for (const SceneDeformable<Dim>& body : deformables(scene)) check_held(body);
  const std::vector<double> none(Dim, 0.0);
  for (const std::unique_ptr<System>& system : parts.systems)
    if (system->is_linear()) system->predict(quasi_static_weights(scene.scheme), scene.start_time, none);
}

}  // namespace

template <int Dim>
void check_solid_scheme(const SimulationModel<Dim>& model, CoupledState<Dim>& parts) {
  if (is_explicit(model.scene.scheme.kind)) check_explicit_scene(model.scene);
  if (model.scene.scheme.kind == SchemeKind::quasi_static) check_quasi_static_scene(model, parts);
  if (model.scene.scheme.kind == SchemeKind::moreau_jean_projected) check_projected_scene(model.scene);
}

template void check_solid_scheme<2>(const SimulationModel<2>&, CoupledState<2>&);
template void check_solid_scheme<3>(const SimulationModel<3>&, CoupledState<3>&);

}  // namespace saltus
