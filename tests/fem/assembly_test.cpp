// What elements make together, against exact solutions.
#include "saltus/fem/assembly.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Inner nodes moved so that no two elements are alike.
PlaneMesh distorted(double width, double height, int nx, int ny) {
  PlaneMesh mesh = build_rectangle(width, height, nx, ny);
  for (int j = 1; j < ny; ++j)
    for (int i = 1; i < nx; ++i) {
      const int node = j * (nx + 1) + i;
      mesh.nodes[node] +=
          0.25 * Eigen::Vector2d(width / nx * std::sin(3.1 * node), height / ny * std::cos(5.3 * node));
    }
  check_mesh(mesh, "distorted");
  return mesh;
}

// The rows and columns of K that `kept` lists.
Sparse part_of(const Sparse& whole, const std::vector<int>& kept) {
  std::vector<Eigen::Triplet<double>> pick;
  for (std::size_t i = 0; i < kept.size(); ++i) pick.emplace_back(kept[i], static_cast<int>(i), 1.0);
  Sparse P(whole.rows(), static_cast<Eigen::Index>(kept.size()));
  P.setFromTriplets(pick.begin(), pick.end());
  return P.transpose() * whole * P;
}

TEST(Assembly, AConstantStrainIsReproducedOnADistortedMesh) {
  constexpr int nx = 5, ny = 4;
  const PlaneMesh mesh = distorted(1.7, 1.1, nx, ny);
  Eigen::Matrix2d field;
  field << 0.3, 0.1, -0.2, 0.4;
  Eigen::VectorXd exact(2 * mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) exact.segment<2>(2 * i) = field * mesh.nodes[i];
  std::vector<int> inner;
  Eigen::VectorXd q = exact;
  for (int j = 1; j < ny; ++j)
    for (int i = 1; i < nx; ++i)
      for (int d = 0; d < 2; ++d) {
        inner.push_back(2 * (j * (nx + 1) + i) + d);
        q[inner.back()] = 0;
      }
  for (const PlaneState plane : {PlaneState::strain, PlaneState::stress}) {
    const Elasticity law{7.0, 0.3, plane};
    const Sparse K = assemble_stiffness(mesh, law, 0.4);
    const Eigen::VectorXd load = K * q;
    Eigen::VectorXd right(inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) right[i] = -load[inner[i]];
    const Eigen::VectorXd solved = Eigen::SimplicialLDLT<Sparse>(part_of(K, inner)).solve(right);
    Eigen::VectorXd found = q;
    for (std::size_t i = 0; i < inner.size(); ++i) found[inner[i]] = solved[i];
    // Round-off times the condition of a mesh of 20 cells, some 100.
    EXPECT_LT((found - exact).lpNorm<Eigen::Infinity>(), 1e-13);
    const Eigen::Vector3d stress = stiffness_of(law) * Eigen::Vector3d(0.3, 0.4, -0.1);
    for (const auto& t : mesh.triangles)
      EXPECT_LT((element(mesh, t).stress(stiffness_of(law), displacements_of(t, found)) - stress).norm(),
                1e-12);
  }
}

TEST(Assembly, RigidMotionsGiveNoForceAndTheMassIsWhole) {
  const PlaneMesh mesh = distorted(2, 1, 4, 3);
  const Sparse K = assemble_stiffness(mesh, {5.0, 0.25, PlaneState::stress}, 0.1);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(K.rows()), y = x, turn = x;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    x[2 * i] = y[2 * i + 1] = 1;
    turn.segment<2>(2 * i) = Eigen::Vector2d(-mesh.nodes[i].y(), mesh.nodes[i].x());
  }
  for (const Eigen::VectorXd& u : {x, y, turn}) EXPECT_LT((K * u).norm(), 1e-14 * K.norm());
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const Sparse M = assemble_mass(mesh, 3.0, 0.1, kind);
    EXPECT_NEAR(x.dot(M * x), 3.0 * 0.1 * 2, 1e-14);
    EXPECT_NEAR(x.dot(M * y), 0, 1e-14);
    EXPECT_NEAR(x.dot(M * turn), 0, 0.01);  // the centre of gravity is near the origin
  }
  // Moment of inertia of a rectangle, m (a^2 + b^2)/12, which the consistent mass has exactly.
  const double inertia = turn.dot(assemble_mass(mesh, 3.0, 0.1, MassKind::consistent) * turn);
  EXPECT_NEAR(inertia, 0.6 * 5 / 12, 1e-14);
}

// First frequency of a bar of length 2 clamped on its left, free to move along itself only.
double axial_frequency(int ny, MassKind kind) {
  const double E = 3, rho = 2;
  const PlaneMesh mesh = build_rectangle(2, 0.5, 4 * ny, ny);
  std::vector<int> kept;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i].x() > -0.99) kept.push_back(static_cast<int>(2 * i));
  const Sparse K = assemble_stiffness(mesh, {E, 0.0, PlaneState::stress}, 1),
               M = assemble_mass(mesh, rho, 1, kind);
  const Eigen::MatrixXd k = part_of(K, kept), m = part_of(M, kept);
  return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(k, m).eigenvalues()[0]);
}

TEST(Assembly, TheAxialFrequencyOfABarConvergesAtSecondOrder) {
  const double exact = std::sqrt(3.0 / 2.0) * std::numbers::pi / 2 / 2;
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const double coarse = axial_frequency(2, kind) / exact - 1, fine = axial_frequency(4, kind) / exact - 1;
    // Rayleigh's quotient is above with the consistent mass; lumping takes off more than that.
    EXPECT_EQ(coarse > 0, kind == MassKind::consistent);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.02);
  }
}

// Deflection at the end of a beam 8 x 1, clamped on its left, under a shear load on its right end.
double deflection(int ny, const Elasticity& law, double load) {
  const int nx = 8 * ny;
  const PlaneMesh mesh = build_rectangle(8, 1, nx, ny);
  std::vector<int> kept;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(2 * mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (static_cast<int>(i) % (nx + 1) > 0)
      kept.insert(kept.end(), {static_cast<int>(2 * i), static_cast<int>(2 * i + 1)});
  for (int j = 0; j <= ny; ++j)
    force[2 * (j * (nx + 1) + nx) + 1] = load / ny * (j == 0 || j == ny ? 0.5 : 1.0);
  Eigen::VectorXd right(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) right[i] = force[kept[i]];
  const Eigen::VectorXd u =
      Eigen::SimplicialLDLT<Sparse>(part_of(assemble_stiffness(mesh, law, 1), kept)).solve(right);
  return right.dot(u) / load;  // of the load, in the mean
}

TEST(Assembly, ACantileverConvergesToBeamTheory) {
  const Elasticity law{1000, 0.3, PlaneState::stress};
  const double G = law.young / 2.6, bending = std::pow(8.0, 3) / (3 * law.young / 12), shear = 1.2 * 8 / G;
  const double coarse = deflection(6, law, 1), middle = deflection(12, law, 1), fine = deflection(24, law, 1);
  const double order = std::log2((middle - coarse) / (fine - middle));
  const double limit = fine + (fine - middle) / (std::pow(2, order) - 1);
  // Second order, a little less by the corners of the clamp, where the stress is not bounded.
  EXPECT_NEAR(order, 2, 0.15);
  // The beam does not know that the clamp keeps its section from contracting, nu (height/length)^2 = 0.5 %.
  EXPECT_NEAR(limit, bending + shear, 0.3 / 64 * (bending + shear));
}

}  // namespace
}  // namespace saltus
