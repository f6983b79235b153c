#include "saltus/schemes/explicit.hpp"

namespace saltus {

StepWeights explicit_weights(const SchemeOptions& options) {
  const double h = options.h, theta = options.theta, advance = h * (1 - theta);
  return {h, 1 - theta, 0, 0, advance, h * theta, advance};
}

}  // namespace saltus
