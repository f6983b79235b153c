#include "saltus/schemes/options.hpp"

namespace saltus {

const char* name(JacobianAt place) {
  switch (place) {
    case JacobianAt::start: return "start";
    case JacobianAt::predicted: return "predicted";
    case JacobianAt::detection: break;
  }
  return "detection";
}

}  // namespace saltus
