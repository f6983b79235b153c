// The rigid bodies of a simulation: structure of arrays, one slot per body.
//
// A slot is reused after a removal (the lowest free one first, the rule of Detector); an id is never
// reused. Positions are those of the centre of mass, the pose turns the body's axes to the world's.
// Velocities are of the centre of mass, in world axes; spins are in BODY axes in 3D, where the
// inertia is constant. What a solver sweep touches is packed elsewhere, at each step
// (solvers/sweeps/velocity_sweeps.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/base/sparse_array.hpp"
#include "saltus/dynamics/drive.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

using BodyId = std::int64_t;

// What does not change while a body lives.
template <int Dim>
struct BodyModel {
  double mass = 1;                                  // kg
  Inertia<Dim> inertia = Inertia<Dim>::Identity();  // kg m^2, body axes, about the centre of mass
  double size = 0;                                  // m, smallest width: what a fast body may cross
  double damping = 0, damping_rotation = 0;         // 1/s: force -damping mass v, moment likewise
  SparseArray<Drive, kDofs<Dim>> drive;
  SparseArray<TimeFunction, kDofs<Dim>> force;  // N and N m, world axes
  int material = 0;
  bool all_free = true, all_prescribed = false, has_force = false;  // filled by `add`
  bool spherical = true;  // inertia is a multiple of the identity: no gyroscopic moment; filled by `add`
};

template <int Dim>
class BodySet {
 public:
  // Returns the slot: the lowest free one. The model's derived fields are computed here.
  int add(BodyId id, BodyModel<Dim> model, const Pose<Dim>& pose, const Vec<Dim>& velocity,
          const Spin<Dim>& spin_world);
  void remove(int slot);
  // Back to no body, with a number of empty slots; then `put` fills chosen ones: how a saved state returns.
  void clear(int slots);
  void put(int slot, BodyId id, BodyModel<Dim> model);
  void reserve(int slots);

  int slots() const { return static_cast<int>(id.size()); }
  int count() const { return count_; }
  bool alive(int slot) const { return id[slot] >= 0; }
  int find(BodyId wanted) const;  // slot or -1

  bool is_free(int slot, int dof) const { return model[slot].drive[dof].is_free(); }
  bool is_moving(int slot) const { return alive(slot) && !model[slot].all_prescribed; }

  Spin<Dim> spin_world(int slot) const;
  void set_spin_world(int slot, const Spin<Dim>& spin);

  double kinetic_energy(int slot) const;  // of the free degrees of freedom

  std::vector<BodyId> id;  // -1: empty slot
  std::vector<Pose<Dim>> pose;
  std::vector<Vec<Dim>> velocity;
  std::vector<Spin<Dim>> spin;  // body axes
  std::vector<BodyModel<Dim>> model;

 private:
  int count_ = 0;
  int first_free_ = 0;  // no slot below is free
};

extern template class BodySet<2>;
extern template class BodySet<3>;

}  // namespace saltus
