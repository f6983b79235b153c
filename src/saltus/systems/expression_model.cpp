#include "saltus/systems/expression_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

Expression parse(const std::string& text, const std::string& where, const ExpressionNames& names) {
  try {
    return Expression(text, names);
  } catch (const InputError& error) {
    if (where.empty()) throw;
    throw InputError(where, error.what());
  }
}

Expression parse_function(const std::string& text, const std::string& where, const SystemNames& names) {
  ExpressionNames all{names.coordinates, names.parameters};
  all.variables.emplace_back("t");
  return parse(text, where, all);
}

std::vector<int> coordinates_used(const Expression& expression, int size) {
  std::vector<int> dofs = expression.used();
  std::erase(dofs, size);  // t
  return dofs;
}

}  // namespace

void check_names(const SystemNames& names, const std::string& where) {
  if (names.velocities.size() != names.coordinates.size())
    throw InputError(where, "number of names of velocities", fmt::format("{}", names.velocities.size()),
                     fmt::format("{}, as coordinates", names.coordinates.size()));
  std::set<std::string> all = {"t"};
  const auto add = [&](const std::string& name, const char* what) {
    if (!is_expression_name(name))
      throw InputError(where, fmt::format("name of a {}", what), '"' + name + '"',
                       "a letter, then letters, digits and _; not pi, not a function");
    if (!all.insert(name).second)
      throw InputError(where, fmt::format("name of a {} that is taken", what), '"' + name + '"',
                       "names of coordinates, velocities and parameters that all differ, and not t");
  };
  for (const std::string& name : names.coordinates) add(name, "coordinate");
  for (const std::string& name : names.velocities) add(name, "velocity");
  for (const auto& [name, value] : names.parameters) add(name, "parameter");
}

ExpressionFunction::ExpressionFunction(const std::string& text, const SystemNames& names,
                                       const std::string& where)
    : ExpressionFunction(parse_function(text, where, names), names.size()) {}

ExpressionFunction::ExpressionFunction(Expression expression, int size)
    : CoordinateFunction(coordinates_used(expression, size)),
      expression_(std::move(expression)),
      has_time_(expression_.used().size() > dofs().size()),
      variables_(static_cast<std::size_t>(size) + 1),
      slopes_(expression_.used().size()) {}

void ExpressionFunction::gather(const Eigen::VectorXd& q, double t) const {
  for (const int dof : dofs()) variables_[dof] = q[dof];
  variables_.back() = t;
}

double ExpressionFunction::value(const Eigen::VectorXd& q, double t) const {
  gather(q, t);
  return expression_.value(variables_);
}

double ExpressionFunction::evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                                    double& rate) const {
  gather(q, t);
  const double value = expression_.evaluate(variables_, slopes_);
  for (std::size_t i = 0; i < dofs().size(); ++i) gradient[static_cast<Eigen::Index>(i)] = slopes_[i];
  rate = has_time_ ? slopes_.back() : 0.0;
  return value;
}

ExpressionModel::ExpressionModel(SystemNames names, const std::vector<std::vector<Text>>& mass,
                                 const std::vector<Text>& force)
    : names_(std::move(names)) {
  const ExpressionNames of_mass{names_.coordinates, names_.parameters};
  ExpressionNames of_force = of_mass;
  of_force.variables.insert(of_force.variables.end(), names_.velocities.begin(), names_.velocities.end());
  of_force.variables.emplace_back("t");
  for (const std::vector<Text>& row : mass)
    for (const Text& entry : row) {
      mass_.push_back(parse(entry.text, entry.where, of_mass));
      constant_mass_ &= mass_.back().used().empty();
    }
  for (const Text& entry : force) force_.push_back(parse(entry.text, entry.where, of_force));
  variables_.resize(of_force.variables.size());
  slopes_.resize(of_force.variables.size());
}

void ExpressionModel::gather(double t, const Eigen::VectorXd& q, const Eigen::VectorXd* v) const {
  const int n = size();
  for (int i = 0; i < n; ++i) variables_[i] = q[i];
  if (v)
    for (int i = 0; i < n; ++i) variables_[n + i] = (*v)[i];
  variables_.back() = t;
}

void ExpressionModel::fill_mass(const Eigen::VectorXd& q, Eigen::MatrixXd& mass) const {
  const int n = size();
  gather(0, q, nullptr);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) mass(i, j) = mass(j, i) = mass_[i * n + j].value(variables_);
}

void ExpressionModel::fill_mass_slopes(const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes) const {
  const int n = size();
  gather(0, q, nullptr);
  for (Eigen::MatrixXd& slope : slopes) slope.setZero();
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) {
      const Expression& entry = mass_[i * n + j];
      if (entry.used().empty()) continue;
      entry.evaluate(variables_, slopes_);
      for (std::size_t k = 0; k < entry.used().size(); ++k)
        slopes[entry.used()[k]](i, j) = slopes[entry.used()[k]](j, i) = slopes_[k];
    }
}

void ExpressionModel::fill_force(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd& force) const {
  gather(t, q, &v);
  for (int i = 0; i < size(); ++i) force[i] = force_[i].value(variables_);
}

void ExpressionModel::fill_force_slopes(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        Eigen::MatrixXd& by_q, Eigen::MatrixXd& by_v) const {
  const int n = size();
  gather(t, q, &v);
  by_q.setZero(), by_v.setZero();
  for (int i = 0; i < n; ++i) {
    force_[i].evaluate(variables_, slopes_);
    const std::vector<int>& used = force_[i].used();
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (used[k] < n)
        by_q(i, used[k]) = slopes_[k];
      else if (used[k] < 2 * n)
        by_v(i, used[k] - n) = slopes_[k];
    }
  }
}

}  // namespace saltus
