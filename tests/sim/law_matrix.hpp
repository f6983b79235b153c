// Every law in every use: a stack and a pile have to come to rest and stay there, every step converged.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/sim_scenes.hpp"

namespace saltus::test {

enum class Use { plain, rolling, viscous, bonded };
enum class Sample { stack, pile };

struct MatrixCase {
  LawKind kind;
  Use use;
  bool damped;  // theta = 1/(1+e) instead of 1/2
  double tolerance;
};

inline double restitution_of(LawKind kind) {
  return kind == LawKind::newton ? 0.3 : kind == LawKind::fremond ? 0.4 : 0.0;
}

inline double theta_of(const MatrixCase& c) { return c.damped ? 1 / (1 + 0.4) : 0.5; }

inline PairLaw law_of(const MatrixCase& c, Sample sample) {
  PairLaw result = law(c.kind, 0.4);
  result.restitution = restitution_of(c.kind);
  if (c.kind == LawKind::moreau) result.dissipation = 0.6;
  if (c.kind == LawKind::elastic) {
    result.stiffness_normal = 1e6;
    result.stiffness_tangent = 5e5;
  }
  if (c.kind == LawKind::hertz) {
    result.stiffness_normal = 3e7;
    result.stiffness_tangent = 5e5;
  }
  if (c.use == Use::rolling) result.rolling = 2e-3;
  if (c.use == Use::viscous) result.viscosity = 200;
  if (c.use == Use::bonded) {
    result.cohesion = 200;
    result.bonding = sample == Sample::stack ? Bonding::initial : Bonding::adhesive;
  }
  return result;
}

inline std::string name_of(const MatrixCase& c) {
  constexpr const char* kUses[] = {"plain", "rolling", "viscous", "bonded"};
  std::string text = std::string(name(c.kind)) + "_" + kUses[static_cast<int>(c.use)] +
                     (c.damped ? "_theta_damped" : "_theta_half") +
                     (c.tolerance < 1e-4 ? "_tight" : "_loose");
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// In space each brick is smaller than the one below: four points between two faces, whichever way they turn.
// As many points as it has corners in common would be as many springs of an elastic layer.
inline Shape<2> brick_of(std::integral_constant<int, 2>, int) { return build_rectangle(0.5, 0.2); }
inline Shape<3> brick_of(std::integral_constant<int, 3>, int i) {
  return build_box({0.5 - 0.05 * i, 0.5 - 0.05 * i, 0.2});
}

// Four bricks one on the other, or (in the plane) nine disks that fall between walls. A coarse step, so that
// a minute is cheap.
template <int Dim>
Scene<Dim> matrix_scene(const MatrixCase& c, Sample sample) {
  Scene<Dim> scene = test::scene<Dim>(law_of(c, sample), 0.01);
  scene.scheme.theta = theta_of(c);
  scene.solver.tolerance_velocity = 0;
  scene.solver.tolerance = c.tolerance;
  scene.solver.max_iterations = 5000;
  // Without it elastic layers swing for ever: theta = 1/2 keeps their energy.
  if (is_layer(c.kind)) scene.damping = scene.damping_rotation = 20;
  scene.bodies = {ground<Dim>()};
  const Vec<Dim> up = Vec<Dim>::Unit(Dim - 1);
  if (sample == Sample::stack) {
    for (int i = 0; i < 4; ++i)
      scene.bodies.push_back(
          body<Dim>(brick_of(std::integral_constant<int, Dim>(), i), (0.1 + 0.2 * i) * up));
    return scene;
  }
  for (const double side : {-1.0, 1.0}) {
    scene.bodies.push_back(body<Dim>(HalfSpace<Dim>{-side * Vec<Dim>::Unit(0), -0.22}, Vec<Dim>::Zero()));
    scene.bodies.back().fixed = true;
  }
  for (int i = 0; i < 9; ++i) {
    Vec<Dim> x = (0.06 + 0.125 * (i / 3)) * up;
    x[0] = -0.14 + 0.13 * (i % 3) + 0.01 * (i % 2);
    scene.bodies.push_back(body<Dim>(Ball<Dim>{0.05 + 0.003 * (i % 4)}, x));
  }
  return scene;
}

// What a sample did after the time it had to settle, and what the residuals of those steps explain.
struct Rest {
  double speed = 0;    // m/s at the end, rms
  double drift = 0;    // m, of the body that moved furthest
  double sunk = 0;     // m, the most that a body lies below where it was at the start
  double height = 0;   // m, mean of the bodies at the end
  double overlap = 0;  // m, the deepest of balls, walls and ground at the end
  double sweeps = 0;   // mean per step
  double gain = 0;     // J, of kinetic, potential and stored energy
  double explained_speed = 0, explained_drift = 0, explained_gain = 0;
  double explained_sink = 0;                     // of all steps
  std::int64_t unconverged = 0, gain_steps = 0;  // of all steps
  std::string reason;
};

template <int Dim>
void measure_heights(const Scene<Dim>& scene, const BodySet<Dim>& bodies, Rest& rest) {
  const auto radius = [&](int s) {
    const auto* ball = std::get_if<Ball<Dim>>(&scene.bodies[s].shape);
    return ball ? ball->radius : 0.0;
  };
  double moving = 0;
  for (int s = 0; s < bodies.slots(); ++s) {
    const Vec<Dim>& x = bodies.pose[s].position;
    if (!bodies.is_moving(s)) continue;
    rest.height += x[Dim - 1];
    ++moving;
    for (int other = 0; other < bodies.slots() && radius(s) > 0; ++other) {
      const auto* wall = std::get_if<HalfSpace<Dim>>(&scene.bodies[other].shape);
      const double gap = wall ? wall->normal.dot(x) - wall->offset - radius(s)
                              : (bodies.pose[other].position - x).norm() - radius(s) - radius(other);
      if (other != s) rest.overlap = std::max(rest.overlap, -gap);
    }
  }
  rest.height /= moving;
}

inline double energy_of(const EnergyBalance& e) { return e.kinetic + e.potential + e.elastic_stored; }

template <int Dim>
Rest observe(const Scene<Dim>& scene, double settle, double until) {
  Simulation<Dim> simulation(scene);
  const BodySet<Dim>& bodies = simulation.bodies();
  Rest rest;
  const std::vector<Pose<Dim>> first = bodies.pose;
  std::vector<Pose<Dim>> places;
  double energy = 0, mass = 0, steps = 0;
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.is_moving(s)) mass += bodies.model[s].mass;
  while (simulation.time() < until) {
    const StepReport report = simulation.step();
    if (report.status != StepStatus::converged) {
      ++rest.unconverged;
      rest.reason = report.reason;
    }
    rest.explained_sink += scene.scheme.h * report.contacts * report.residual_rms;
    if (simulation.time() < settle) continue;
    if (places.empty()) {
      places = bodies.pose;
      energy = energy_of(report.energy);
      continue;
    }
    ++steps;
    rest.sweeps += static_cast<double>(report.iterations);
    rest.speed = std::sqrt(2 * report.energy.kinetic / mass);
    rest.gain = energy_of(report.energy) - energy;
    // Each contact may be off by its residual, and what stands on it moves along: the sum over contacts is at
    // most their number times the rms.
    rest.explained_speed = report.contacts * report.tolerance;
    rest.explained_drift += scene.scheme.h * report.contacts * report.residual_rms;
    // |e| |r| summed by Cauchy and Schwarz, as in sim/energy_gain.hpp.
    double squares = 0;
    for (const ContactState<Dim>& c : simulation.contacts()) squares += c.impulse.squaredNorm();
    rest.explained_gain += report.residual_rms * std::sqrt(report.contacts * squares);
  }
  rest.sweeps /= steps;
  rest.gain_steps = simulation.summary().gain_steps;
  for (int s = 0; s < bodies.slots(); ++s)
    rest.sunk = std::max(rest.sunk, first[s].position[Dim - 1] - bodies.pose[s].position[Dim - 1]);
  measure_heights<Dim>(scene, bodies, rest);
  for (int s = 0; s < bodies.slots(); ++s)
    rest.drift = std::max(rest.drift, (bodies.pose[s].position - places[s].position).norm());
  return rest;
}

// Sticking contacts reverse for ever under Fremond's law with theta = 1/2: that is the law, and runs warn of
// it.
inline bool comes_to_rest(const MatrixCase& c) { return c.kind != LawKind::fremond || c.damped; }

inline double compression(const PairLaw& law, double force) {
  const double part = force / law.stiffness_normal;
  return law.kind == LawKind::hertz ? std::pow(part, 2.0 / 3) : part;
}

// How far a brick of a stack may sink, m, beside what residuals explain. A contact may be found one step late: g h^2, once for the stack and
// not once for each level of it. Layers are springs in a row: the lowest two bricks' contacts bear four bricks, the next three, ...
template <int Dim>
double allowed_sink(const MatrixCase& c, const Scene<Dim>& scene) {
  const double h = scene.scheme.h;
  if (!is_layer(c.kind)) return test::kGravity * h * h;
  const double brick = 1000 * 0.5 * 0.2 * (Dim == 2 ? 1.0 : 0.5) * test::kGravity;
  const int springs = Dim == 2 ? 2 : 4;
  double sunk = 0;
  for (int bricks = 1; bricks <= 4; ++bricks)
    sunk += compression(*scene.default_law, bricks * brick / springs);
  return sunk;
}

// The deepest overlap of a pile, m, beside what residuals explain: as above, of one contact and the thinnest ball; a layer bears no more
// than all there is above the ground, and twice that where balls wedge between the walls.
template <int Dim>
double allowed_overlap(const MatrixCase& c, const Scene<Dim>& scene, double mass) {
  const double fall = test::kGravity * scene.scheme.h * scene.scheme.h;
  if (is_layer(c.kind)) return compression(*scene.default_law, 2 * mass * test::kGravity);
  // Overlaps of bonds are not taken back: laws on velocities may find what fell from 0.31 m one step late.
  if (c.use == Use::bonded && needs_forecast(c.kind))
    return scene.scheme.h * std::sqrt(2 * test::kGravity * 0.31);
  // Half a percent of the thinnest ball, but no less than bodies fall in two steps (sim/separation.hpp).
  return needs_forecast(c.kind) ? std::max(0.005 * 0.1, 2 * fall) : fall;
}

inline bool never_gains(LawKind kind) {
  return kind != LawKind::newton && kind != LawKind::gap_signorini && !is_layer(kind);
}

template <int Dim>
double mass_of(const Scene<Dim>& scene) {
  const Simulation<Dim> simulation(scene);
  double mass = 0;
  for (int s = 0; s < simulation.bodies().slots(); ++s)
    if (simulation.bodies().is_moving(s)) mass += simulation.bodies().model[s].mass;
  return mass;
}

// Mean height against that under the default law. A stack may be lower by what its bricks sank. Piles of other laws are other piles: what
// bounces comes to lie elsewhere. Nine balls in three rows of a box three balls wide have little choice, at most some lie in the
// saddles of the row below where others stand upon it: a row is then lower by (2 - sqrt(3)) radii, 0.016 m, the third by twice as much, the
// mean by 0.016 m.
template <int Dim>
void expect_height(const MatrixCase& c, Sample sample, const Scene<Dim>& scene, const Rest& rest,
                   double settle) {
  const MatrixCase plain{LawKind::quasi_inelastic, Use::plain, false, 1e-3};
  static const double stack =
      observe<Dim>(matrix_scene<Dim>(plain, Sample::stack), settle, settle + 0.1).height;
  if (sample == Sample::stack) {
    EXPECT_NEAR(rest.height, stack, allowed_sink<Dim>(c, scene) + rest.explained_sink);
    return;
  }
  static const double pile =
      observe<Dim>(matrix_scene<Dim>(plain, Sample::pile), settle, settle + 0.1).height;
  const double packing = 0.016;
  EXPECT_NEAR(rest.height, pile,
              packing + 3 * (allowed_overlap<Dim>(c, scene, mass_of<Dim>(scene)) + rest.explained_sink));
}

template <int Dim>
void expect_rest(const MatrixCase& c, Sample sample, double settle, double until) {
  SCOPED_TRACE(name_of(c) + (sample == Sample::stack ? ", stack" : ", pile"));
  const Scene<Dim> scene = matrix_scene<Dim>(c, sample);
  const Rest rest = observe<Dim>(scene, settle, until);
  EXPECT_EQ(rest.unconverged, 0) << rest.reason;
  if (never_gains(c.kind)) {
    EXPECT_EQ(rest.gain_steps, 0);
  }
  // Round-off: 1e-12 of the potential energy, some 1000 J; 1e-12 m.
  EXPECT_LE(rest.gain, rest.explained_gain + 1e-9);
  EXPECT_LE(rest.drift, rest.explained_drift + 1e-12);
  if (sample == Sample::stack) {
    EXPECT_LE(rest.sunk, allowed_sink<Dim>(c, scene) + rest.explained_sink);
  } else {
    EXPECT_LE(rest.overlap, allowed_overlap<Dim>(c, scene, mass_of<Dim>(scene)) + rest.explained_sink);
  }
  expect_height<Dim>(c, sample, scene, rest, settle);
  if (!comes_to_rest(c)) return;
  EXPECT_LE(rest.speed, rest.explained_speed);
  // What rests is warm started with its own solution: the most in the plane is 21, gap-signorini at 1e-6 g h.
  EXPECT_LE(rest.sweeps, 30);
}

}  // namespace saltus::test
