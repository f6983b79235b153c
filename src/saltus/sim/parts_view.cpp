// What a simulation tells of its systems and joints to those who store, draw and measure it.
#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/deformable_parts.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Systems come in this order: linear ones, elastic and deformable bodies, those given by formulas, beams
// (build_systems).
template <int Dim>
std::string Simulation<Dim>::system_name(int system) const {
  const Scene<Dim>& s = scene();
  const std::size_t index = static_cast<std::size_t>(system), linear = s.systems.size();
  if (index < linear) return s.systems[index].name;
  const std::size_t solid = index - linear, solids = s.elastic.size() + s.deformable.size();
  if (solid < solids) return solid_name(s, static_cast<int>(solid));
  if (solid - solids >= s.lagrangian.size()) return s.beams[solid - solids - s.lagrangian.size()].name;
  return s.lagrangian[solid - solids].name;
}

template <int Dim>
SystemNames Simulation<Dim>::coordinate_names(int system) const {
  const Scene<Dim>& s = scene();
  const std::size_t index = static_cast<std::size_t>(system),
                    others = s.systems.size() + s.elastic.size() + s.deformable.size();
  if (index < others || index - others >= s.lagrangian.size()) return {};
  return {s.lagrangian[index - others].names.coordinates, s.lagrangian[index - others].names.velocities};
}

template <int Dim>
std::pair<BodyId, BodyId> Simulation<Dim>::joint_bodies(int joint) const {
  const FramePair<Dim>& pair = engine_->state.parts.joints.joint(joint).pair;
  return {pair.a, pair.b};
}

template <int Dim>
EnergyBalance Simulation<Dim>::energy_at_start() const {
  const Vec<Dim> g = gravity();
  const BodySet<Dim>& all = bodies();
  EnergyBalance energy;
  for (int slot = 0; slot < all.slots(); ++slot) {
    if (!all.is_moving(slot)) continue;
    energy.kinetic += all.kinetic_energy(slot);
    for (int axis = 0; axis < Dim; ++axis)
      if (all.is_free(slot, axis))
        energy.potential -= all.model[slot].mass * g[axis] * all.pose[slot].position[axis];
  }
  if (system_count() == 0) return energy;
  // A system accounts for steps only: what it had before one follows from what it has after it and the changes.
  Simulation twin = restored(scene(), save());
  Engine& engine = *twin.engine_;
  engine.compute_loads();
  const StepWeights weights = step_weights(engine.model.scene.scheme);
  for (const std::unique_ptr<System>& system : engine.state.parts.systems) {
    system->predict(weights, time(), {engine.work.gravity.data(), Dim});
    system->correct(Eigen::VectorXd::Zero(system->degrees_of_freedom()));
    const SystemEnergy after = system->audit();
    energy.kinetic += after.kinetic - after.kinetic_change;
    energy.elastic_stored += after.stored + after.elastic;
    energy.potential += after.potential + after.gravity;
  }
  return energy;
}

template std::string Simulation<2>::system_name(int) const;
template std::string Simulation<3>::system_name(int) const;
template SystemNames Simulation<2>::coordinate_names(int) const;
template SystemNames Simulation<3>::coordinate_names(int) const;
template std::pair<BodyId, BodyId> Simulation<2>::joint_bodies(int) const;
template std::pair<BodyId, BodyId> Simulation<3>::joint_bodies(int) const;
template EnergyBalance Simulation<2>::energy_at_start() const;
template EnergyBalance Simulation<3>::energy_at_start() const;

}  // namespace saltus
