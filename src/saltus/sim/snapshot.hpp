// One moment of a run as measures see it: bodies, contacts and energies, whether they come from a simulation
// or from a frame of a trajectory (trajectories/trajectory_snapshot.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "saltus/sim/simulation.hpp"

namespace saltus {

template <int Dim>
class Beams;

template <int Dim>
struct SnapshotBody {
  BodyId id = -1;
  const Shape<Dim>* shape = nullptr;  // in body axes, about the centre of mass
  Pose<Dim> pose;
  Vec<Dim> velocity = Vec<Dim>::Zero();
  Spin<Dim> spin = Spin<Dim>::Zero();  // world axes
  double mass = 0, volume = 0;
  int system = -1;        // whose surface it follows; -1: it moves by itself
  bool is_grain = false;  // has a volume and moves freely: neither wall nor ground
};

template <int Dim>
struct SnapshotContact {
  int a = -1, b = -1;  // in Snapshot::bodies
  Vec<Dim> point = Vec<Dim>::Zero();
  Mat<Dim> axes = Mat<Dim>::Identity();  // columns n, t (, s); n from a to b
  Vec<Dim> force = Vec<Dim>::Zero();     // impulse/h on b, in these axes, N
  Vec<Dim> velocity = Vec<Dim>::Zero();  // relative, at the end of the step, in these axes
  double gap = 0;
  bool slides = false;
};

struct SnapshotSystem {
  Eigen::VectorXd coordinates, velocity;
  SystemNames names;  // none: they have numbers only
};

// Of a deformable body. Fields are there where a measure of the scene is of elements, or a trajectory holds them.
template <int Dim>
struct SnapshotMesh {
  std::shared_ptr<const SystemMesh<Dim>> mesh;  // null: the system has none
  SystemFields fields;

  Vec<Dim> place(const SnapshotSystem& system, int node) const {  // where it is now
    return mesh->nodes[static_cast<std::size_t>(node)] + system.coordinates.template segment<Dim>(Dim * node);
  }
};

template <int Dim>
struct SnapshotJoint {
  Vec<Dim> point = Vec<Dim>::Zero();
  // Of up to three free directions, in the order of direction_names (joints/joint.hpp): m or rad, per s, N or N m.
  Vec<3> value = Vec<3>::Zero(), rate = Vec<3>::Zero(), effort = Vec<3>::Zero();
  double gap = 0;                        // m, how far its points are apart
  Vec<Dim> force = Vec<Dim>::Zero();     // impulse/h on the second body, world axes, N
  Spin<Dim> moment = Spin<Dim>::Zero();  // about its point on that body, N m
  double row = 0;                        // of a gear, a screw, a pulley's rope: N or N m
  double power = 0;                      // W, of its motors
  int a = -1, b = -1;                    // in Snapshot::bodies; -1: the world, or not there
};

template <int Dim>
struct Snapshot {
  std::int64_t step = 0;
  double time = 0;
  Vec<Dim> period = Vec<Dim>::Zero(), gravity = Vec<Dim>::Zero();
  std::vector<SnapshotBody<Dim>> bodies;
  std::vector<SnapshotContact<Dim>> contacts;  // those that carry a force
  std::vector<SnapshotSystem> systems;
  std::vector<SnapshotMesh<Dim>> meshes;  // of these
  std::vector<std::shared_ptr<const Beams<Dim>>>
      beams;                                    // of these, where a measure is of beams; null: it is none
  std::vector<Eigen::VectorXd> support_forces;  // of `beams`, on their coordinates: N, N m
  std::vector<SnapshotJoint<Dim>> joints;
  std::vector<std::string> system_names, joint_names;  // of these, in the order of the scene
  EnergyBalance energy;

  // From the centre of a body to a contact of it, across periodic borders.
  Vec<Dim> arm(int body, const Vec<Dim>& point) const;
  // Index in `bodies`, -1: not there now.
  int find(BodyId id) const;
};

// Replaces the content; memory is reused. Shapes live as long as the simulation.
template <int Dim>
void take_snapshot(const Simulation<Dim>& simulation, Snapshot<Dim>& snapshot);

// Drops contacts whose force is below 1e-9 of the largest: round-off of a solver that ends at zero.
template <int Dim>
void drop_idle_contacts(Snapshot<Dim>& snapshot);

}  // namespace saltus
