#include "saltus/laws/pair_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"

namespace saltus {

const char* name(LawKind kind) {
  switch (kind) {
    case LawKind::velocity_signorini: return "velocity-signorini";
    case LawKind::newton: return "newton";
    case LawKind::moreau: return "moreau";
    case LawKind::fremond: return "fremond";
    case LawKind::gap_signorini: return "gap-signorini";
    case LawKind::elastic: return "elastic";
    case LawKind::hertz: return "hertz";
    case LawKind::pressure: return "pressure";
    case LawKind::quasi_inelastic: break;
  }
  return "quasi-inelastic";
}

const char* name(ContactStatus status) {
  switch (status) {
    case ContactStatus::open: return "open";
    case ContactStatus::stick: return "stick";
    case ContactStatus::slide: return "slide";
    case ContactStatus::inactive: break;
  }
  return "inactive";
}

const char* name(Activation activation) {
  switch (activation) {
    case Activation::start: return "start";
    case Activation::end: return "end";
    case Activation::free: return "free";
    case Activation::middle: return "middle";
    case Activation::gamma: return "gamma";
    case Activation::landing: return "landing";
    case Activation::implicit: return "implicit";
    case Activation::consistent: break;
  }
  return "consistent";
}

bool needs_forecast(LawKind kind) {
  return kind == LawKind::velocity_signorini || kind == LawKind::newton || kind == LawKind::moreau ||
         kind == LawKind::fremond;
}

namespace {

void check_range(double value, double low, double high, const char* what, const std::string& where) {
  if (value >= low && value <= high) return;
  const std::string allowed =
      std::isinf(high) ? fmt::format("{} or more", low) : fmt::format("{} to {}", low, high);
  throw InputError(where, what, fmt::format("{}", value), allowed);
}

// Taken in before it is closed (sim/swift.cpp).
bool acts_early(const LawInput& in) {
  return in.forecast && in.activation != Activation::implicit && in.activation != Activation::landing;
}

bool is_forecast(const LawInput& in) {
  const double closed = std::max(in.round_off, in.left_open);
  if (acts_early(in)) return true;
  switch (in.activation) {
    case Activation::start: return in.gap <= closed;
    case Activation::end: return in.gap + in.duration * in.u[0] <= closed;
    case Activation::free: return in.gap + in.duration * in.u_free[0] <= closed;
    case Activation::middle: return in.gap + 0.5 * in.duration * in.u_free[0] <= closed;
    case Activation::gamma: return in.gap + in.activation_gamma * in.duration * in.u[0] <= closed;
    case Activation::landing:
    case Activation::implicit: return in.forecast;
    case Activation::consistent: break;
  }
  return in.gap_consistent <= closed;
}

// Opening at which a bond reaches its largest tension, m.
double peak_opening(const PairLaw& law) {
  return law.kind == LawKind::elastic ? law.cohesion / law.stiffness_normal : 0.0;
}

double hertz_force(const PairLaw& law, double depth) {
  return depth > 0 ? law.stiffness_normal * depth * std::sqrt(depth) : 0.0;
}

// Depth that Hertz's force is of, when the velocity ends at u_n: as for an elastic layer (fill_elastic).
double depth_at(const LawInput& in, double normal) {
  if (in.gap > in.round_off) return -(in.gap_consistent + in.mean * in.duration * normal);
  return -(in.gap + in.mean * in.duration * (in.mean * normal + (1 - in.mean) * in.u[0]));
}

// A layer that closes in the step takes its force at the end of it: half-way there is none yet, and the
// energy of the layer would come from nowhere. One that opens loses what the last part of a step would give
// back.
void fill_elastic(const PairLaw& law, const LawInput& in, const LawPoint& point, bool bonded, LawTerms& out) {
  const double theta2 = in.mean * in.mean;
  const double carry = in.mean * (1 - in.mean) * in.duration;
  const bool closes = in.gap > in.round_off && !bonded;
  const double weight = closes ? in.mean : theta2;
  const bool hertz = law.kind == LawKind::hertz;
  const double stiffness = law.stiffness_normal * (hertz ? 1.5 * std::sqrt(point.depth) : 1);
  const double rest = hertz ? point.depth / 3 : 0;
  out.active = true;
  out.shift[0] = (rest + (closes ? in.gap_consistent : in.gap + carry * in.u[0])) / (weight * in.duration);
  out.compliance_normal = 1 / (weight * in.duration * in.duration * stiffness);
  if (law.stiffness_tangent > 0) {
    out.shift.tail<2>() = (in.slip.tail<2>() + carry * in.u.tail<2>()) / (theta2 * in.duration);
    out.compliance_tangent = 1 / (theta2 * in.duration * in.duration * law.stiffness_tangent);
  }
}

void fill_pressure(const PairLaw& law, const LawInput& in, LawTerms& out) {
  constexpr double kFast = 1e6;  // m/s
  const double impulse = -in.duration * law.stiffness_normal * in.gap_consistent;
  out.active = impulse > 0;
  if (!out.active) return;
  out.shift[0] = -kFast;
  out.compliance_normal = kFast / impulse;
}

// Opening that a rigid bond without damage is left with, m. Errors of the solver open bonds by different amounts, a name that
// passes from one corner to the next changes the gap by as much: bonds that had to close all of them in one step would
// contradict each other, and rigid bodies that are bonded many times answer with all the tension there is.
double held_gap(const LawInput& in, const ContactHistory& history) {
  constexpr double kHeld = 100;  // 1e-4 of the smaller body
  return history.bonded && history.damage == 0 ? kHeld * in.touch_gap : 0.0;
}

// At which a contact closes in the step what the solver left open. A law on velocities would keep the gap, and errors of later
// steps would add up to one beyond which the contact is not forecast and its bodies fall.
// Bonds stay as they are (held_gap).
double closing_velocity(const LawInput& in, const ContactHistory& history) {
  const bool is_left =
      !history.bonded && in.gap_consistent > in.round_off && in.gap_consistent <= in.left_open;
  return is_left ? in.gap_consistent / in.duration : 0.0;
}

void fill_shift(const PairLaw& law, const LawInput& in, const LawPoint& point, const ContactHistory& history,
                LawTerms& out) {
  out.active = is_forecast(in);
  switch (law.kind) {
    case LawKind::velocity_signorini: break;
    case LawKind::newton:
      if (in.on_positions) {
        out.active = true;
        out.shift[0] = (in.gap + law.restitution * (in.gap - in.duration * in.u[0])) / in.duration;
        break;
      }
      out.shift << law.restitution * in.u[0], law.restitution_tangent * in.u.tail<2>();
      break;
    case LawKind::moreau:
      out.carry = (1 - law.dissipation) / (1 + law.dissipation);
      out.shift = out.carry * in.u;
      break;
    case LawKind::fremond:
      out.carry = (1 - in.mean) / in.mean;
      out.shift << std::max(law.restitution * in.u[0], out.carry * in.u[0]), out.carry * in.u.tail<2>();
      break;
    case LawKind::quasi_inelastic:
      out.active = true;
      out.shift[0] = std::max(0.0, in.gap_consistent - held_gap(in, history)) / in.duration;
      break;
    case LawKind::gap_signorini:
      out.active = true;
      out.shift[0] = in.gap_consistent / in.duration;
      break;
    case LawKind::elastic:
    case LawKind::hertz: fill_elastic(law, in, point, history.bonded, out); break;
    case LawKind::pressure: fill_pressure(law, in, out); break;
  }
  if (needs_forecast(law.kind) && !in.on_positions) out.shift[0] += closing_velocity(in, history);
  // Without a rebound the bodies meet where contacts are looked for next, and do not stop apart.
  if (acts_early(in) && out.shift[0] == 0) out.shift[0] = std::max(0.0, in.gap_consistent) / in.duration;
}

}  // namespace

void check_law(const PairLaw& law, double theta, const std::string& where) {
  constexpr double kInfinity = HUGE_VAL;
  check_range(law.friction, 0, kInfinity, "friction", where);
  if (law.friction_dynamic >= 0)
    check_range(law.friction_dynamic, 0, law.friction, "dynamic friction", where);
  check_range(law.restitution, 0, 1, "restitution", where);
  check_range(law.restitution_tangent, -1, 1, "tangential restitution", where);
  check_range(law.dissipation, 0, 1, "dissipation index", where);
  check_range(law.cohesion, 0, kInfinity, "cohesion", where);
  check_range(law.rupture_gap, 0, kInfinity, "rupture gap", where);
  check_range(law.viscosity, 0, kInfinity, "viscosity", where);
  check_range(law.rolling, 0, kInfinity, "rolling friction", where);
  check_range(law.regularisation, 0, kInfinity, "regularisation", where);
  check_range(law.stiffness_tangent, 0, kInfinity, "tangential stiffness", where);
  if (is_layer(law.kind) && !(law.stiffness_normal > 0))
    throw InputError(
        where, fmt::format("the law {} needs a normal stiffness, stiffness_normal", name(law.kind)),
        fmt::format("{}", law.stiffness_normal),
        law.kind == LawKind::hertz ? "a positive number of N/m^(3/2)" : "a positive number of N/m");
  if (law.kind == LawKind::hertz && law.cohesion > 0)
    throw InputError(where, "cohesion of a Hertz contact", fmt::format("{}", law.cohesion),
                     "none: Hertz's force has no tension");
  if (law.regularisation > 0 && law.stiffness_tangent > 0)
    throw InputError(where, "regularisation beside a tangential stiffness",
                     fmt::format("{}", law.regularisation), "one of the two");
  if (law.function && (law.kind == LawKind::moreau || law.kind == LawKind::fremond))
    throw InputError(where, "a friction function with the law", name(law.kind),
                     "a law that acts on the velocity at the end of the step");
  if (law.rupture_gap > 0 && law.cohesion > 0 && law.rupture_gap <= peak_opening(law))
    throw InputError(where, "rupture gap of an elastic layer", fmt::format("{}", law.rupture_gap),
                     fmt::format("0 (breaks at once), or above the opening of the largest tension, "
                                 "cohesion/stiffness_normal = {:.6g} m",
                                 peak_opening(law)));
  if (law.kind == LawKind::fremond && theta > 1 / (1 + law.restitution))
    throw InputError(
        where, fmt::format("Fremond's law with e = {} may gain energy with this theta", law.restitution),
        fmt::format("theta = {}", theta),
        fmt::format("theta up to 1/(1+e) = {:.6g}", 1 / (1 + law.restitution)));
}

double default_theta(const PairLaw& law) {
  return law.kind == LawKind::fremond ? std::min(0.9, 1 / (1 + law.restitution)) : 0.5;
}

std::string law_warning(const PairLaw& law, std::optional<double> theta) {
  if (law.function && !law.function->is_monotone())
    return "a friction function that falls with the speed: a step may have several solutions, or none that "
           "the "
           "iterations find; steps that did not settle are counted as missed";
  if (law.kind != LawKind::fremond || theta.value_or(0.5) > 0.5 || (law.friction == 0 && law.rolling == 0))
    return {};
  const std::string cure =
      law.restitution < 1
          ? fmt::format("{}theta = {:.6g}, the default for restitution = {}{}, lets them rest",
                        theta ? "" : "scheme.kind = \"moreau-jean\" with ", default_theta(law),
                        law.restitution, theta ? "" : " there")
          : std::string("with restitution = 1 no larger theta is allowed");
  return std::string("Fremond's law ") + (theta ? "with theta = 1/2" : "under this scheme") +
         ": contacts that stick reverse their sliding velocity at every step, "
         "only its mean is zero; " +
         cure;
}

LawPoint start_point(const PairLaw& law, const LawInput& in) { return solution_point(law, in, in.u); }

LawPoint solution_point(const PairLaw& law, const LawInput& in, const Eigen::Vector3d& u) {
  constexpr double kLeastDepth = 1e-12;  // m; at none the layer would have no stiffness
  LawPoint point;
  if (law.kind == LawKind::hertz) point.depth = std::max(kLeastDepth, depth_at(in, u[0]));
  if (law.function) point.speed = u.tail<2>().norm();
  return point;
}

void move_point(const LawPoint& there, LawPoint& point) {
  constexpr double kLeastSpeed = 1e-12;  // m/s
  point.depth = there.depth;
  const double used = std::max(point.speed, kLeastSpeed), found = std::max(there.speed, kLeastSpeed);
  const double error = std::log(found / used);
  if (point.low >= point.high) point.low = 0, point.high = 1e300;  // neighbours have moved the bounds
  (error > 0 ? point.low : point.high) = used;
  double next = found;
  if (point.last_error != 0 && point.last_error != error)
    next = used * std::exp(-error * std::log(used / point.last_speed) / (error - point.last_error));
  const bool inside = next > point.low && next < point.high;
  if (!inside) next = point.low > 0 && point.high < 1e300 ? std::sqrt(point.low * point.high) : found;
  point.last_speed = used, point.last_error = error;
  point.speed = next;
}

// By the velocity alone: what the solver left between u and r is its residual, and no turn would take it back.
double linearisation_error(const PairLaw& law, const LawInput& in, const LawPoint& used, bool viscous,
                           const Eigen::Vector3d& u, const Eigen::Vector3d&) {
  double error = 0;
  if (law.kind == LawKind::hertz) {
    const double depth = depth_at(in, u[0]), stiffness = 1.5 * law.stiffness_normal * std::sqrt(used.depth);
    const double linear = std::max(0.0, stiffness * (depth - used.depth / 3));
    error = in.duration * std::abs(hertz_force(law, depth) - linear);
  }
  if (law.function && viscous) {
    const double speed = u.tail<2>().norm();
    error =
        std::max(error, in.duration *
                            std::abs(law.function->secant(speed) - law.function->secant(used.speed)) * speed);
  }
  return error;
}

LawTerms compute_terms(const PairLaw& law, const LawInput& in, const ContactHistory& history) {
  LawTerms out;
  LawPoint point;
  if (!is_linear(law)) point = in.point ? *in.point : start_point(law, in);
  fill_shift(law, in, point, history, out);
  if (law.regularisation > 0) out.compliance_tangent = (1 + out.carry) / (in.duration * law.regularisation);
  out.mu = law.friction_dynamic >= 0 && history.status == ContactStatus::slide ? law.friction_dynamic
                                                                               : law.friction;
  out.mu_r = law.rolling;
  if (history.bonded) {
    out.active = true;
    out.pull = in.duration * law.cohesion * (1 - history.damage);
    out.shift[0] -= out.compliance_normal * out.pull;
  }
  const double secant = law.function ? law.function->secant(point.speed) : 0.0;
  const bool carried = history.status == ContactStatus::stick || history.status == ContactStatus::slide;
  if (out.active && (in.gap_consistent <= in.round_off || carried))
    out.viscous = in.duration * (law.viscosity + secant) / (1 + out.carry);
  return out;
}

double touch_gap(double size_a, double size_b) {
  constexpr double kTouch = 1e-6;
  const double smaller = std::min(size_a, size_b);
  return kTouch * (smaller > 0 ? smaller : std::max(size_a, size_b));
}

double gap_round_off(double largest) {
  constexpr double kRoundings = 4096;
  return kRoundings * std::numeric_limits<double>::epsilon() * largest;
}

bool is_bonded_at_start(const PairLaw& law, double gap, double touch) {
  const double range = law.kind == LawKind::elastic ? touch : std::max(touch, law.rupture_gap);
  return law.cohesion > 0 && gap <= range;
}

double bond_reach(const PairLaw& law) { return std::max(law.rupture_gap, peak_opening(law)); }

double stored_energy(const PairLaw& law, double gap, const ContactHistory& history) {
  if (!is_layer(law.kind)) return 0;
  const double k = law.stiffness_normal;
  const double sheared = 0.5 * law.stiffness_tangent * history.slip.squaredNorm();
  if (law.kind == LawKind::hertz) return 0.4 * hertz_force(law, -gap) * std::max(0.0, -gap) + sheared;
  const double limit = history.bonded ? law.cohesion * (1 - history.damage) : 0.0;
  const double normal = k * gap <= limit ? 0.5 * k * gap * gap : limit * (gap - 0.5 * limit / k);
  return normal + sheared;
}

Eigen::Vector3d update_history(const PairLaw& law, const LawInput& in, const LawTerms& terms,
                               const LawResult& result, ContactHistory& history) {
  const double normal = result.r[0];
  const double tangent = result.r.tail<2>().norm();
  // On the surface of the cone: sweeps put a sliding impulse exactly there, an interior point method a little
  // inside.
  constexpr double kSurface = 1e-3;
  const bool slides = tangent >= terms.mu * normal * (1 - kSurface) &&
                      result.u_hat.tail<2>().norm() > result.velocity_tolerance;
  history.status = !terms.active ? ContactStatus::inactive
                   : normal <= 0 ? ContactStatus::open
                   : slides      ? ContactStatus::slide
                                 : ContactStatus::stick;
  if (law.cohesion > 0) {
    const double peak = peak_opening(law), softening = law.rupture_gap - peak;
    const bool holds = normal > 0 || result.gap_end <= peak + in.touch_gap;
    if (history.bonded && !holds) {
      const double opening = softening > 0 ? (result.gap_end - peak) / softening : 1.0;
      history.damage = std::clamp(std::max(history.damage, opening), 0.0, 1.0);
      if (history.damage >= 1) history.bonded = false;
    } else if (!history.bonded && law.bonding == Bonding::adhesive && normal > 0) {
      history.bonded = true;
      history.damage = 0;
    }
  }
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();
  if (is_layer(law.kind) && law.stiffness_tangent > 0 && normal > 0) {
    const Eigen::Vector3d at_theta(0, -result.r[1] / (in.duration * law.stiffness_tangent),
                                   -result.r[2] / (in.duration * law.stiffness_tangent));
    slip = in.slip + (at_theta - in.slip) / in.mean;
    // A layer that slides ends the step at the limit, unless it came from beyond (the normal force fell):
    // then the end of the step holds less energy, and the rest has been given back.
    if (slides && at_theta.squaredNorm() < slip.squaredNorm()) slip = at_theta;
    slip[0] = 0;
  }
  return slip;
}

}  // namespace saltus
