// The nonsmooth generalized-alpha scheme (Chen, Acary, Virlez, Bruls 2013; Bruls, Acary, Cardona 2014; slides of
// Acary 2022, equations 18 to 26): the motion of a step is split into a smooth part, integrated at second order, and an
// impulsive part at first order; constraints hold on positions and on velocities (Gear, Gupta, Leimkuhler).
//
//     a: the acceleration-like variable, carried from step to step; w: the acceleration
//     (1-alpha_m) a_1 + alpha_m a_0 = (1-alpha_f) w~_1 + alpha_f w_0                        (25e)
//     q~ = q_0 + h v_0 + h^2 ((1/2-beta) a_0 + beta a_1)                                    (25a)
//     v~ = v_0 + h ((1-gamma) a_0 + gamma a_1)                                              (25c)
//
//   smooth      M(q~) w~ = f(t_1, q~, v~) + G(q~)^T l,   G(q~) v~ + g_t = 0       bilateral rows alone
//   position    A_q U = G^T n + A_q D,   q_1 = q~ + U    g = 0 bilateral,  0 <= g(q_1) _|_ n >= 0 unilateral
//   velocity    A_v W = h/2 (f(q_1, v~) - f(q~, v~)) + G^T L,   v_1 = v~ + W
//               G v_1 + g_t = 0 bilateral; the law of the contact on (v_0, v_1) where it is active
//   at the end  M(q_1) w_1 = f(t_1, q_1, v_1) + G^T l: the acceleration that the next step starts from
//
// Friction, rolling friction and motors of a limited force have no part in the position problem of the slides: what they hold would have
// velocity 0 and move on, by h^2/2 of the acceleration that they take from it, in every step. Here their impulses P of the velocity
// problem move what they act on as if they came in the middle of the step, A_q D = h/2 P, as n does for gaps at rest (then n is
// h/2 L). D depends on P and P, by Jacobians alone, on D: D of the last step comes first, and where it was
// not right the two problems are solved once more with that of the first solution.
//
// A contact is active in the velocity problem if it is closed in the position problem: n > 0, or g(q_1) = 0 up to round-off. So the sets
// are nested, and the predicted position q* of the slides is q_1 without the contact's own correction n. Laws compare
// u- = H v_0 and u = H v_1 with the H of q_1; Fremond's acts on their mean.
//
// The slides take f with the jumps in the smooth equation (24d), which couples the three problems. Here they follow each
// other, and the forces that the jumps bring act through A_q = M + h/2 C + h^2/4 K and A_v = M + h/2 C (C and K: tangents of
// -f at the predicted state): as if the jump came in the middle of the step. On the bar of docs/schemes.md the two differ
// by 2e-4 of the velocity of rebound; with f at the predicted state alone contact lasts 1.4 % too long. The coupled problems
// solved in turns do not converge where stiffness and damping are both large (h^2 K/4 > M and h C/2 > M: measured on the
// same bar with C = 1 ms K, where contact comes and goes at every second step); the decoupled ones need no turns for linear
// systems. Rigid bodies have A = M.
//
// Rotations in space: increments and spins are in body axes, where M is constant, and q~ = q_0 exp(increment)
// (Bruls and Cardona 2010); U turns q~ by its own exponential.
//
// Energy. For constant M, with D the difference and - the mean of the two ends, Dq = h v_0 + ... + U, R = G^T l,
// P = G^T L, X = M W - P, d = w~_1 - w_1, the identity
//
//     D(v.Mv/2) = Dq.(f- + R-) + v-.P + scheme
//     scheme = Dq.M ((1/2-alpha_f) Dw + (gamma-1+alpha_m) Da + (1-alpha_f) d) - h^2 (beta-gamma/2) Da.M s
//              - (U - h W/2).M s + v-.X,      s = a- + (gamma-1/2) Da
//
// closes to round-off: `scheme` is the numerical dissipation, from its formula. (Newmark, no contact: -(gamma-1/2) Dq.K Dq and the
// change of h^2/4 (2 beta - gamma) a.Ma.) Where M depends on q the rest is called defect; O(h^3) in a step.
//
// alpha-index3 is the smooth scheme with l chosen so that g(q~) = 0, without U and W, and with a_0 = w_0 at every
// step ("restarted"): not the textbook's, but that of the reference trajectory SimplePendulumED_AlphaScheme.
#pragma once

#include <string>

#include "saltus/laws/pair_law.hpp"
#include "saltus/schemes/options.hpp"

namespace saltus {

// Chung and Hulbert's optimal parameters for a spectral radius at infinity, 0 to 1: second order, unconditionally stable.
AlphaOptions alpha_options(double rho_inf);
// gamma = 1/2 + alpha_f - alpha_m (second order) and beta = (gamma + 1/2)^2/4.
AlphaOptions alpha_options(double alpha_m, double alpha_f);

// What the parameters make of a step h: v~ = predictor + velocity w~, q~ = predictor + position w~.
struct AlphaWeights {
  double h, alpha_m, alpha_f, beta, gamma;
  double velocity, position;  // s, s^2

  explicit AlphaWeights(const SchemeOptions& options);
  // v~ and q~ - q_0 without the part of w~_1. Results come last: vectors of a system keep their memory.
  template <class V>
  void predict(const V& v0, const V& w0, const V& a0, V& velocity_known, V& path_known) const {
    V& a1 = path_known;  // what is known of it
    a1 = (alpha_f * w0 - alpha_m * a0) / (1 - alpha_m);
    velocity_known = v0 + h * ((1 - gamma) * a0 + gamma * a1);
    path_known = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a1);
  }
  template <class V>
  void next(const V& w1, const V& w0, const V& a0, V& a1) const {  // a1 may be a0
    a1 = (alpha_f * w0 - alpha_m * a0) / (1 - alpha_m) + (1 - alpha_f) / (1 - alpha_m) * w1;
  }
};

// Throws InputError: parameters out of range. `where` opens the message.
void check_alpha_options(const SchemeOptions& options, const std::string& where);
// Throws InputError for a law that the scheme has no place for: layers and the gap law of Signorini, cohesion, viscous parts,
// friction functions, tangential restitution apart from Newton's.
void check_alpha_law(const PairLaw& law, SchemeKind kind, const std::string& where);
// The law of the velocity problem: a quasi-inelastic shock is an inelastic one where the position problem is closed.
PairLaw alpha_law(PairLaw law);

}  // namespace saltus
