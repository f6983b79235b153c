#include "saltus/schemes/quasi_static.hpp"

#include "saltus/base/input_error.hpp"

namespace saltus {

StepWeights quasi_static_weights(const SchemeOptions& options) {
  const double h = options.h;
  StepWeights weights{h, 1, h, h * h, h, h, 0};
  weights.mass = 0;
  return weights;
}

void check_quasi_static(const PairLaw& law, const std::string& where) {
  switch (law.kind) {
    case LawKind::gap_signorini:
    case LawKind::quasi_inelastic:
    case LawKind::elastic:
    case LawKind::hertz:
    case LawKind::pressure: return;
    default:
      throw InputError(where, "the law under the scheme quasi-static", name(law.kind),
                       "gap-signorini, quasi-inelastic, elastic or hertz: without masses nothing impacts");
  }
}

}  // namespace saltus
