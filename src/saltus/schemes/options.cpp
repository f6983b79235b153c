#include "saltus/schemes/options.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"

namespace saltus {

const char* name(SchemeKind kind) {
  switch (kind) {
    case SchemeKind::schatzman_paoli: return "schatzman-paoli";
    case SchemeKind::generalized_alpha: return "generalized-alpha";
    case SchemeKind::newmark: return "newmark";
    case SchemeKind::hht: return "hht";
    case SchemeKind::alpha_index3: return "alpha-index3";
    case SchemeKind::moreau_jean_projected: return "moreau-jean-projected";
    case SchemeKind::event_driven: return "event-driven";
    case SchemeKind::explicit_forces: return "explicit";
    case SchemeKind::dynamic_relaxation: return "dynamic-relaxation";
    case SchemeKind::quasi_static: return "quasi-static";
    case SchemeKind::moreau_jean: break;
  }
  return "moreau-jean";
}

bool is_alpha(SchemeKind kind) {
  return kind == SchemeKind::generalized_alpha || kind == SchemeKind::newmark || kind == SchemeKind::hht ||
         kind == SchemeKind::alpha_index3;
}

bool is_explicit(SchemeKind kind) {
  return kind == SchemeKind::explicit_forces || kind == SchemeKind::dynamic_relaxation;
}

void check_step_control(const SchemeOptions& scheme, const std::string& where) {
  const StepControl& control = scheme.control;
  if (!control.on) return;
  const char* reason =
      scheme.kind == SchemeKind::schatzman_paoli
          ? "its velocities are differences of positions a whole step apart"
      : is_alpha(scheme.kind) ? "it carries accelerations from step to step by weights of one length"
      : scheme.kind == SchemeKind::event_driven ? "it controls its own steps, by event_tolerance"
                                                : nullptr;
  if (reason)
    throw InputError(where, fmt::format("step control under the scheme {}", name(scheme.kind)), "true",
                     fmt::format("false: {}", reason));
  if (control.halvings < 1 || control.halvings > 30)
    throw InputError(where, "step_control_halvings", fmt::format("{}", control.halvings), "1 to 30");
  if (!(control.overlap > 0) || !(control.overlap <= 1))
    throw InputError(where, "step_control_overlap", fmt::format("{}", control.overlap), "above 0, up to 1");
}

const char* name(JacobianAt place) {
  switch (place) {
    case JacobianAt::start: return "start";
    case JacobianAt::predicted: return "predicted";
    case JacobianAt::detection: break;
  }
  return "detection";
}

}  // namespace saltus
