#include "saltus/sim/scene_systems.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/math/dense_factor.hpp"
#include "saltus/systems/expression_model.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

namespace {

Eigen::SparseMatrix<double> build_matrix(const SceneMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [row, column, value] : matrix.entries) entries.emplace_back(row, column, value);
  Eigen::SparseMatrix<double> result(matrix.size, matrix.size);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

LinearModel build_model(const SceneLinearSystem& system) {
  LinearModel model;
  model.M = build_matrix(system.mass);
  model.C = build_matrix(system.damping);
  model.K = build_matrix(system.stiffness);
  model.q = Eigen::Map<const Eigen::VectorXd>(system.q.data(), static_cast<Eigen::Index>(system.q.size()));
  model.v = Eigen::Map<const Eigen::VectorXd>(system.v.data(), static_cast<Eigen::Index>(system.v.size()));
  model.force = system.forces;
  model.driven = system.driven;
  model.where = system.where;
  return model;
}

std::string stiffness_warning(const SceneLinearSystem& system) {
  constexpr int kMost = 1000;          // degrees of freedom: all eigenvalues, a second or so
  constexpr double kRoundOff = 1e-12;  // of the largest
  if (system.stiffness.size == 0 || system.stiffness.size > kMost) return {};
  const Eigen::MatrixXd K = build_dense(system.stiffness);
  const Eigen::VectorXd values = symmetric_eigenvalues(0.5 * (K + K.transpose()));
  if (values.size() == 0 || values.minCoeff() >= -kRoundOff * values.cwiseAbs().maxCoeff()) return {};
  return fmt::format(
      "the stiffness of system{} has a negative eigenvalue, {:.3g}: where nothing holds it, it runs away",
      system.name.empty() ? "" : " \"" + system.name + '"', values.minCoeff());
}

std::shared_ptr<const CoordinateFunction> build_function(const SceneFormula& formula,
                                                         const SystemNames& names) {
  if (formula.function) return formula.function;
  return std::make_shared<ExpressionFunction>(formula.text, names, formula.where);
}

template <int Dim>
std::shared_ptr<const LagrangianModel> build_lagrangian(const SceneLagrangianSystem<Dim>& system) {
  if (system.model) return system.model;
  check_names(system.names, system.where);
  const auto size = system.names.coordinates.size();
  const auto check_size = [&](std::size_t count, const char* what) {
    if (count != size)
      throw InputError(system.where, what, fmt::format("{}", count), fmt::format("{}, as coordinates", size));
  };
  check_size(system.mass.size(), "rows of the mass");
  check_size(system.forces.size(), "number of forces");
  std::vector<std::vector<ExpressionModel::Text>> mass;
  std::vector<ExpressionModel::Text> forces;
  for (const auto& row : system.mass) {
    check_size(row.size(), "entries in a row of the mass");
    mass.emplace_back();
    for (const SceneFormula& entry : row) mass.back().push_back({entry.text, entry.where});
  }
  for (const SceneFormula& entry : system.forces) forces.push_back({entry.text, entry.where});
  return std::make_shared<ExpressionModel>(system.names, mass, forces);
}

Eigen::MatrixXd build_dense(const SceneMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size, matrix.size);
  for (const auto& [row, column, value] : matrix.entries) result(row, column) = value;
  return result;
}

template std::shared_ptr<const LagrangianModel> build_lagrangian<2>(const SceneLagrangianSystem<2>&);
template std::shared_ptr<const LagrangianModel> build_lagrangian<3>(const SceneLagrangianSystem<3>&);

}  // namespace saltus
