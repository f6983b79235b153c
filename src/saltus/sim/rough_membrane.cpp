// Membranes that hold what they press: the pressure of each body of the contour becomes a contact with the
// body that stands for the membrane, with a given normal force and the friction of the pair
// (LawKind::pressure).
#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/simulation_state.hpp"

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
void build_membranes(typename Simulation<Dim>::State& state) {
  const Scene<Dim>& scene = state.scene;
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
      const int own = state.material[static_cast<std::size_t>(rough.body)];
      for (int other = 0; other < static_cast<int>(state.laws.materials().size()); ++other)
        rough.laws.push_back(state.laws.has(own, other) ? pressing(state.laws.at(own, other)) : PairLaw());
      state.is_soft = true;
    }
    state.rough.push_back(std::move(rough));
  }
}

template <int Dim>
std::span<const ContactPoint<Dim>> Simulation<Dim>::State::with_membranes(
    const std::vector<ContactPoint<Dim>>& detected) {
  if (pushes.empty()) return detected;
  all_points.assign(detected.begin(), detected.end());
  for (const MembranePush<Dim>& push : pushes) {
    const int wall = bodies.find(rough[static_cast<std::size_t>(push.membrane)].body);
    const double force = push.force.norm();
    const Vec<Dim> inwards = push.force / force;
    ContactPoint<Dim> point;
    point.a = std::min(wall, push.slot), point.b = std::max(wall, push.slot);
    point.feature = kFirstFeature + static_cast<std::uint64_t>(push.membrane);
    point.point = motion.detection[push.slot].position - reach[bodies.id[push.slot]] * inwards;
    point.normal = point.a == wall ? inwards : Vec<Dim>(-inwards);
    point.gap = -force / kStiffness;
    all_points.push_back(point);
  }
  std::sort(all_points.begin(), all_points.end(), precedes<Dim>);
  return all_points;
}

template <int Dim>
void Simulation<Dim>::State::set_membrane_laws() {
  if (pushes.empty()) return;
  for (Contact<Dim>& c : contacts.contacts()) {
    if (c.feature < kFirstFeature) continue;
    const RoughMembrane& membrane = rough[static_cast<std::size_t>(c.feature - kFirstFeature)];
    const int grain = bodies.id[c.a] == membrane.body ? c.b : c.a;
    c.law = &membrane.laws[static_cast<std::size_t>(bodies.model[grain].material)];
  }
}

template void build_membranes<2>(Simulation<2>::State&);
template void build_membranes<3>(Simulation<3>::State&);
template std::span<const ContactPoint<2>> Simulation<2>::State::with_membranes(
    const std::vector<ContactPoint<2>>&);
template std::span<const ContactPoint<3>> Simulation<3>::State::with_membranes(
    const std::vector<ContactPoint<3>>&);
template void Simulation<2>::State::set_membrane_laws();
template void Simulation<3>::State::set_membrane_laws();

}  // namespace saltus
