// The theta scheme of Moreau and Jean for rigid bodies, without its contacts: what a step does before
// and after the contact problem.
//
//     Mhat (v_free - v) = h F_(k+theta) - h C v - h gyroscopic,    Mhat = M + h theta C
//     q_(k+1) = q_k + h (theta v_(k+1) + (1-theta) v_k)            rotations by the exponential map
//
// Contacts see velocities in the axes of the detection pose. A body with an anisotropic inertia in
// 3D is integrated in its own axes, where the inertia is constant; the gyroscopic moment is that of the
// midpoint, h w_m x I w_m with w_m = (w + w_free)/2: without contact both the energy and the
// length of the angular momentum are then kept exactly, whatever the step. Other bodies keep their
// spin in world axes; where some rotations are locked or driven, the same moment acts on the others, with the
// inertia of the detection pose (second order).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/schemes/options.hpp"
#include "saltus/solvers/velocity_problem.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// What acts on a body in a step, gravity apart.
template <int Dim>
struct StepLoad {
  Vec<Dim> force = Vec<Dim>::Zero();         // h F_(k+theta)
  Spin<Dim> torque = Spin<Dim>::Zero();      // h times the moment
  Spin<Dim> gyroscopic = Spin<Dim>::Zero();  // -h w_m x I w_m, and what prescribed axes do to the others
  Vec<Dim> displacement = Vec<Dim>::Zero();  // of driven degrees of freedom in the step
  Spin<Dim> turn = Spin<Dim>::Zero();
};

// Per slot; entries of empty slots are not read.
template <int Dim>
struct FreeMotion {
  std::vector<Pose<Dim>> detection;      // where contacts are looked for
  std::vector<BodyVelocity<Dim>> start;  // v_k
  std::vector<SweepBody<Dim>> free;      // v_free: no contact; with Mhat^-1
  std::vector<StepLoad<Dim>> loads;      // of the bodies that have any: most grains have none
  std::vector<int> load_place;           // in loads; -1: none

  const StepLoad<Dim>& load(int slot) const { return load_place[slot] < 0 ? kNone : loads[load_place[slot]]; }
  void resize(int slots);

 private:
  inline static const StepLoad<Dim> kNone{};
};

// Forces other than those of the bodies' own functions (a membrane), per slot; empty: none.
template <int Dim>
using ExtraForces = std::span<const Vec<Dim>>;

// Moments that blocks are expected to bring in the step (those of joints in the last one), N m s per slot; empty: none. They do not
// push, they only tell the gyroscopic moment where the middle of the step will be: without them a body that joints turn
// is integrated at first order only.
template <int Dim>
using ExpectedMoments = std::span<const Spin<Dim>>;

// The free motion of the step that starts at time t.
template <int Dim>
void compute_free_motion(const BodySet<Dim>& bodies, const Vec<Dim>& gravity, ExtraForces<Dim> extra,
                         const SchemeOptions& options, double t, FreeMotion<Dim>& motion,
                         ExpectedMoments<Dim> expected = {});

// Velocities and positions at the end of the step; `solved` holds v_(k+1) per slot.
template <int Dim>
void update_bodies(const FreeMotion<Dim>& motion, std::span<const SweepBody<Dim>> solved,
                   const SchemeOptions& options, BodySet<Dim>& bodies);

// What the scheme makes of a system that is not rigid.
StepWeights moreau_jean_weights(const SchemeOptions& options);

// Spin after a step without contact, and its midpoint:
//
//     (1 + h theta c) I (w1 - w0) = -h w_m x I w_m + torque - h c I w0
//
// `torque` is already times h, c is the damping (1/s). Axes that do not turn freely take the spin prescribed. `expected`
// is added to the torque for the midpoint, and taken from the spin again.
struct GyroscopicStep {
  Vec<3> spin, midpoint;
};
GyroscopicStep compute_gyroscopic_step(const Mat<3>& inertia, const Vec<3>& w0, const Vec<3>& torque,
                                       double c, double h, double theta,
                                       const std::array<bool, 3>& turns = {true, true, true},
                                       const Vec<3>& prescribed = Vec<3>::Zero(),
                                       const Vec<3>& expected = Vec<3>::Zero());

}  // namespace saltus
