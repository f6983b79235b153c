// Membranes that hold what they press: the pressure of each body of the contour becomes a contact with the
// body that stands for the membrane, with a given normal force and the friction of the pair
// (LawKind::pressure).
#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

// Pushes come as gaps of a layer this stiff, too small to be seen as gaps. N/m.
constexpr double kStiffness = 1e15;
constexpr std::uint64_t kFirstFeature = ~std::uint64_t{0} - 0xffff;  // beyond all features of shapes

PairLaw pressing(const PairLaw& pair) {
  PairLaw law;
  law.kind = LawKind::pressure;
  law.friction = pair.friction, law.friction_dynamic = pair.friction_dynamic;
  law.rolling = pair.rolling, law.viscosity = pair.viscosity, law.regularisation = pair.regularisation;
  law.stiffness_normal = kStiffness;
  return law;
}

}  // namespace

template <int Dim>
void build_membranes(SimulationModel<Dim>& model) {
  const Scene<Dim>& scene = model.scene;
  for (const Membrane& membrane : scene.membranes) {
    RoughMembrane rough;
    if (!membrane.body.empty()) {
      const auto at = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                   [&](const SceneBody<Dim>& body) { return body.name == membrane.body; });
      if (at == scene.bodies.end())
        throw InputError(membrane.where, "a membrane names a body", membrane.body, "the name of a body");
      rough.body = static_cast<int>(at - scene.bodies.begin());
      const bool moves = !at->fixed && std::any_of(at->drive.begin(), at->drive.end(),
                                                   [](const Drive& drive) { return drive.is_free(); });
      if (moves)
        throw InputError(membrane.where, "the body of a membrane", membrane.body,
                         "one that is fixed or driven");
      if (scene.scheme.jacobian_at != JacobianAt::detection)
        throw InputError(membrane.where, "a membrane with a body needs jacobian_at", "another",
                         "\"detection\"");
      if (scene.gravity.isZero(0) && !(scene.solver.tolerance_velocity > 0))
        throw InputError(membrane.where, "a membrane with a body and without gravity needs", "none",
                         "solver.tolerance_velocity");
      const int own = model.material[static_cast<std::size_t>(rough.body)];
      for (int other = 0; other < static_cast<int>(model.laws.materials().size()); ++other)
        rough.laws.push_back(model.laws.has(own, other) ? pressing(model.laws.at(own, other)) : PairLaw());
      model.is_soft = true;
    }
    model.rough.push_back(std::move(rough));
  }
}

template <int Dim>
std::span<const ContactPoint<Dim>> Simulation<Dim>::Engine::with_membranes(
    const std::vector<ContactPoint<Dim>>& detected) {
  if (work.pushes.empty()) return detected;
  work.all_points.assign(detected.begin(), detected.end());
  for (const MembranePush<Dim>& push : work.pushes) {
    const int wall = state.bodies.find(model.rough[static_cast<std::size_t>(push.membrane)].body);
    const double force = push.force.norm();
    const Vec<Dim> inwards = push.force / force;
    ContactPoint<Dim> point;
    point.a = std::min(wall, push.slot), point.b = std::max(wall, push.slot);
    point.feature = kFirstFeature + static_cast<std::uint64_t>(push.membrane);
    point.point = work.motion.detection[push.slot].position -
                  model.bounding_radius[state.bodies.id[push.slot]] * inwards;
    point.normal = point.a == wall ? inwards : Vec<Dim>(-inwards);
    point.gap = -force / kStiffness;
    work.all_points.push_back(point);
  }
  std::sort(work.all_points.begin(), work.all_points.end(), precedes<Dim>);
  return work.all_points;
}

template <int Dim>
void Simulation<Dim>::Engine::set_membrane_laws() {
  if (work.pushes.empty()) return;
  for (Contact<Dim>& c : state.contacts.contacts()) {
    if (c.feature < kFirstFeature) continue;
    const RoughMembrane& membrane = model.rough[static_cast<std::size_t>(c.feature - kFirstFeature)];
    const int grain = state.bodies.id[c.a] == membrane.body ? c.b : c.a;
    c.law = &membrane.laws[static_cast<std::size_t>(state.bodies.model[grain].material)];
  }
}

template void build_membranes<2>(SimulationModel<2>&);
template void build_membranes<3>(SimulationModel<3>&);
template std::span<const ContactPoint<2>> Simulation<2>::Engine::with_membranes(
    const std::vector<ContactPoint<2>>&);
template std::span<const ContactPoint<3>> Simulation<3>::Engine::with_membranes(
    const std::vector<ContactPoint<3>>&);
template void Simulation<2>::Engine::set_membrane_laws();
template void Simulation<3>::Engine::set_membrane_laws();

}  // namespace saltus
