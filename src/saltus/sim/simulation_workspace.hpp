// The workspace of a simulation: threads, buffers kept from step to step so that none is allocated, and what can be
// made again from model and state.
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/base/parallel.hpp"
#include "saltus/collision/detector.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/schemes/moreau_jean.hpp"
#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/energy_gain.hpp"
#include "saltus/sim/event_parts.hpp"
#include "saltus/sim/membrane.hpp"
#include "saltus/sim/projection.hpp"
#include "saltus/sim/separation.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/sim/simulation_model.hpp"
#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

// The state before a step that may have to be taken again.
template <int Dim>
struct StartOfStep {
  std::vector<Pose<Dim>> pose;
  std::vector<Vec<Dim>> velocity;
  std::vector<Spin<Dim>> spin;
  std::vector<Contact<Dim>> contacts;
  std::vector<std::byte> parts;
  int bonds = 0;
};

// What a membrane pushes a body with, in N, inwards.
template <int Dim>
struct MembranePush {
  int slot = 0, membrane = 0;
  Vec<Dim> force = Vec<Dim>::Zero();
};

// Empty, with the period and the groups of the scene.
template <int Dim>
Detector<Dim> build_detector(const Scene<Dim>& scene) {
  Detector<Dim> detector;
  for (const auto& [g, h] : scene.excluded_groups) detector.exclude_groups(g, h);
  detector.set_period(scene.period);
  return detector;
}

template <int Dim>
struct SimulationWorkspace {
  explicit SimulationWorkspace(const SimulationModel<Dim>& model)
      : threads(model.scene.solver.threads),
        detector(build_detector(model.scene)),
        scheme(model.scene.scheme) {
    problem.rolling = model.is_rolling;
    parts.gaps.resize(model.parts.gaps.size());
  }

  ThreadPool threads;

  // Follows from model and state.
  Detector<Dim> detector;
  double mean_mass = 1, mean_length = 1;  // of the moving bodies

  // Of the step at hand.
  SchemeOptions scheme;  // that of the scene, with the length of this step
  StartOfStep<Dim> start;
  Vec<Dim> gravity = Vec<Dim>::Zero();  // mean over the step
  std::vector<Vec<Dim>> extra;          // forces on bodies beside their own, N
  int lost_membranes = 0;               // that found no contour to press on
  struct {
    std::vector<int> slots;
    std::vector<Vec<2>> points, force;
    MembraneContour contour;
  } pressed;                              // by the membrane at hand
  std::vector<MembranePush<Dim>> pushes;  // of rough membranes
  FreeMotion<Dim> motion;
  std::vector<double> travel;                 // of a body in the step, at most, per slot, m
  std::vector<ContactPoint<Dim>> all_points;  // detected and of rough membranes
  VelocityProblem<Dim> problem;
  CoupledWork<Dim> parts;
  std::vector<LawPoint> law_points;  // per contact
  std::vector<double> law_errors;    // per row of the problem, N s
  std::vector<char> kept;         // per slot, then per system: its group keeps its solution; empty: none does
  std::vector<char> open_groups;  // of the last solve: those to be solved again
  std::vector<int> changed;       // contacts taken in or left out
  GroupSolver<Dim> solver;
  // Of the tolerance asked for, without gravity: contacts that hold a body while Newton's method goes on about them are solved more
  // exactly, since what they leave is a motion from which the next turn starts.
  double sharper = 1;
  double velocity_tolerance = 0;  // m/s, asked of the solve
  std::vector<double>
      row_tolerances;  // the same of the group of each row; empty: all groups are asked for the same
  Separator<Dim> separation;
  std::vector<char> ignored;   // per slot: `separate` leaves it alone; empty: none
  Projection<Dim> projection;  // the problem on positions
  EventParts<Dim> events;      // of the event-driven scheme

  // Of the audit.
  std::vector<Vec<Dim>> contact_impulse;
  std::vector<Spin<Dim>> contact_moment;
  ContactGroups<Dim> groups;                // of the problem
  std::vector<ContactEnergy> group_energy;  // of each group

  // For those who ask for all contacts of a step.
  std::vector<ContactState<Dim>> contact_states;
  std::int64_t contact_states_step = -1;
};

}  // namespace saltus
