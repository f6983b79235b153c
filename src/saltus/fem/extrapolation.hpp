// Values at quadrature points of an element to values at its nodes.
#pragma once

#include <Eigen/Core>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

// A row per node, a column per point of stiffness_rule: the linear (multilinear) field that fits the points best. Their mean,
// where they are too few.
const Eigen::MatrixXd& extrapolation_of(ElementKind kind);

}  // namespace saltus
