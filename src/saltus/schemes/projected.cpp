#include "saltus/schemes/projected.hpp"

namespace saltus {

const char* name(ProjectionKind kind) { return kind == ProjectionKind::combined ? "combined" : "direct"; }

const char* name(ProjectionMetric metric) {
  return metric == ProjectionMetric::identity ? "identity" : "mass";
}

}  // namespace saltus
