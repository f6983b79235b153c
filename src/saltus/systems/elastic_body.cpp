#include "saltus/systems/elastic_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

void check_elastic(const ElasticModel& model) {
  check_mesh(model.mesh, model.where);
  check_elasticity(model.elasticity, model.where);
  const auto check = [&](double value, const char* what, bool is_valid, const char* allowed) {
    if (!is_valid || !std::isfinite(value))
      throw InputError(model.where, what, fmt::format("{}", value), allowed);
  };
  check(model.density, "density", model.density > 0, "a number above 0");
  check(model.thickness, "thickness", model.thickness > 0, "a number above 0");
  check(model.damping_mass, "damping_mass", model.damping_mass >= 0, "a number, 0 or more");
  check(model.damping_stiffness, "damping_stiffness", model.damping_stiffness >= 0, "a number, 0 or more");
  const int nodes = static_cast<int>(model.mesh.nodes.size());
  for (const auto& [node, direction, drive] : model.driven) {
    if (node < 0 || node >= nodes)
      throw InputError(model.where, "node that is driven", fmt::format("{}", node),
                       fmt::format("0 to {}", nodes - 1));
    if (direction != 0 && direction != 1)
      throw InputError(model.where, "direction that is driven", fmt::format("{}", direction), "0 or 1");
  }
}

Vec<2> centre_of(const PlaneMesh& mesh) {
  Vec<2> moment = Vec<2>::Zero();
  double whole = 0;
  for (const auto& t : mesh.triangles) {
    const double area = element(mesh, t).area();
    moment += area / 3 * (mesh.nodes[t[0]] + mesh.nodes[t[1]] + mesh.nodes[t[2]]);
    whole += area;
  }
  return moment / whole;
}

}  // namespace

LinearModel build_model(const ElasticModel& model) {
  check_elastic(model);
  LinearModel linear;
  linear.where = model.where;
  linear.M = assemble_mass(model.mesh, model.density, model.thickness, model.mass);
  linear.K = assemble_stiffness(model.mesh, model.elasticity, model.thickness);
  if (model.damping_mass > 0 || model.damping_stiffness > 0)
    linear.C = model.damping_mass * linear.M + model.damping_stiffness * linear.K;
  const auto nodes = static_cast<int>(model.mesh.nodes.size());
  linear.q = Eigen::VectorXd::Zero(2 * nodes);
  linear.v.resize(2 * nodes);
  const Vec<2> centre = centre_of(model.mesh);
  for (int i = 0; i < nodes; ++i) {
    const Vec<2> arm = model.mesh.nodes[i] - centre;
    linear.v.segment<2>(2 * i) = model.velocity + model.spin * Vec<2>(-arm.y(), arm.x());
    linear.direction.insert(linear.direction.end(), {0, 1});
  }
  for (const auto& [node, direction, drive] : model.driven) {
    linear.driven.emplace_back(2 * node + direction, drive);
    if (drive.kind == Drive::Kind::locked) linear.v[2 * node + direction] = 0;
  }
  return linear;
}

ElasticBody::ElasticBody(ElasticModel model) : LinearSystem(build_model(model)), model_(std::move(model)) {
  edges_ = boundary_edges(model_.mesh);
  nodes_ = boundary_nodes(edges_);
}

Eigen::Vector3d ElasticBody::stress(int triangle) const {
  const auto& nodes = model_.mesh.triangles[triangle];
  return element(model_.mesh, nodes)
      .stress(stiffness_of(model_.elasticity), displacements_of(nodes, coordinates()));
}

double ElasticBody::largest_rotation() const {
  double largest = 0;
  for (const auto& nodes : model_.mesh.triangles) {
    const Eigen::Matrix2d g =
        element(model_.mesh, nodes).displacement_gradient(displacements_of(nodes, coordinates()));
    largest = std::max(largest, std::abs(std::atan2(g(1, 0) - g(0, 1), 2 + g(0, 0) + g(1, 1))));
  }
  return largest;
}

}  // namespace saltus
