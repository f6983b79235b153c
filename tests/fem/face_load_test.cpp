#include "saltus/fem/face_load.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "fem/solid_meshes.hpp"

namespace saltus::face_load_test {
namespace {

using testing::distorted_mesh;
using testing::kinds_of;
using testing::sides_named;

template <int Dim>
std::vector<MeshSide> whole_boundary(const SolidMesh<Dim>& mesh) {
  std::vector<MeshSide> all;
  for (const auto& group : mesh.side_groups) all.insert(all.end(), group.sides.begin(), group.sides.end());
  return all;
}

Eigen::VectorXd some_displacements(Eigen::Index dofs) {
  Eigen::VectorXd q(dofs);
  for (int i = 0; i < dofs; ++i) q[i] = 0.05 * std::sin(1.7 * i);
  return q;
}

template <int Dim>
void check_pressure(ElementKind kind, const FaceDepth& depth) {
  SCOPED_TRACE(name(kind));
  const SolidMesh<Dim> mesh = distorted_mesh<Dim>(kind, 2, 1.0);
  const auto dofs = static_cast<Eigen::Index>(Dim * mesh.nodes.size());
  const Eigen::VectorXd q = some_displacements(dofs);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs);
  std::vector<Eigen::Triplet<double>> entries;
  add_pressure<Dim>(mesh, sides_named(mesh, "x1"), depth, 3.0, q, force, &entries);
  Eigen::SparseMatrix<double> K(dofs, dofs);
  K.setFromTriplets(entries.begin(), entries.end());
  const double h = 1e-6;
  Eigen::VectorXd d(dofs), up = Eigen::VectorXd::Zero(dofs), down = up;
  for (int i = 0; i < dofs; ++i) d[i] = std::cos(2.3 * i);
  add_pressure<Dim>(mesh, sides_named(mesh, "x1"), depth, 3.0, q + h * d, up);
  add_pressure<Dim>(mesh, sides_named(mesh, "x1"), depth, 3.0, q - h * d, down);
  // A polynomial of degree 3: central differences to round-off 1e-16/h.
  EXPECT_LT(((up - down) / (2 * h) - K * d).norm(), 1e-8 * (K * d).norm());
}

TEST(FaceLoad, ThePressureTangentIsItsDerivative) {
  for (const ElementKind kind : kinds_of<2>()) {
    check_pressure<2>(kind, {PlaneKind::strain, 0.4});
    check_pressure<2>(kind, {PlaneKind::axisymmetric, 1});
  }
  for (const ElementKind kind : kinds_of<3>()) check_pressure<3>(kind, {});
}

template <int Dim>
void check_closed(ElementKind kind) {
  SCOPED_TRACE(name(kind));
  const SolidMesh<Dim> mesh = distorted_mesh<Dim>(kind, 2, 1.0);
  const auto dofs = static_cast<Eigen::Index>(Dim * mesh.nodes.size());
  const Eigen::VectorXd q = some_displacements(dofs);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs);
  add_pressure<Dim>(mesh, whole_boundary(mesh), {}, 3.0, q, force);
  Eigen::Matrix<double, Dim, 1> sum = Eigen::Matrix<double, Dim, 1>::Zero();
  double moment = 0, size = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const auto f = force.segment<Dim>(Dim * n);
    const Eigen::Matrix<double, Dim, 1> x = mesh.nodes[n] + q.segment<Dim>(Dim * n);
    sum += f;
    moment += x[0] * f[1] - x[1] * f[0];
    size += f.norm();
  }
  EXPECT_LT(sum.norm(), 1e-14 * size);
  EXPECT_LT(std::abs(moment), 1e-14 * size);
}

TEST(FaceLoad, APressureAllAroundHasNoResultant) {
  for (const ElementKind kind : kinds_of<2>()) check_closed<2>(kind);
  for (const ElementKind kind : kinds_of<3>()) check_closed<3>(kind);
}

TEST(FaceLoad, TractionAddsUpToTractionTimesArea) {
  for (const ElementKind kind : kinds_of<3>()) {
    const SolidMesh<3> mesh = testing::grid_mesh<3>(
        kind, {2, 2, 2}, [](Eigen::Vector3d p) { return Eigen::Vector3d(p.x(), 2 * p.y(), 3 * p.z()); });
    Eigen::VectorXd force = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * mesh.nodes.size()));
    add_traction<3>(mesh, sides_named(mesh, "x1"), {}, {1, -2, 0.5}, force);
    EXPECT_NEAR(face_area<3>(mesh, sides_named(mesh, "x1"), {}), 6, 1e-13);
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(Eigen::VectorXd(force(Eigen::seq(d, Eigen::last, 3))).sum(),
                  6 * Eigen::Vector3d(1, -2, 0.5)[d], 1e-12);
    // Outwards is along x: a pressure pushes back.
    Eigen::VectorXd push = Eigen::VectorXd::Zero(force.size());
    add_pressure<3>(mesh, sides_named(mesh, "x1"), {}, 2, Eigen::VectorXd::Zero(force.size()), push);
    EXPECT_NEAR(Eigen::VectorXd(push(Eigen::seq(0, Eigen::last, 3))).sum(), -12, 1e-12);
  }
  for (const ElementKind kind : kinds_of<2>()) {
    const SolidMesh<2> ring = testing::grid_mesh<2>(
        kind, {2, 2}, [](Eigen::Vector2d p) { return Eigen::Vector2d(1 + p.x(), p.y()); });
    EXPECT_NEAR(face_area<2>(ring, sides_named(ring, "x1"), {PlaneKind::axisymmetric, 1}),
                4 * std::numbers::pi, 1e-12);
    EXPECT_NEAR(face_area<2>(ring, sides_named(ring, "y1"), {PlaneKind::axisymmetric, 1}),
                3 * std::numbers::pi, 1e-12);
    EXPECT_NEAR(face_area<2>(ring, sides_named(ring, "x1"), {PlaneKind::stress, 0.2}), 0.2, 1e-14);
  }
}

}  // namespace
}  // namespace saltus::face_load_test
