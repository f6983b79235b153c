#include "saltus/schemes/options.hpp"

namespace saltus {

const char* name(SchemeKind kind) {
  switch (kind) {
    case SchemeKind::schatzman_paoli: return "schatzman-paoli";
    case SchemeKind::moreau_jean_projected: return "moreau-jean-projected";
    case SchemeKind::event_driven: return "event-driven";
    case SchemeKind::moreau_jean: break;
  }
  return "moreau-jean";
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
