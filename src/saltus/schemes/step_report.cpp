#include "saltus/schemes/step_report.hpp"

namespace saltus {

const char* name(StepStatus status) {
  switch (status) {
    case StepStatus::unconverged: return "unconverged";
    case StepStatus::not_finite: return "not finite";
    case StepStatus::converged: break;
  }
  return "converged";
}

}  // namespace saltus
