#include "fem/statics.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseLU>

#include "fem/solid_meshes.hpp"
#include "saltus/fem/face_load.hpp"
#include "saltus/fem/material_registry.hpp"

namespace saltus::testing {

Held& Held::hold(const std::vector<int>& nodes, int direction, int dim) {
  for (const int node : nodes) held_[dim * node + direction] = 1;
  return *this;
}

std::vector<int> Held::free() const {
  std::vector<int> list;
  for (int i = 0; i < static_cast<int>(held_.size()); ++i)
    if (held_[i] == 0) list.push_back(i);
  return list;
}

namespace {

// Rows and columns of the free degrees of freedom, of two matrices' difference.
Eigen::SparseMatrix<double> part_of(const Eigen::SparseMatrix<double>& K,
                                    const std::vector<Eigen::Triplet<double>>& minus,
                                    const std::vector<int>& free) {
  std::vector<int> place(K.rows(), -1);
  for (std::size_t i = 0; i < free.size(); ++i) place[free[i]] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> kept;
  const auto keep = [&](int row, int column, double value) {
    if (place[row] >= 0 && place[column] >= 0) kept.emplace_back(place[row], place[column], value);
  };
  for (int j = 0; j < K.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(K, j); it; ++it)
      keep(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  for (const auto& t : minus) keep(t.row(), t.col(), -t.value());
  Eigen::SparseMatrix<double> part(free.size(), free.size());
  part.setFromTriplets(kept.begin(), kept.end());
  return part;
}

}  // namespace

template <int Dim>
StaticResult solve_statics(Continuum<Dim>& body, const std::vector<int>& free, const Eigen::VectorXd& load,
                           double duration, Eigen::VectorXd& q, double tolerance,
                           const FollowingLoad& following) {
  StaticResult result;
  for (result.iterations = 0; result.iterations < 40; ++result.iterations) {
    if (!body.evaluate(q, duration, {.tangent = true})) return result;
    Eigen::VectorXd outer = load;
    std::vector<Eigen::Triplet<double>> change;
    if (following) following(q, outer, change);
    Eigen::VectorXd right(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) right[i] = outer[free[i]] - body.force()[free[i]];
    result.residual = right.template lpNorm<Eigen::Infinity>();
    const double scale =
        std::max(body.force().template lpNorm<Eigen::Infinity>(), outer.template lpNorm<Eigen::Infinity>());
    if (result.residual <= tolerance * scale) {
      result.converged = true;
      return result;
    }
    Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(part_of(body.tangent(), change, free));
    if (solver.info() != Eigen::Success) return result;
    const Eigen::VectorXd step = solver.solve(right);
    for (std::size_t i = 0; i < free.size(); ++i) q[free[i]] += step[i];
  }
  return result;
}

template StaticResult solve_statics(Continuum<2>&, const std::vector<int>&, const Eigen::VectorXd&, double,
                                    Eigen::VectorXd&, double, const FollowingLoad&);
template StaticResult solve_statics(Continuum<3>&, const std::vector<int>&, const Eigen::VectorXd&, double,
                                    Eigen::VectorXd&, double, const FollowingLoad&);

namespace {

TEST(Statics, ABarUnderTensionLengthensByForceTimesLengthOverStiffness) {
  for (const ElementKind kind : kSpaceKinds) {
    const SolidMesh<3> mesh = grid_mesh<3>(kind, {3, 1, 1}, [](Eigen::Vector3d p) {
      return Eigen::Vector3d(3 * p.x(), 0.5 * p.y(), 0.4 * p.z());
    });
    const auto steel = make_material("linear-elastic", {"", {{"young", 200}, {"poisson", 0.3}}});
    Continuum<3> body(mesh, {{steel, 1}}, {});
    Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom()), load = q;
    add_traction<3>(mesh, sides_named(mesh, "x1"), {}, {4, 0, 0}, load);
    const Held held = Held(body.degrees_of_freedom())
                          .hold(nodes_named(mesh, "x0"), 0, 3)
                          .hold(nodes_named(mesh, "y0"), 1, 3)
                          .hold(nodes_named(mesh, "z0"), 2, 3);
    ASSERT_TRUE(solve_statics(body, held.free(), load, 1, q).converged) << name(kind);
    for (const int node : nodes_named(mesh, "x1"))
      EXPECT_NEAR(q[3 * node], 4.0 / 200 * 3, 1e-13) << name(kind);
    for (const int node : nodes_named(mesh, "y1")) EXPECT_NEAR(q[3 * node + 1], -0.3 * 0.02 * 0.5, 1e-14);
  }
}

}  // namespace
}  // namespace saltus::testing
