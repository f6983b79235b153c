#include "saltus/schemes/schatzman_paoli.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/schemes/explicit.hpp"
#include "saltus/schemes/moreau_jean.hpp"
#include "saltus/schemes/quasi_static.hpp"

namespace saltus {

StepWeights schatzman_paoli_weights(const SchemeOptions& options) {
  const double h = options.h, theta = options.theta;
  return {h, theta, h * theta, h * h * theta, h * theta, h, 0, true};
}

void check_schatzman_paoli(const PairLaw& law, const std::string& where) {
  const auto refuse = [&](const char* what, const std::string& value, const char* allowed) {
    throw InputError(where, fmt::format("{} under the scheme schatzman-paoli", what), value, allowed);
  };
  if (law.kind != LawKind::newton && law.kind != LawKind::gap_signorini)
    refuse("the law", name(law.kind), "newton or gap-signorini: its impact law holds on positions");
  if (law.friction > 0 || law.rolling > 0)
    refuse("friction", fmt::format("{}", law.friction > 0 ? law.friction : law.rolling),
           "0: friction is a law on velocities; use moreau-jean");
  if (law.cohesion > 0) refuse("cohesion", fmt::format("{}", law.cohesion), "0");
  if (law.viscosity > 0 || law.function) refuse("a viscous part", fmt::format("{}", law.viscosity), "0");
  if (law.restitution_tangent != 0)
    refuse("tangential restitution", fmt::format("{}", law.restitution_tangent), "0");
}

StepWeights step_weights(const SchemeOptions& options) {
  if (options.kind == SchemeKind::schatzman_paoli) return schatzman_paoli_weights(options);
  if (options.kind == SchemeKind::quasi_static) return quasi_static_weights(options);
  return is_explicit(options.kind) ? explicit_weights(options) : moreau_jean_weights(options);
}

}  // namespace saltus
