#include "saltus/schemes/generalized_alpha.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

AlphaOptions alpha_options(double alpha_m, double alpha_f) {
  AlphaOptions options;
  options.alpha_m = alpha_m;
  options.alpha_f = alpha_f;
  options.gamma = 0.5 + alpha_f - alpha_m;
  options.beta = 0.25 * (options.gamma + 0.5) * (options.gamma + 0.5);
  return options;
}

AlphaOptions alpha_options(double rho_inf) {
  return alpha_options((2 * rho_inf - 1) / (rho_inf + 1), rho_inf / (rho_inf + 1));
}

// alpha_index3 restarts a at w_0: the predictor is the same with a_0 = w_0.
AlphaWeights::AlphaWeights(const SchemeOptions& options)
    : h(options.h),
      alpha_m(options.alpha.alpha_m),
      alpha_f(options.alpha.alpha_f),
      beta(options.alpha.beta),
      gamma(options.alpha.gamma),
      velocity(h * gamma * (1 - alpha_f) / (1 - alpha_m)),
      position(h * h * beta * (1 - alpha_f) / (1 - alpha_m)) {}

void check_alpha_options(const SchemeOptions& options, const std::string& where) {
  const AlphaOptions& alpha = options.alpha;
  const auto check = [&](const char* what, double value, bool is_valid, const char* allowed) {
    if (!is_valid || !std::isfinite(value))
      throw InputError(where, fmt::format("{} of the scheme {}", what, name(options.kind)),
                       fmt::format("{}", value), allowed);
  };
  check("alpha_m", alpha.alpha_m, alpha.alpha_m >= -1 && alpha.alpha_m <= 0.5, "-1 to 0.5");
  check("alpha_f", alpha.alpha_f, alpha.alpha_f >= alpha.alpha_m && alpha.alpha_f <= 0.5,
        "alpha_m to 0.5: beyond it the scheme is not stable");
  check("gamma", alpha.gamma, alpha.gamma >= 0.5 && alpha.gamma <= 2,
        "0.5 to 2; 1/2 + alpha_f - alpha_m is of second order");
  check("beta", alpha.beta, alpha.beta > 0 && alpha.beta <= 2,
        "a number above 0, up to 2; gamma/2 or more is stable whatever the step");
  check("theta", options.theta, options.theta == 0.5, "0.5: laws see the mean of both ends of the step");
  check("newton_tolerance", alpha.tolerance, alpha.tolerance > 0 && alpha.tolerance <= 1e-3,
        "a number above 0, up to 1e-3");
  check("newton_iterations", alpha.iterations, alpha.iterations >= 2, "2 or more");
}

PairLaw alpha_law(PairLaw law) {
  if (law.kind == LawKind::quasi_inelastic) law.kind = LawKind::velocity_signorini;
  return law;
}

void check_alpha_law(const PairLaw& law, SchemeKind kind, const std::string& where) {
  const auto refuse = [&](const char* what, const std::string& value, const char* allowed) {
    throw InputError(where, fmt::format("{} under the scheme {}", what, name(kind)), value, allowed);
  };
  if (law.kind == LawKind::gap_signorini)
    refuse("the law", name(law.kind),
           "newton, velocity-signorini, quasi-inelastic, moreau or fremond: the scheme itself holds gaps on "
           "positions, "
           "the law is that of the velocities");
  if (is_layer(law.kind))
    refuse("the law", name(law.kind),
           "newton, velocity-signorini, quasi-inelastic, moreau or fremond: the force of a layer that closes "
           "within a "
           "step is neither smooth nor an impulse");
  if (law.cohesion > 0) refuse("cohesion", fmt::format("{}", law.cohesion), "0; use moreau-jean");
  if (law.viscosity > 0 || law.function || law.regularisation > 0)
    refuse("a viscous part of friction", fmt::format("{}", std::max(law.viscosity, law.regularisation)),
           "0: it is a force of closed contacts, of which the scheme knows impulses only; use moreau-jean");
}

}  // namespace saltus
