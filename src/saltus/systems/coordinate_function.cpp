#include "saltus/systems/coordinate_function.hpp"

namespace saltus {

namespace {

std::vector<int> dofs_of(const std::vector<std::pair<int, double>>& row) {
  std::vector<int> dofs;
  for (const auto& [dof, factor] : row) dofs.push_back(dof);
  return dofs;
}

}  // namespace

LinearFunction::LinearFunction(const std::vector<std::pair<int, double>>& row, double offset)
    : CoordinateFunction(dofs_of(row)), offset_(offset) {
  for (const auto& [dof, factor] : row) factors_.push_back(factor);
}

double LinearFunction::value(const Eigen::VectorXd& q, double) const {
  double sum = offset_;
  for (std::size_t i = 0; i < factors_.size(); ++i) sum += factors_[i] * q[dofs()[i]];
  return sum;
}

double LinearFunction::evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                                double& rate) const {
  for (std::size_t i = 0; i < factors_.size(); ++i) gradient[static_cast<Eigen::Index>(i)] = factors_[i];
  rate = 0;
  return value(q, t);
}

double CallbackFunction::value(const Eigen::VectorXd& q, double t) const {
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(dofs().size()));
  double rate = 0;
  return f_(q, t, gradient, rate);
}

}  // namespace saltus
