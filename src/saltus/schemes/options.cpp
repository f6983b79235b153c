#include "saltus/schemes/options.hpp"

namespace saltus {

const char* name(SchemeKind kind) {
  return kind == SchemeKind::schatzman_paoli ? "schatzman-paoli" : "moreau-jean";
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
