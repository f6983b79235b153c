// Derivatives of models and functions against centred differences: what a check of a scene asks, never a run.
#pragma once

#include <string>
#include <vector>

#include "saltus/systems/coordinate_function.hpp"
#include "saltus/systems/lagrangian_model.hpp"

namespace saltus {

// A sentence for each derivative at (t, q, v) that differs from the centred difference by more than 1e-5 of the size of
// the entry and its slope (differences of step d are good to d^2 and round-off/d, about 1e-9); and for a mass that is
// not finite, not symmetric or not positive definite there.
std::vector<std::string> find_wrong_slopes(const LagrangianModel& model, double t, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v);
// The same of a function, which `what` names.
std::vector<std::string> find_wrong_slopes(const CoordinateFunction& f, const std::string& what,
                                           const LagrangianModel& model, double t, const Eigen::VectorXd& q);

}  // namespace saltus
