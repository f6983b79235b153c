// What a step knows about its own truth.
//
// Residual of a contact: e_c = |r_c - P_K(r_c - m u~_c)|/m, m the mean mass of the moving bodies of its
// connected group, in m/s,
// with u~ De Saxce's change of variable of the velocity the law sees. `gh` figures are the same in
// units of |gravity| h (0 without gravity).
//
// Energy of a step, J. K is the kinetic energy of the free degrees of freedom, work is what is done ON the
// bodies, and contact work is split by kind:
//
//     K1 - K0 = gravity + forces + drives + damping + plastic + viscous + gyroscopic + impact + friction + elastic +
//     cohesion + joints + projection + scheme + defect
//
// projection is what putting positions on constraints, or out of overlap (sim/projection.hpp, sim/separation.hpp), puts into the bodies: less the
// work of gravity, forces and springs on these displacements, which theirs include, and the change of kinetic energy with
// M(q); it changes no velocity. scheme = (1/2 - theta)|dv|_M^2. gyroscopic is h w_theta . (w x I w), zero for spheres, in 2D and in
// free flight, O(h) times the contact impulse otherwise. Under Schatzman and Paoli's scheme K1 - K0 is that of its velocities between
// two instants, works are on their mean, the velocity of t_k, and `kinetic`, `potential` and `elastic_stored` those of
// t_k. defect is the rest: round-off when `jacobian_at` is
// `detection` (then u- and u have the same H), O(h) with the other choices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

enum class StepStatus { converged, unconverged, not_finite };
const char* name(StepStatus status);

struct EnergyBalance {
  double kinetic = 0;    // at the end
  double potential = 0;  // of gravity, free bodies, from the origin
  double elastic_stored = 0;
  double hardening_stored = 0;  // part of elastic_stored: by plastic flow, not given back
  double gravity = 0, forces = 0, drives = 0, damping = 0, gyroscopic = 0;
  double plastic = 0, viscous = 0;  // of the materials of deformable bodies; never above 0
  double impact = 0, friction = 0, elastic = 0, cohesion = 0, joints = 0;
  double scheme = 0;
  double projection = 0;  // what it cost to put positions on the constraints
  double defect = 0;
  double scale = 0;  // J: sum of the magnitudes above, those of contacts one by one (at rest they cancel to
                     // round-off): what defect is relative to
  double gain = 0;   // J: what laws of impact and friction gained in the step, 0 unless beyond doubt
                     // (sim/energy_gain.hpp)

  double relative_defect() const { return scale > 0 ? (defect < 0 ? -defect : defect) / scale : 0; }
};

struct StepReport {
  StepStatus status = StepStatus::converged;
  std::string reason;  // empty when converged
  std::int64_t step = 0;
  double time = 0;  // at its end
  int bodies = 0, contacts = 0, active = 0;
  std::int64_t iterations = 0, contact_updates = 0;
  int ambiguous = 0;     // contacts in Painleve's paradox (solvers/paradox.hpp)
  int unsolved = 0;      // contacts with no local solution: the best bounded impulse was taken
  double tolerance = 0;  // m/s, what residual_rms was asked to reach, in each connected group of contacts
  int groups = 0;        // of contacts that moving bodies connect
  int several = 0;       // of them at rest, found to have several solutions: the one that sticks was taken
  int held = 0;          // contacts and bounds that joints hold: no impulse acts on them, they were left out
  std::int64_t held_contact = -1;  // the first contact of them, and its bodies
  BodyId held_a = -1, held_b = -1;
  std::int64_t several_contact = -1;  // a contact of the first of these, and its bodies
  BodyId several_a = -1, several_b = -1;
  double residual_rms = 0, residual_max = 0;        // m/s
  double residual_rms_gh = 0, residual_max_gh = 0;  // in units of g h
  std::int64_t residual_contact = -1;               // where the largest is
  double momentum = 0;                              // |M dv - h F - H r| / (|M v| + |M dv| + |h F| + |H r|)
  double penetration = 0;                           // m, deepest
  double penetration_solver =
      0;  // m, part of it left by the solver: h times the worst approach of a closed contact
  std::int64_t penetration_contact = -1;
  double penetration_relative = 0;  // deepest over the thickness of the thinner body
                                    // (geometry/thickness.hpp), without elastic layers, and its bodies
  BodyId penetration_a = -1, penetration_b = -1;
  double compression = 0;      // the same of elastic layers, which overlap in equilibrium
  int projection_passes = 0;   // on the constraints at the level of positions
  double projection_left = 0;  // m or rad, of the worst of them
  int events = 0;            // impacts and changes of status located in the step, of the event-driven scheme
  bool handed_over = false;  // events accumulated: time stepping took the step
  EnergyBalance energy;
  int gain_groups = 0;  // connected groups of contacts whose laws gained energy.gain in all
  std::int64_t gain_contact =
      -1;  // of the group that gained most: where most of it came from, and its bodies
  BodyId gain_a = -1, gain_b = -1;
  int gain_gap = -1;    // of a system, where it came from one (its place in the scene), or -1
  int fast_bodies = 0;  // moved more than half their size in the step
  BodyId fastest = -1;
  BodyId first_not_finite = -1;
  int separation_passes = 0;  // that took back overlaps on positions, and their sweeps
  std::int64_t separation_sweeps = 0;
  bool overlaps_left = false;  // more than a slop is left of one that could be taken back
  int bonds = 0;               // cohesive bonds that hold at its end
  int bonds_formed = 0;        // in the step: at the first, those of the start
  int bonds_broken = 0;        // in the step, with those whose contact was lost
  int lost_membranes = 0;      // membranes under pressure that found no contour to press on
  int newton_turns = 0;        // most turns of a Newton loop of the scheme, which the alpha schemes have
  double newton_residual =
      0;              // what its last turn moved: relative velocity, or position in units of the bodies' size
  double inertia_ratio = 0;  // largest of deformable bodies: norm of M dv/h over that of internal, or of outer forces
  bool solid_failed = false;  // Newton's method found no end of the step for a deformable body, or h was above its critical one
  int halved = 0;     // steps taken again with half their length (schemes/step_control.hpp)
  double length = 0;  // s, of the step; of several in one h that of the last
  std::vector<SolveStage> stages;  // what `auto` did
};

}  // namespace saltus
