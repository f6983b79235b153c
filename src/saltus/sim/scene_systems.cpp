#include "saltus/sim/scene_systems.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/systems/elastic_body.hpp"
#include "saltus/systems/expression_model.hpp"

namespace saltus {

namespace {

Eigen::SparseMatrix<double> build_matrix(const SceneMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [row, column, value] : matrix.entries) entries.emplace_back(row, column, value);
  Eigen::SparseMatrix<double> result(matrix.size, matrix.size);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

bool is_on(SceneElasticBody::Side side, int i, int j, const int* divisions) {
  switch (side) {
    case SceneElasticBody::left: return i == 0;
    case SceneElasticBody::right: return i == divisions[0];
    case SceneElasticBody::bottom: return j == 0;
    case SceneElasticBody::top: break;
  }
  return j == divisions[1];
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

ElasticModel build_model(const SceneElasticBody& body) {
  ElasticModel model;
  model.mesh = build_rectangle(body.size[0], body.size[1], body.divisions[0], body.divisions[1]);
  const double c = std::cos(body.angle), s = std::sin(body.angle);
  for (Vec<2>& x : model.mesh.nodes) x = body.centre + Vec<2>(c * x[0] - s * x[1], s * x[0] + c * x[1]);
  model.elasticity = body.elasticity;
  model.density = body.density;
  model.thickness = body.thickness;
  model.damping_mass = body.damping_mass;
  model.damping_stiffness = body.damping_stiffness;
  model.velocity = body.velocity;
  model.spin = body.spin;
  model.where = body.where;
  for (int j = 0, node = 0; j <= body.divisions[1]; ++j)
    for (int i = 0; i <= body.divisions[0]; ++i, ++node) {
      bool is_held = false;
      for (const SceneElasticBody::Side side : body.clamped) is_held |= is_on(side, i, j, body.divisions);
      if (!is_held) continue;
      for (int direction = 0; direction < 2; ++direction)
        model.driven.push_back({node, direction, {Drive::Kind::locked, {}}});
    }
  return model;
}

template std::shared_ptr<const LagrangianModel> build_lagrangian<2>(const SceneLagrangianSystem<2>&);
template std::shared_ptr<const LagrangianModel> build_lagrangian<3>(const SceneLagrangianSystem<3>&);

}  // namespace saltus
