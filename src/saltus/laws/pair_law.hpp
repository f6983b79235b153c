// Contact laws between two materials, and what a law is to the solver: a change of variables.
//
// The canonical problem asks for impulses r and velocities with (r, u^) in Coulomb's law,
//
//     u^ = u + shift + compliance . r,      r in K(mu, mu_r)
//
// where u is the true relative velocity at the end of the step. With g the gap at the start of
// the step, u- the relative velocity there and g~ = g + (1 - theta) h u-_n:
//
// clang-format off
//   kind                shift, normal                shift, tangent and rolling             active
//   velocity_signorini  0                            0                                      forecast
//   newton              e u-_n                       e_t u-_t, rolling 0                    forecast
//   moreau              c u-_n, c = (1-d)/(1+d)      c u-_t, c u-_w                         forecast
//   fremond             max(e u-_n, c u-_n)          c u-_t, c u-_w, c = (1-theta)/theta    forecast
//   newton, on the gap  (g + e (g - h u-_n))/h       0                                      always
//   quasi_inelastic     max(0, g~)/h                 0                                      always
//                       (of a bond without damage max(0, g~ - d)/h, d = 1e-4 of the smaller body)
//   gap_signorini       g~/h                         0                                      always
//   elastic             (g + theta(1-theta) h u-_n)/(theta^2 h), in the tangent the slip s for g and
//                       compliances 1/(theta^2 h^2 k): the force is that of the instant k+theta; always
//   hertz               as elastic, with the force k d^(3/2) of the depth d = -g at k+theta, linearised about a
//                       depth d*: K = (3/2) k d*^(1/2) for k, g + d*/3 for g; always
//   pressure            -s, compliance s/(h N) with s = 1e6 m/s: r_n = h N (1 - u_n/s), a normal force N = -k g~
//                       that is given, whatever the velocity; always
//
// Where a law on velocities acts on a gap 0 < g~ <= left_open, which the solver's tolerance may have left, its normal shift
// has g~/h more, but for bonds: the gap may close, and as the shift only grows, no law gains by it.
//
// Fremond's normal shift is one convex function of u-_n, as e <= c (theta <= 1/(1+e)): e u-_n while the
// bodies approach, c u-_n while they part. No gate on the sign of u-_n, no tolerance, and no gain: with
// u_(k+theta) = theta u + (1-theta) u- the work of r is theta (c u-_n - shift_n) r_n <= 0 in the normal and
// theta u^_t . r_t <= 0 in the rest. Moreau's law likewise acts on the mean (u + c u-)/(1+c), c <= 1.
//
// On top of each:
//   cohesion    r is counted from -h C: the pair -h C n pulls the bodies together and the cone starts there.
//               On a rigid contact the bond holds up to the tension C, which falls to zero at `rupture_gap`.
//               In an elastic layer the shift takes back compliance . h C: the force is -k g in tension as in
//               compression, zero at zero opening, down to -C; beyond the opening C/k the tension falls to
//               zero at `rupture_gap`, or at once. On closing it is the smaller of k g and what damage left
//               of C.
//   viscous     -h c u_t while closed: g~ <= 0, or the contact carried an impulse in the last step. With
//               moreau and fremond u_t is the mean their law acts on, (u_t + c u-_t)/(1+c).
//   friction    static and dynamic by the status of the last step: `slide` where the impulse was on the
//               surface of the cone and u^_t above the tolerance that the scene asks of its solver: this is
//               what a contact remembers of the last step, and no residual of the solver enters.
//   function    -h f(|u_t|) u_t/|u_t| while closed, as a viscous part whose c is the secant f(v)/v at a speed v.
//   regularised viscous at small slip (Jean 1995, figure 5): compliance 1/(h c) in the tangent, so that r_t =
//               -h c u_t where that is within the cone, and of length mu r_n along -u_t beyond.
//   rolling     a moment bounded by mu_r r_n.
//
// The point a law is linearised about (LawPoint) is its own guess at first; the step solves again until it is
// that of the solution (sim/settle_laws.cpp).
//
// clang-format on
// Sources: M. Jean 1995, 1999; J.J. Moreau 1988; V. Acary 2023 for Fremond's law.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "saltus/laws/friction_function.hpp"

namespace saltus {

enum class LawKind {
  velocity_signorini,
  newton,
  moreau,
  fremond,
  quasi_inelastic,
  gap_signorini,
  elastic,
  hertz,
  pressure
};
const char* name(LawKind kind);
// `pressure` is that of membranes: the program's own, no scene asks for it.
inline bool is_layer(LawKind kind) { return kind == LawKind::elastic || kind == LawKind::hertz; }

enum class Bonding {
  initial,  // contacts closed at the start are bonded; a broken bond stays broken
  adhesive  // every contact that closes is bonded
};

struct PairLaw {
  LawKind kind = LawKind::quasi_inelastic;
  double friction = 0;             // mu; the static value when `friction_dynamic` is given
  double friction_dynamic = -1;    // mu of a contact that slid in the last step; negative: same as `friction`
  double restitution = 0;          // e in [0, 1]: newton, fremond
  double restitution_tangent = 0;  // e_t in [-1, 1]: newton
  double dissipation = 1;          // Moreau's index d in [0, 1]: 1 is inelastic, 0 keeps the energy
  double stiffness_normal = 0;     // N/m, elastic; N/m^(3/2), hertz
  double stiffness_tangent = 0;    // N/m, elastic and hertz
  double cohesion = 0;             // C, N: largest tension of a bond
  double rupture_gap =
      0;  // m: C falls linearly to zero at this opening; 0: the bond breaks once C is exceeded
  Bonding bonding = Bonding::initial;
  double viscosity = 0;                              // N s/m: tangential force -c u_t of a closed contact
  std::shared_ptr<const FrictionFunction> function;  // added to Coulomb's friction; none: nothing
  double regularisation = 0;  // N s/m: viscous friction of this coefficient up to mu r_n; 0: Coulomb's own
  double rolling = 0;         // mu_r, m
};

// What a law that is not linear in the velocity is linearised about, and the search for it.
struct LawPoint {
  double depth = 0;  // m, hertz
  double speed = 0;  // m/s, friction function: its secant there
  // Speeds that were too small and too large, and the last one with the logarithm of what the solution made
  // of it (0: none yet).
  double low = 0, high = 1e300, last_speed = 0, last_error = 0;
};
inline bool is_linear(const PairLaw& law) { return law.kind != LawKind::hertz && !law.function; }

// Throws InputError on a value out of range, and on Fremond's law with theta > 1/(1+e) (it may
// then gain energy). `where` opens the message.
void check_law(const PairLaw& law, double theta, const std::string& where);

// The theta of a scene with this law that gives none: 1/2, which keeps the energy of smooth motion, but for
// Fremond's law 1/(1+e), at most 0.9: with 1/2 what sticks under it reverses at every step.
double default_theta(const PairLaw& law);
// What a user should know of this law with this theta (none: of a scheme that has none, and takes the mean); empty: nothing.
std::string law_warning(const PairLaw& law, std::optional<double> theta);

enum class ContactStatus : std::uint8_t { inactive, open, stick, slide };
const char* name(ContactStatus status);

// What a contact remembers from one step to the next. Vectors are in world axes (z = 0 in 2D), so that
// a frame may turn between steps.
struct ContactHistory {
  Eigen::Vector3d impulse =
      Eigen::Vector3d::Zero();  // r on body b, N s; of a bond the true one, r less the pull
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // rolling part of r, N m s
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();    // elastic tangential slip s, m
  double damage = 0;                                 // of a bond, 0 to 1
  ContactStatus status = ContactStatus::inactive;
  bool bonded = false;
};

// How a contact is forecast: a prediction of the gap is not positive (beyond round-off).
enum class Activation {
  consistent,  // g~ = g + (1-theta) h u-_n    (Jean 1999, section 6)
  start,       // g                            (the same)
  end,         // g + h u-_n                   (the same)
  free,        // g + h u_free,n               (Jean 1995, section 4.2, i)
  middle,      // g + (h/2) u_free,n           (the same, "at half the time step")
  gamma,       // g + gamma h u-_n, gamma given (Acary and Brogliato 2008, section 10.1.5)
  landing,  // g~ + theta h u_n of the step with the contacts found so far, from none on (Acary 2013, combined projection)
  implicit  // g + h V_n, V the velocity without the contact's own impulse but with those of all others: the
            // contacts that are active follow from the solution itself (Jean 1995, section 4.2, ii)
};
const char* name(Activation activation);

// Laws on the velocity act only where contact is forecast; the others look at the gap themselves.
bool needs_forecast(LawKind kind);

struct LawInput {
  double gap = 0;                                    // g, m, at the start of the step
  double gap_consistent = 0;                         // g~
  Eigen::Vector3d u = Eigen::Vector3d::Zero();       // u-: (n, t, s)
  Eigen::Vector3d u_free = Eigen::Vector3d::Zero();  // with no impulse at the end of the step
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();  // (unused, t, s): elastic slip in the frame of the contact
  // What the scheme makes of time, in the words of a law: the impulse of a force, and the weight of the end of the
  // step in the velocity that displaces. h and theta of the table above are these, whatever the scheme.
  double duration = 0;  // s
  double mean = 0.5;
  double touch_gap = 0;  // m: surfaces up to this far apart touch, to a bond (touch_gap)
  double round_off = 0;  // m: predicted gaps up to this count as closed (gap_round_off)
  double left_open = 0;  // m: so do those that the solver's tolerance may have left open, and they may close
  Activation activation = Activation::consistent;
  double activation_gamma = 0;      // where the activation is gamma
  bool forecast = false;            // the answer, when the activation is implicit or landing
  bool on_positions = false;        // the law holds on the gaps of t_(k+1) and t_(k-1) (Schatzman and Paoli)
  const LawPoint* point = nullptr;  // none: that of start_point
};

// The first guess of a step, from what is known at its start; and where a velocity u at its end stands.
LawPoint start_point(const PairLaw& law, const LawInput& input);
LawPoint solution_point(const PairLaw& law, const LawInput& input, const Eigen::Vector3d& u);
// Moves a point to where the solution stands; of a friction function, where the speed of the solution falls
// with the speed of the secant, by the secant method on logarithms between the bounds found so far.
void move_point(const LawPoint& there, LawPoint& point);
// What the law linearised about `used` got wrong at a solution of velocity u and impulse r, N s.
double linearisation_error(const PairLaw& law, const LawInput& input, const LawPoint& used, bool viscous,
                           const Eigen::Vector3d& u, const Eigen::Vector3d& r);

struct LawTerms {
  bool active = false;
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  double compliance_normal = 0, compliance_tangent = 0;  // added to the diagonal of W
  double mu = 0, mu_r = 0;
  double carry = 0;    // c: the shift of the rolling velocity is c u-_w, and `viscous` acts on u_t + c u-_t
  double pull = 0;     // h C: the true normal impulse is r_n - pull
  double viscous = 0;  // h times the viscosity, over 1 + carry
};

LawTerms compute_terms(const PairLaw& law, const LawInput& input, const ContactHistory& history);

// Surfaces of bodies of these sizes (m; 0: unbounded) that are no further apart count as touching where bonds
// are made and broken: a millionth of the smaller body, beyond round-off of coordinates and below anything
// seen.
double touch_gap(double size_a, double size_b);

// What round-off can make of a gap of zero, m, when the coordinates it is computed from are up to `largest` m:
// a body laid on another must not fall for a step because the sum of its coordinates was rounded up. The factor is
// 2^12 roundings: centres added up over a thousand bodies, or moved by as many steps, are within it. It is
// below anything a step resolves: a body falls through 1e-12 of a metre in half a microsecond.
double gap_round_off(double largest);

// Whether a contact is bonded at the start of a run: its law has cohesion, and the surfaces touch or (rigid
// contacts) are within the rupture gap.
bool is_bonded_at_start(const PairLaw& law, double gap, double touch);

// Opening beyond which no bond of the law acts, m.
double bond_reach(const PairLaw& law);

// Energy in an elastic layer and its bond at a gap, J.
double stored_energy(const PairLaw& law, double gap, const ContactHistory& history);

struct LawResult {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();  // canonical, (n, t, s)
  Eigen::Vector3d u_hat = Eigen::Vector3d::Zero();
  double gap_end = 0;             // g at the end of the step, to first order: g~ + h u_n
  double velocity_tolerance = 0;  // m/s: a contact slides where u^_t is above it
};

// Status after the solve, and what the law remembers; returns the elastic slip in the frame of the contact
// (the caller turns it to world axes).
Eigen::Vector3d update_history(const PairLaw& law, const LawInput& input, const LawTerms& terms,
                               const LawResult& result, ContactHistory& history);

}  // namespace saltus
