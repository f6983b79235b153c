// What the alpha schemes remember beyond places and velocities (schemes/generalized_alpha.hpp): part of a checkpoint.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/dynamics/body_set.hpp"

namespace saltus {

// Velocity or increment of a body: v in world axes, spin in body axes (one number in the plane).
template <int Dim>
using Twist = Eigen::Matrix<double, kDofs<Dim>, 1>;

template <int Dim>
struct AlphaBody {
  BodyId id = -1;                          // whose it is: a slot may change hands
  Twist<Dim> a = Twist<Dim>::Zero();       // acceleration-like, m/s2 and rad/s2
  Twist<Dim> w = Twist<Dim>::Zero();       // acceleration
  Twist<Dim> held = Twist<Dim>::Zero();    // forces of bilateral rows, N and N m
  Twist<Dim> rubbed = Twist<Dim>::Zero();  // impulses of friction in the last step, N s and N m s
};

struct AlphaSystem {
  Eigen::VectorXd a, w, held, rubbed;
};

// Empty under other schemes.
template <int Dim>
struct AlphaState {
  std::vector<AlphaBody<Dim>> bodies;  // per slot
  std::vector<AlphaSystem> systems;
  bool started = false;        // accelerations agree with the bilateral rows
  std::vector<double> motors;  // of each row of the joints: the force of its motor at the end of the last step, N or N m

  // Writing, of what is const, and reading.
  template <class Archive, class State>
  static void transfer(Archive& archive, State& state) {
    archive.list(state.bodies, [&](auto& body) {
      archive(body.id), archive(body.a), archive(body.w), archive(body.held), archive(body.rubbed);
    });
    archive(state.started);
    archive.list(state.motors, [&](auto& force) { archive(force); });
    for (auto& system : state.systems)
      for (auto* x : {&system.a, &system.w, &system.held, &system.rubbed})
        for (Eigen::Index i = 0; i < x->size(); ++i) archive((*x)[i]);
  }
};

}  // namespace saltus
