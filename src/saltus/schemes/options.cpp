#include "saltus/schemes/options.hpp"

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
    case SchemeKind::moreau_jean: break;
  }
  return "moreau-jean";
}

bool is_alpha(SchemeKind kind) {
  return kind == SchemeKind::generalized_alpha || kind == SchemeKind::newmark || kind == SchemeKind::hht ||
         kind == SchemeKind::alpha_index3;
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
