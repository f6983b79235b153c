#include "saltus/systems/solid_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_surface.hpp"
#include "saltus/systems/mass_redistribution.hpp"

namespace saltus {

namespace {

template <int Dim>
void check_solid(const SolidModel<Dim>& model) {
  const auto check = [&](double value, const char* what) {
    if (!(value >= 0) || !std::isfinite(value))
      throw InputError(model.where, what, fmt::format("{}", value), "a number, 0 or more");
  };
  check(model.damping_mass, "damping_mass");
  check(model.damping_stiffness, "damping_stiffness");
  if (model.damping_stiffness > 0 && model.options.kinematics != Kinematics::small)
    throw InputError(model.where, "damping_stiffness of a body that may turn",
                     fmt::format("{}", model.damping_stiffness),
                     "0: it would brake rotations too; a material with viscosity does not");
  const int nodes = static_cast<int>(model.mesh->nodes.size());
  for (const auto& [node, direction, drive] : model.driven) {
    if (node < 0 || node >= nodes)
      throw InputError(model.where, "node that is driven", fmt::format("{}", node),
                       fmt::format("0 to {}", nodes - 1));
    if (direction < 0 || direction >= Dim)
      throw InputError(model.where, "direction that is driven", fmt::format("{}", direction),
                       fmt::format("0 to {}", Dim - 1));
  }
}

// Nodes move as those of a rigid body do, about the centre of mass; what is locked is at rest.
template <int Dim>
void start_rigidly(const SolidModel<Dim>& model, LinearModel& linear) {
  const auto nodes = static_cast<int>(model.mesh->nodes.size());
  Vec<Dim> centre = Vec<Dim>::Zero();
  double whole = 0;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(Dim * nodes);
  const Eigen::VectorXd weight = linear.M * ones;  // blocks of directions do not mix
  for (int i = 0; i < nodes; ++i) {
    centre += weight[Dim * i] * model.mesh->nodes[i];
    whole += weight[Dim * i];
  }
  centre /= whole;
  for (int i = 0; i < nodes; ++i)
    linear.v.segment<Dim>(Dim * i) =
        model.velocity + spin_velocity(model.spin, Vec<Dim>(model.mesh->nodes[i] - centre));
  for (const auto& [node, direction, drive] : model.driven)
    if (drive.kind == Drive::Kind::locked) linear.v[Dim * node + direction] = 0;
}

}  // namespace

template <int Dim>
LinearModel build_linear_model(const SolidModel<Dim>& model, Continuum<Dim>& continuum) {
  check_solid(model);
  LinearModel linear;
  linear.where = model.where;
  linear.M = continuum.mass(model.mass);
  if (!model.massless.empty())
    linear.M = redistribute_mass<Dim>(linear.M, model.mesh->nodes, model.massless, model.where);
  const Eigen::Index size = continuum.degrees_of_freedom();
  linear.q = Eigen::VectorXd::Zero(size);
  if (!continuum.evaluate(linear.q, 0, {.tangent = true})) throw InputError(model.where, continuum.trouble());
  linear.K = continuum.tangent();
  if (model.damping_mass > 0 || model.damping_stiffness > 0)
    linear.C = model.damping_mass * linear.M + model.damping_stiffness * linear.K;
  linear.v = Eigen::VectorXd::Zero(size);
  for (Eigen::Index i = 0; i < size; ++i) linear.direction.push_back(static_cast<int>(i % Dim));
  start_rigidly(model, linear);
  if (model.start_q.size() > 0) linear.q = model.start_q;
  if (model.start_v.size() > 0) linear.v = model.start_v;
  for (const auto& [node, direction, drive] : model.driven)
    linear.driven.emplace_back(Dim * node + direction, drive);
  linear.shared = model.forces;
  for (const int node : compute_side_nodes<Dim>(*model.mesh, compute_boundary_sides<Dim>(*model.mesh)))
    for (int i = 0; i < Dim; ++i) linear.surface.push_back(Dim * node + i);
  return linear;
}

template LinearModel build_linear_model<2>(const SolidModel<2>&, Continuum<2>&);
template LinearModel build_linear_model<3>(const SolidModel<3>&, Continuum<3>&);

}  // namespace saltus
