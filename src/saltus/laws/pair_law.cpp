#include "saltus/laws/pair_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

bool is_forecast(const LawInput& in) {
  switch (in.activation) {
    case Activation::start: return in.gap <= 0;
    case Activation::end: return in.gap + in.h * in.u[0] <= 0;
    case Activation::free: return in.gap + in.h * in.u_free[0] <= 0;
    case Activation::middle: return in.gap + 0.5 * in.h * in.u_free[0] <= 0;
    case Activation::implicit: return in.forecast;
    case Activation::consistent: break;
  }
  return in.gap_consistent <= 0;
}

void fill_elastic(const PairLaw& law, const LawInput& in, LawTerms& out) {
  const double theta2 = in.theta * in.theta;
  const double carry = in.theta * (1 - in.theta) * in.h;
  out.active = true;
  out.shift[0] = (in.gap + carry * in.u[0]) / (theta2 * in.h);
  out.compliance_normal = 1 / (theta2 * in.h * in.h * law.stiffness_normal);
  if (law.stiffness_tangent > 0) {
    out.shift.tail<2>() = (in.slip.tail<2>() + carry * in.u.tail<2>()) / (theta2 * in.h);
    out.compliance_tangent = 1 / (theta2 * in.h * in.h * law.stiffness_tangent);
  }
}

void fill_shift(const PairLaw& law, const LawInput& in, LawTerms& out) {
  out.active = is_forecast(in);
  switch (law.kind) {
    case LawKind::velocity_signorini: break;
    case LawKind::newton:
      out.shift << law.restitution * in.u[0], law.restitution_tangent * in.u.tail<2>();
      break;
    case LawKind::moreau: out.shift = (1 - law.dissipation) / (1 + law.dissipation) * in.u; break;
    case LawKind::fremond:
      out.active = out.active && in.u[0] <= in.velocity_tolerance;
      out.shift << law.restitution * in.u[0], (1 - in.theta) / in.theta * in.u.tail<2>();
      break;
    case LawKind::quasi_inelastic:
      out.active = true;
      out.shift[0] = std::max(0.0, in.gap_consistent) / in.h;
      break;
    case LawKind::gap_signorini:
      out.active = true;
      out.shift[0] = in.gap_consistent / in.h;
      break;
    case LawKind::elastic: fill_elastic(law, in, out); break;
  }
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
  check_range(law.stiffness_tangent, 0, kInfinity, "tangential stiffness", where);
  if (law.kind == LawKind::elastic && !(law.stiffness_normal > 0))
    throw InputError(where, "an elastic layer needs a normal stiffness",
                     fmt::format("{}", law.stiffness_normal), "a positive number of N/m");
  if (law.kind == LawKind::fremond && theta > 1 / (1 + law.restitution))
    throw InputError(
        where, fmt::format("Fremond's law with e = {} may gain energy with this theta", law.restitution),
        fmt::format("theta = {}", theta),
        fmt::format("theta up to 1/(1+e) = {:.6g}", 1 / (1 + law.restitution)));
}

LawTerms compute_terms(const PairLaw& law, const LawInput& in, const ContactHistory& history) {
  LawTerms out;
  fill_shift(law, in, out);
  out.mu = law.friction_dynamic >= 0 && history.status == ContactStatus::slide ? law.friction_dynamic
                                                                               : law.friction;
  out.mu_r = law.rolling;
  if (history.bonded) {
    out.active = true;
    out.pull = in.h * law.cohesion * (1 - history.damage);
  }
  // Closed, but for what a solver leaves of a velocity that should be zero.
  const bool closed = in.gap_consistent <= in.h * in.velocity_tolerance;
  if (out.active && closed) out.viscous = in.h * law.viscosity;
  return out;
}

ContactHistory new_history(const PairLaw& law, double gap, bool initial) {
  ContactHistory history;
  if (law.cohesion > 0)
    history.bonded = gap <= law.rupture_gap && (initial || law.bonding == Bonding::adhesive);
  return history;
}

Eigen::Vector3d update_history(const PairLaw& law, const LawInput& in, const LawTerms& terms,
                               const LawResult& result, ContactHistory& history) {
  const double normal = result.r[0];
  const double tangent = result.r.tail<2>().norm();
  // On the surface of the cone to round-off: the local solvers put a sliding impulse exactly there.
  const bool slides =
      tangent >= terms.mu * normal * (1 - 1e-9) && result.u_hat.tail<2>().norm() > in.velocity_tolerance;
  history.status = !terms.active ? ContactStatus::inactive
                   : normal <= 0 ? ContactStatus::open
                   : slides      ? ContactStatus::slide
                                 : ContactStatus::stick;
  if (law.cohesion > 0) {
    const bool closed = normal > 0 || result.gap_end <= 0;
    if (history.bonded && !closed) {
      const double opening = law.rupture_gap > 0 ? result.gap_end / law.rupture_gap : 1.0;
      history.damage = std::clamp(std::max(history.damage, opening), 0.0, 1.0);
      if (history.damage >= 1) history.bonded = false;
    } else if (!history.bonded && law.bonding == Bonding::adhesive && normal > 0) {
      history.bonded = true;
      history.damage = 0;
    }
  }
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();
  if (law.kind == LawKind::elastic && law.stiffness_tangent > 0 && normal > 0) {
    const Eigen::Vector3d at_theta(0, -result.r[1] / (in.h * law.stiffness_tangent),
                                   -result.r[2] / (in.h * law.stiffness_tangent));
    slip = slides ? at_theta : Eigen::Vector3d(in.slip + (at_theta - in.slip) / in.theta);
    slip[0] = 0;
  }
  return slip;
}

}  // namespace saltus
