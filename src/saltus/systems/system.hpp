// Who moves, rigid bodies apart (they are one system of their own, packed in arrays: dynamics/body_set.hpp).
//
// A system has generalised coordinates q and velocities v. A step asks it for its velocity without blocks,
// for Mhat^-1 on the degrees of freedom that take part in blocks, and to move once their impulses are known:
//
//     Mhat (v_free - v) = h F - h C v - h K (q + advance v),    Mhat = mass M + damping C + stiffness K
//     v_1 = v_free + Mhat^-1 P,    q_1 = q + position_end v_1 + position_start v
//
// The scheme gives the weights; a system knows neither scheme nor law.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace saltus {

class SmoothForm;

// What a scheme makes of M, C, K and of velocities.
struct StepWeights {
  double h = 0;
  double force = 0.5;         // forces that depend on time: force F(t+h) + (1 - force) F(t)
  double damping = 0;         // of C in Mhat, s
  double stiffness = 0;       // of K in Mhat, s^2
  double advance = 0;         // s: how far ahead the force of K is taken at the velocity of the start
  double position_end = 0;    // s: q_1 = q + position_end v_1 + position_start v
  double position_start = 0;  // s
  // Energies and works are those of the start of the step, with the mean of its two velocities (Schatzman and Paoli).
  bool centred = false;
  double mass = 1;  // of M in Mhat; 0: equilibrium without inertia
};

// Work done on a system in a step, by kind, and what it holds at its end, J. `scheme` is what the time
// discretisation adds: zero for the midpoint rule.
struct SystemEnergy {
  double kinetic = 0, kinetic_change = 0, stored = 0, potential = 0;
  double hardening = 0;  // part of `stored` that is not given back
  double gravity = 0, forces = 0, damping = 0, elastic = 0, drives = 0, scheme = 0, projection = 0;
  double plastic = 0, viscous = 0;   // what materials dissipated, <= 0
  double inertia = 0, internal = 0;  // N: norms of M dv/h where free, and of internal forces, at supports too
  double outer = 0;                  // N: norm of loads, weight and contacts together
  double momentum_defect = 0, momentum_scale = 0;  // of M dv = sum of all impulses, norms
};

class System {
 public:
  virtual ~System() = default;

  virtual int degrees_of_freedom() const = 0;
  virtual const Eigen::VectorXd& coordinates() const = 0;
  virtual const Eigen::VectorXd& velocity() const = 0;
  // The state of a checkpoint, or of a start. Sizes are those of the system.
  virtual void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) = 0;

  // What it remembers beside coordinates and velocities (materials do), for a checkpoint; always as many numbers.
  virtual std::vector<double> memory() const { return {}; }
  virtual void set_memory(std::span<const double>) {}

  // Free velocity of the step that starts at time t, under a gravity that is constant in it (an acceleration
  // per direction of space; systems without a place in space ignore it).
  virtual void predict(const StepWeights& weights, double t, std::span<const double> gravity) = 0;
  virtual const Eigen::VectorXd& free_velocity() const = 0;
  // Mhat^-1 between these degrees of freedom: rows and columns in their order.
  virtual Eigen::MatrixXd inverse_between(std::span<const int> dofs) = 0;
  // The same into a matrix that keeps its memory.
  virtual void fill_inverse(std::span<const int> dofs, Eigen::MatrixXd& inverse) {
    inverse = inverse_between(dofs);
  }
  virtual bool is_linear() const { return true; }
  // A degree of freedom that is locked or driven: no impulse moves it.
  virtual bool is_driven(int) const { return false; }
  // Systems that are not linear: solves their step with this impulse of all blocks, and moves the free velocity so that
  // v_1 = v_free + Mhat^-1 P is that solution. Returns by how much v_1 changed, relative; 0: nothing to do.
  virtual double relinearise(const Eigen::VectorXd&) { return 0; }
  // Where a system that is linearised anew in each turn of the step is linearised now; blocks with Jacobians at the
  // predicted place have them there, and Mhat^-1 is asked for again. Null: neither.
  virtual const Eigen::VectorXd* linearised_at() const { return nullptr; }
  // Takes the generalised impulse of all blocks, and moves.
  virtual void correct(const Eigen::VectorXd& impulse) = 0;
  // Corrections of positions, after `correct`: x <- A^-1 x, or x itself where not `by_mass`; 0 where driven. A is the mass at the
  // present coordinates, or Mhat of the step where springs act: in the metric of the mass alone a node that is pushed out of an
  // obstacle leaves its neighbours behind, and what is put into the springs is no longer small. Then moves by d, velocities as they are.
  virtual void solve_metric(bool by_mass, Eigen::VectorXd& x) = 0;
  virtual void displace(const Eigen::VectorXd& d) = 0;
  // Of the step that `correct` ended.
  virtual SystemEnergy audit() const = 0;
  // s: steps of an explicit scheme are stable below it; infinite where nothing bounds them.
  virtual double critical_step() const { return std::numeric_limits<double>::infinity(); }
  // Why the step could not be made (the system stays where it was); empty: it was.
  virtual std::string trouble() const { return {}; }
  // The equation of its accelerations, for schemes that carry them: such a scheme moves the system by set_state. It refers to
  // the system.
  virtual std::unique_ptr<SmoothForm> smooth_form() const = 0;
  // N: of what locks or drives coordinates, mean of the step that `correct` ended; zero elsewhere. Empty: none was made.
  virtual Eigen::VectorXd support_force() const { return {}; }
};

}  // namespace saltus
