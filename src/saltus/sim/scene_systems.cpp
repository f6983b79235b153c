#include "saltus/sim/scene_systems.hpp"

#include <cmath>

#include "saltus/systems/elastic_body.hpp"

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

}  // namespace saltus
