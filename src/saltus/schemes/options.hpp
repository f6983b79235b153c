// The choices a user has in the time stepping and in the solve of each step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "saltus/laws/pair_law.hpp"
#include "saltus/schemes/event_driven_options.hpp"
#include "saltus/schemes/projected.hpp"
#include "saltus/schemes/step_control.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

// Where the frames and lever arms of H are taken.
enum class JacobianAt {
  detection,  // q + (1-theta) h v: gap and law agree (Jean 1999); the energy audit is then exact
  start,      // q
  predicted   // points and gaps at q, lever arms from the centres at q + h v (Siconos' Newton-Euler schemes)
};
const char* name(JacobianAt place);

enum class SchemeKind {
  moreau_jean,            // the theta scheme: laws on velocities (schemes/moreau_jean.hpp)
  schatzman_paoli,        // laws on positions (schemes/schatzman_paoli.hpp)
  moreau_jean_projected,  // laws on velocities, then positions put on the constraints (schemes/projected.hpp)
  event_driven,           // motion between events by Runge-Kutta, events located (schemes/event_driven.hpp)
  generalized_alpha,  // positions and velocities, smooth and impulsive parts (schemes/generalized_alpha.hpp)
  newmark,            // the same with alpha_m = alpha_f = 0
  hht,                // the same with alpha_m = 0
  alpha_index3,       // smooth motion only: constraints on positions alone, accelerations restarted
  explicit_forces,  // moreau_jean with the forces of deformable bodies at known places (schemes/explicit.hpp)
  dynamic_relaxation,  // the same with masses that make h stable: slow motion only
  quasi_static         // equilibrium at the end of each step, without M (schemes/quasi_static.hpp)
};
const char* name(SchemeKind kind);
bool is_alpha(SchemeKind kind);     // generalized_alpha and those that are it with other parameters
bool is_explicit(SchemeKind kind);  // explicit_forces, dynamic_relaxation

// Parameters of the alpha schemes; those of rho_inf = 0.8 (schemes/generalized_alpha.hpp).
struct AlphaOptions {
  double alpha_m = 1.0 / 3, alpha_f = 4.0 / 9;
  double beta = 100.0 / 324, gamma = 11.0 / 18;
  double tolerance =
      1e-9;             // of the Newton loops: relative change of velocities and positions in the last turn
  int iterations = 30;  // most turns of a loop
  // Only from programs: alpha_index3 takes gaps of systems as constraints on positions too, the direct application of
  // a smooth scheme that its authors warn of. A negative control.
  bool direct_gaps = false;
};

struct SchemeOptions {
  SchemeKind kind = SchemeKind::moreau_jean;
  double h = 1e-3;     // s
  double theta = 0.5;  // in [1/2, 1]; 1/2 keeps energy, 1 damps it
  Activation activation = Activation::consistent;
  double activation_gamma = 0;  // in [0, 1], where the activation is gamma
  JacobianAt jacobian_at = JacobianAt::detection;
  AlphaOptions alpha;
  // Overlaps that a step leaves are taken back on positions (sim/separation.hpp). Laws on positions leave none.
  bool position_correction = true;
  bool leaves_overlaps() const { return kind == SchemeKind::moreau_jean || is_explicit(kind); }
  bool corrects_positions() const { return position_correction && leaves_overlaps(); }
  ProjectionOptions projection;  // of moreau_jean_projected
  EventOptions events;           // of event_driven
  StepControl control;

  // Whether contacts are active that the step would leave overlapping without them, found by turns.
  bool lands() const {
    return kind == SchemeKind::moreau_jean_projected && projection.kind == ProjectionKind::combined;
  }
  Activation activation_rule() const { return lands() ? Activation::landing : activation; }

  // Weight of the velocity at the end of a step in the one that displaces: q_(k+1) = q + h (mean v_(k+1) +
  // (1-mean) v).
  double mean() const {
    const bool at_end = kind == SchemeKind::schatzman_paoli || kind == SchemeKind::quasi_static;
    return at_end ? 1.0 : is_alpha(kind) ? 0.5 : theta;
  }
  // The same in the velocity on which the audit counts works: of Schatzman and Paoli the centred one, that of t_k.
  double audit_mean() const { return kind == SchemeKind::schatzman_paoli ? 0.5 : mean(); }
  // Whether a step has all of an impact in it. Under Schatzman and Paoli one step stops a body and the next sends it back.
  bool ends_impacts() const { return kind != SchemeKind::schatzman_paoli; }
  // The theta of the theta scheme; none: the scheme has none to choose.
  std::optional<double> chosen_theta() const {
    return is_alpha(kind) ? std::nullopt : std::optional<double>(theta);
  }
};

// Throws InputError: step control under a scheme whose steps are of one length, and values out of range.
void check_step_control(const SchemeOptions& scheme, const std::string& where);

// Margins of Jean's relaxed laws: a contact is accepted when (gap or velocity, impulse) is this close to
// a point of the graphs of Signorini and Coulomb.
struct Margins {
  double gap = 0;       // m
  double velocity = 0;  // m/s, sliding
  double force = 0;     // N
};

struct SolverSettings {
  // nlgs: velocity form; automatic: the same, then the canonical problem where that is cheaper; others: the
  // canonical problem.
  SolverKind kind = SolverKind::automatic;
  double tolerance = 1e-3;        // of residual_rms, in units of g h (without gravity: of the rms of |b|)
  double tolerance_velocity = 0;  // of residual_rms, m/s; > 0 replaces `tolerance`
  std::int64_t max_iterations = 5000;
  int threads = 1;
  LocalSolverKind local = LocalSolverKind::cascade;
  std::optional<Margins> margins;  // given: stop by the margins instead of the residual
};

}  // namespace saltus
