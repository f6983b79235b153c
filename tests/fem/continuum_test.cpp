// Force, tangent and energy of every kind of element in every kinematics agree with each other.
#include "saltus/fem/continuum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fem/solid_meshes.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/fem/material_registry.hpp"

namespace saltus::continuum_test {
namespace {

using testing::distorted_mesh;
using testing::kinds_of;

std::shared_ptr<const Material> material(const std::string& name) {
  std::vector<MaterialParameter> p = {{"young", 20}, {"poisson", 0.3}};
  if (name == "j2-plasticity") p.insert(p.end(), {{"yield", 0.3}, {"hardening", 2}});
  if (name == "maxwell" || name == "kelvin-voigt") p.push_back({"viscosity", 3});
  return make_material(name, {"", p});
}

// Displacements of some 10 %, different at every node.
Eigen::VectorXd some_displacements(int dofs, double size) {
  Eigen::VectorXd q(dofs);
  for (int i = 0; i < dofs; ++i) q[i] = size * std::sin(1.7 * i * i + 0.3 * i);
  return q;
}

struct Case {
  Kinematics kinematics;
  PlaneKind plane;
  bool mean_dilatation;
  const char* material;
};

std::string text(ElementKind kind, const Case& c) {
  return fmt::format("{} kinematics {} plane {} mean dilatation {} {}", name(kind),
                     static_cast<int>(c.kinematics), static_cast<int>(c.plane), c.mean_dilatation,
                     c.material);
}

template <int Dim>
std::vector<Case> cases() {
  using enum Kinematics;
  std::vector<Case> list;
  std::vector<PlaneKind> planes = {PlaneKind::strain};
  if (Dim == 2) planes = {PlaneKind::strain, PlaneKind::stress, PlaneKind::axisymmetric};
  for (const PlaneKind plane : planes)
    for (const bool mean : {false, true}) {
      if (mean && plane == PlaneKind::stress) continue;
      list.push_back({small, plane, mean, "linear-elastic"});
      list.push_back({finite, plane, mean, "neo-hookean"});
      list.push_back({finite, plane, mean, "st-venant-kirchhoff"});
      if (plane != PlaneKind::axisymmetric) list.push_back({corotational, plane, mean, "linear-elastic"});
    }
  return list;
}

template <int Dim>
Continuum<Dim> make(ElementKind kind, const Case& c, int cells = 1) {
  return Continuum<Dim>(
      distorted_mesh<Dim>(kind, cells, 0.3), {{material(c.material), 2}},
      {.kinematics = c.kinematics, .plane = c.plane, .thickness = 0.7, .mean_dilatation = c.mean_dilatation});
}

// Along one direction through all degrees of freedom: central differences of energy and force.
template <int Dim>
void check_derivatives(ElementKind kind, const Case& c) {
  SCOPED_TRACE(text(kind, c));
  Continuum<Dim> body = make<Dim>(kind, c);
  const Eigen::VectorXd q = some_displacements(body.degrees_of_freedom(), 0.03);
  ASSERT_TRUE(body.evaluate(q, 0.1, {.tangent = true})) << body.trouble();
  const Eigen::VectorXd force = body.force();
  const Eigen::MatrixXd K = body.tangent();
  const double h = 1e-6;
  for (int seed = 0; seed < 3; ++seed) {
    Eigen::VectorXd d(q.size());
    for (int i = 0; i < d.size(); ++i) d[i] = std::cos(2.3 * i * (seed + 1) + seed);
    ASSERT_TRUE(body.evaluate(q + h * d, 0.1, {}));
    const Eigen::VectorXd up = body.force();
    const double energy_up = body.stored();
    ASSERT_TRUE(body.evaluate(q - h * d, 0.1, {}));
    // Truncation and round-off of central differences: 1e-10 of the stiffness, some digits for curvature.
    EXPECT_NEAR((energy_up - body.stored()) / (2 * h), force.dot(d), 1e-7 * force.norm() * d.norm());
    EXPECT_LT(((up - body.force()) / (2 * h) - K * d).norm(), 1e-7 * K.norm() * d.norm());
  }
  EXPECT_TRUE(body.has_symmetric_tangent());
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
}

TEST(Continuum, ForceIsTheDerivativeOfEnergyAndTangentThatOfForceInThePlane) {
  for (const ElementKind kind : kinds_of<2>())
    for (const Case& c : cases<2>()) check_derivatives<2>(kind, c);
}

TEST(Continuum, ForceIsTheDerivativeOfEnergyAndTangentThatOfForceInSpace) {
  for (const ElementKind kind : kinds_of<3>())
    for (const Case& c : cases<3>()) check_derivatives<3>(kind, c);
}

// Materials that dissipate, in a second step from a state that has flowed.
template <int Dim>
void check_dissipative(ElementKind kind, const Case& c) {
  SCOPED_TRACE(text(kind, c));
  Continuum<Dim> body = make<Dim>(kind, c);
  const Eigen::VectorXd first = some_displacements(body.degrees_of_freedom(), 0.03);
  Eigen::VectorXd q = first;
  for (int i = 0; i < q.size(); ++i) q[i] = 1.6 * q[i] + 0.01 * std::cos(3.1 * i);
  ASSERT_TRUE(body.evaluate(first, 0.1, {})) << body.trouble();
  EXPECT_GE(body.plastic_dissipation(), 0);
  EXPECT_GE(body.viscous_dissipation(), 0);
  body.accept();
  ASSERT_TRUE(body.evaluate(q, 0.1, {.tangent = true})) << body.trouble();
  EXPECT_GT(body.plastic_dissipation() + body.viscous_dissipation(), 0);
  const Eigen::MatrixXd K = body.tangent();
  if (body.has_symmetric_tangent()) {
    EXPECT_LT((K - K.transpose()).norm(), 1e-11 * K.norm());
  }
  const double h = 1e-7;
  Eigen::VectorXd d(q.size());
  for (int i = 0; i < d.size(); ++i) d[i] = std::cos(2.3 * i);
  ASSERT_TRUE(body.evaluate(q + h * d, 0.1, {}));
  const Eigen::VectorXd up = body.force();
  ASSERT_TRUE(body.evaluate(q - h * d, 0.1, {}));
  // Strains that matter are those of yield, 1e-2: truncation (1e-7/1e-2)^2.
  EXPECT_LT(((up - body.force()) / (2 * h) - K * d).norm(), 1e-6 * K.norm() * d.norm());
}

TEST(Continuum, TangentsOfDissipativeMaterialsAreDerivatives) {
  using enum Kinematics;
  for (const char* name : {"j2-plasticity", "maxwell", "kelvin-voigt"})
    for (const Kinematics kinematics : {small, finite}) {
      for (const ElementKind kind : {ElementKind::t3, ElementKind::q4, ElementKind::t6})
        for (const PlaneKind plane : {PlaneKind::strain, PlaneKind::stress, PlaneKind::axisymmetric})
          check_dissipative<2>(kind, {kinematics, plane, plane != PlaneKind::stress, name});
      for (const ElementKind kind : {ElementKind::t4, ElementKind::h8})
        check_dissipative<3>(kind, {kinematics, PlaneKind::strain, true, name});
    }
}

TEST(Continuum, ResultsAreTheSameBitsOnAnyNumberOfThreads) {
  const Case c{Kinematics::finite, PlaneKind::strain, true, "j2-plasticity"};
  Continuum<3> one = make<3>(ElementKind::h8, c, 6), three = one;
  const Eigen::VectorXd q = some_displacements(one.degrees_of_freedom(), 0.01);
  ASSERT_TRUE(one.evaluate(q, 0.1, {.tangent = true})) << one.trouble();
  {
    const ThreadScope threads(3);
    ASSERT_TRUE(three.evaluate(q, 0.1, {.tangent = true}));
  }
  EXPECT_EQ(one.force(), three.force());
  EXPECT_TRUE(Eigen::Map<const Eigen::VectorXd>(one.tangent().valuePtr(), one.tangent().nonZeros()) ==
              Eigen::Map<const Eigen::VectorXd>(three.tangent().valuePtr(), three.tangent().nonZeros()));
  EXPECT_EQ(one.stored(), three.stored());
  EXPECT_EQ(one.plastic_dissipation(), three.plastic_dissipation());
}

TEST(Continuum, ALinearBodyMultipliesAfterTheFirstTimeAndGivesTheSame) {
  Continuum<3> body =
      make<3>(ElementKind::t4, {Kinematics::small, PlaneKind::strain, false, "linear-elastic"}, 3);
  EXPECT_TRUE(body.is_linear());
  const Eigen::VectorXd q = some_displacements(body.degrees_of_freedom(), 0.3);
  ASSERT_TRUE(body.assemble(q, 0.1, {.tangent = true}));
  const Eigen::VectorXd force = body.force();
  const double stored = body.stored();
  ASSERT_TRUE(body.evaluate(q, 0.1, {}));
  ASSERT_TRUE(body.evaluate(q, 0.1, {.tangent = true}));
  EXPECT_LT((body.force() - force).norm(), 1e-14 * force.norm());
  EXPECT_NEAR(body.stored(), stored, 1e-13 * stored);
}

TEST(Continuum, MassIsWholeAndLumpedMassIsPositive) {
  const auto check = [](auto body, double volume) {
    const Eigen::SparseMatrix<double> full = body.mass(MassKind::consistent),
                                      lumped = body.mass(MassKind::lumped);
    const int dim = body.degrees_of_freedom() / static_cast<int>(body.mesh().nodes.size());
    EXPECT_NEAR(body.volume(), volume, 1e-12);
    EXPECT_NEAR(full.sum(), dim * 2 * volume, 1e-11);
    EXPECT_NEAR(lumped.sum(), dim * 2 * volume, 1e-11);
    EXPECT_EQ(lumped.nonZeros(), body.degrees_of_freedom());
    EXPECT_GT(lumped.diagonal().minCoeff(), 0);
    EXPECT_LT((Eigen::MatrixXd(full) - Eigen::MatrixXd(full.transpose())).norm(), 1e-14);
    // Rows of the consistent mass are the weights of the nodes.
    const Eigen::VectorXd weights = body.volume_weights();
    const Eigen::VectorXd rows = full * Eigen::VectorXd::Ones(full.cols());
    for (int n = 0; n < weights.size(); ++n) EXPECT_NEAR(rows[dim * n], 2 * weights[n], 1e-13);
  };
  for (const ElementKind kind : kinds_of<2>()) {
    const SolidMesh<2> mesh = testing::grid_mesh<2>(kind, {2, 2}, [](Eigen::Vector2d p) -> Eigen::Vector2d {
      return {1 + p.x() + 0.3 * p.x() * p.y(), 2 * p.y()};
    });
    const double area = 2 * (1 + 0.15);
    for (const PlaneKind plane : {PlaneKind::strain, PlaneKind::stress})
      check(Continuum<2>(mesh, {{material("linear-elastic"), 2}}, {.plane = plane, .thickness = 0.5}),
            0.5 * area);
    // integral of x over the cell, from 1 to 2 + 0.3 y: half the mean of its square less 1, twice
    const double moment = (4 + 1.2 * 0.5 + 0.09 / 3 - 1) / 2 * 2;
    check(Continuum<2>(mesh, {{material("linear-elastic"), 2}}, {.plane = PlaneKind::axisymmetric}),
          2 * M_PI * moment);
  }
  for (const ElementKind kind : kinds_of<3>()) {
    const SolidMesh<3> mesh = testing::grid_mesh<3>(kind, {2, 2, 1}, [](Eigen::Vector3d p) {
      return Eigen::Vector3d(p.x() + 0.3 * p.y(), 2 * p.y(), p.z() + 0.1 * p.x());
    });
    check(Continuum<3>(mesh, {{material("linear-elastic"), 2}}, {}), 2.0);
  }
}

TEST(Continuum, ASavedStateGoesOnToTheSameBits) {
  for (const char* name : {"j2-plasticity", "maxwell"}) {
    Continuum<2> body = make<2>(ElementKind::q4, {Kinematics::finite, PlaneKind::stress, false, name}, 2),
                 again = body;
    const Eigen::VectorXd q = some_displacements(body.degrees_of_freedom(), 0.03);
    ASSERT_TRUE(body.evaluate(q, 0.1, {}));
    body.accept();
    const auto state = body.internal_state();
    again.set_internal_state(std::vector<double>(state.begin(), state.end()));
    EXPECT_EQ(again.point_fields(1)[2].stress, body.point_fields(1)[2].stress);
    ASSERT_TRUE(body.evaluate(1.2 * q, 0.1, {}));
    ASSERT_TRUE(again.evaluate(1.2 * q, 0.1, {}));
    EXPECT_EQ(again.force(), body.force());
    EXPECT_THROW(again.set_internal_state(std::vector<double>(3)), InputError);
  }
}

TEST(Continuum, AStepThatIsTriedTwiceGivesTheSameAndLeavesNothing) {
  Continuum<2> body =
      make<2>(ElementKind::t6, {Kinematics::small, PlaneKind::strain, false, "j2-plasticity"}, 2);
  const Eigen::VectorXd q = some_displacements(body.degrees_of_freedom(), 0.03);
  ASSERT_TRUE(body.evaluate(q, 0.1, {}));
  const Eigen::VectorXd force = body.force();
  ASSERT_TRUE(body.evaluate(3 * q, 0.1, {}));
  ASSERT_TRUE(body.evaluate(q, 0.1, {}));
  EXPECT_EQ(body.force(), force);
  EXPECT_EQ(body.point_fields(0)[0].plastic_strain, 0);
  body.accept();
  EXPECT_GT(body.point_fields(0)[0].plastic_strain, 0);
}

TEST(Continuum, AnElementTurnedInsideOutIsNamed) {
  for (const Kinematics kinematics : {Kinematics::finite, Kinematics::corotational}) {
    Continuum<2> body = make<2>(ElementKind::t3,
                                {kinematics, PlaneKind::strain, false,
                                 kinematics == Kinematics::finite ? "neo-hookean" : "linear-elastic"},
                                2);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom());
    q[0] = 5;
    EXPECT_FALSE(body.evaluate(q, 0.1, {}));
    EXPECT_NE(body.trouble().find("element 0 (t3)"), std::string::npos) << body.trouble();
  }
}

TEST(Continuum, TheCriticalStepIsABoundOfTheSmallestPeriod) {
  for (const ElementKind kind : kinds_of<2>()) {
    Continuum<2> body = make<2>(kind, {Kinematics::small, PlaneKind::strain, false, "linear-elastic"}, 3);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(body.degrees_of_freedom());
    ASSERT_TRUE(body.evaluate(zero, 0, {.tangent = true}));
    const Eigen::VectorXd scale = body.mass(MassKind::lumped).diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd K = scale.asDiagonal() * Eigen::MatrixXd(body.tangent()) * scale.asDiagonal();
    const double exact =
        2 / std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues().maxCoeff());
    const double bound = body.critical_step(zero, 0);
    EXPECT_LE(bound, exact * (1 + 1e-12)) << name(kind);
    EXPECT_GT(bound, 0.4 * exact) << name(
        kind);  // the distorted mesh has elements of half the size of others
  }
}

TEST(Continuum, RotationIsMeasured) {
  Continuum<3> body =
      make<3>(ElementKind::h8, {Kinematics::small, PlaneKind::strain, false, "linear-elastic"});
  Eigen::VectorXd q(body.degrees_of_freedom());
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.3, Eigen::Vector3d(1, 1, 0).normalized()).toRotationMatrix();
  for (std::size_t n = 0; n < body.mesh().nodes.size(); ++n)
    q.segment<3>(3 * n) = R * body.mesh().nodes[n] - body.mesh().nodes[n];
  ASSERT_TRUE(body.evaluate(q, 0, {}));
  body.accept();
  EXPECT_NEAR(body.largest_rotation(), 0.3, 1e-12);
}

template <int Dim>
void expect_refused(SolidMesh<Dim> mesh, const std::string& material_name, ContinuumOptions options,
                    const std::string& part) {
  options.where = "body.toml:3";
  try {
    Continuum<Dim>(std::move(mesh), {{material(material_name), 1}}, options);
    ADD_FAILURE() << "accepted: " << part;
  } catch (const InputError& e) {
    EXPECT_EQ(e.where(), "body.toml:3");
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Continuum, MistakesNameTheElementOrTheMaterial) {
  const SolidMesh<2> good = distorted_mesh<2>(ElementKind::t3, 2);
  SolidMesh<2> mesh = good;
  std::swap(mesh.connectivity[3], mesh.connectivity[4]);
  expect_refused(mesh, "linear-elastic", {}, "element 1 (t3) is turned inside out");
  mesh = good;
  mesh.connectivity[3] = 77;
  expect_refused(mesh, "linear-elastic", {}, "node of element 1 (t3): got 77");
  SolidMesh<3> flat_block;
  flat_block.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-13}};
  flat_block.add_element(ElementKind::t4, std::vector<int>{0, 1, 2, 3});
  expect_refused(flat_block, "linear-elastic", {}, "element 0 (t4) is degenerate");
  mesh = good;
  mesh.nodes.push_back({0, 0});
  expect_refused(mesh, "linear-elastic", {}, "node 9 belongs to no element");
  mesh = good;
  mesh.elements[2].material = 4;
  expect_refused(mesh, "linear-elastic", {}, "group of element 2");
  mesh = good;
  mesh.nodes[3].x() = std::nan("");
  expect_refused(mesh, "linear-elastic", {}, "node 3");
  mesh = good;
  mesh.elements.clear();
  expect_refused(mesh, "linear-elastic", {}, "without elements");
  SolidMesh<3> flat;
  flat.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  flat.add_element(ElementKind::t3, std::vector<int>{0, 1, 2});
  expect_refused(flat, "linear-elastic", {}, "dimension of element 0 (t3): got 2");
  expect_refused(good, "linear-elastic", {.kinematics = Kinematics::finite}, "linear-elastic, does not fit");
  expect_refused(good, "neo-hookean", {}, "neo-hookean, does not fit");
  expect_refused(good, "j2-plasticity", {.kinematics = Kinematics::corotational}, "does not fit");
  expect_refused(good, "linear-elastic",
                 {.kinematics = Kinematics::corotational, .plane = PlaneKind::axisymmetric},
                 "axial symmetry");
  expect_refused(good, "linear-elastic", {.thickness = 0}, "thickness");
  expect_refused(good, "linear-elastic", {.plane = PlaneKind::stress, .mean_dilatation = true},
                 "plane stress");
  SolidMesh<2> left = good;
  for (auto& n : left.nodes) n.x() -= 2;
  expect_refused(left, "linear-elastic", {.plane = PlaneKind::axisymmetric}, "left of the axis");
}

}  // namespace
}  // namespace saltus::continuum_test
