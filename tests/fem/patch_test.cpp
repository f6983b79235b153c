// Patch tests: a constant strain on a distorted mesh is found exactly, a rigid motion gives no stress.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fem/solid_meshes.hpp"
#include "fem/statics.hpp"
#include "saltus/fem/material_registry.hpp"

namespace saltus::patch_test {
namespace {

using testing::distorted_mesh;
using testing::kinds_of;

struct Patch {
  Kinematics kinematics;
  PlaneKind plane;
  const char* material;
  double size;  // of the displacement gradient
};

std::shared_ptr<const Material> material(const std::string& name) {
  std::vector<MaterialParameter> p = {{"young", 20}, {"poisson", 0.3}};
  if (name == "j2-plasticity") p.insert(p.end(), {{"yield", 0.3}, {"hardening", 2}});
  return make_material(name, {"", p});
}

template <int Dim>
std::vector<Patch> patches() {
  using enum Kinematics;
  std::vector<Patch> list;
  std::vector<PlaneKind> planes = {PlaneKind::strain};
  if (Dim == 2) planes = {PlaneKind::strain, PlaneKind::stress, PlaneKind::axisymmetric};
  for (const PlaneKind plane : planes) {
    list.push_back({small, plane, "linear-elastic", 0.1});
    list.push_back({small, plane, "j2-plasticity", 0.1});
    list.push_back({finite, plane, "neo-hookean", 0.3});
    list.push_back({finite, plane, "j2-plasticity", 0.1});
    if (plane != PlaneKind::axisymmetric) list.push_back({corotational, plane, "linear-elastic", 0.1});
  }
  return list;
}

// In axial symmetry only equal strains in r and theta are constant.
template <int Dim>
Eigen::Matrix<double, Dim, Dim> field_of(const Patch& patch) {
  Eigen::Matrix3d all;
  all << 0.8, 0.5, -0.3, -0.4, -0.6, 0.7, 0.2, -0.5, 0.3;
  if (patch.plane == PlaneKind::axisymmetric) all(0, 1) = all(1, 0) = 0;
  return patch.size * all.topLeftCorner<Dim, Dim>();
}

template <int Dim>
void check_patch(ElementKind kind, const Patch& patch, bool mean_dilatation) {
  SCOPED_TRACE(fmt::format("{} kinematics {} plane {} {} mean {}", name(kind),
                           static_cast<int>(patch.kinematics), static_cast<int>(patch.plane), patch.material,
                           mean_dilatation));
  const SolidMesh<Dim> mesh = distorted_mesh<Dim>(kind, 2, 1.0);
  Continuum<Dim> body(
      mesh, {{material(patch.material), 1}},
      {.kinematics = patch.kinematics, .plane = patch.plane, .mean_dilatation = mean_dilatation});
  testing::Held held(body.degrees_of_freedom());
  for (const auto& group : mesh.node_groups)
    for (int d = 0; d < Dim; ++d) held.hold(group.nodes, d, Dim);
  const std::vector<int> free = held.free();
  ASSERT_FALSE(free.empty());
  const auto field = field_of<Dim>(patch);
  Eigen::VectorXd exact(body.degrees_of_freedom());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) exact.segment<Dim>(Dim * n) = field * mesh.nodes[n];
  Eigen::VectorXd q = exact;
  for (const int dof : free) q[dof] *= 0.97;
  const auto solved = testing::solve_statics(body, free, Eigen::VectorXd::Zero(q.size()), 1, q, 1e-13);
  // Round-off times the condition of a small mesh.
  ASSERT_LT(solved.residual, 1e-10) << solved.iterations << body.trouble();
  EXPECT_LT((q - exact).template lpNorm<Eigen::Infinity>(), 1e-10);
  body.evaluate(q, 1, {});
  body.accept();
  const std::vector<PointFields> nodes = body.node_fields();
  for (const PointFields& f : nodes) EXPECT_LT((f.stress - nodes[0].stress).norm(), 1e-8);
  EXPECT_GT(nodes[0].stress.norm(), 1e-2);
}

template <int Dim>
void check_all_patches() {
  for (const ElementKind kind : kinds_of<Dim>())
    for (const Patch& patch : patches<Dim>()) {
      // Quadratic in space take long; their linear and one finite patch.
      if (Dim == 3 && testing::is_quadratic(kind) && std::string(patch.material) == "j2-plasticity") continue;
      check_patch<Dim>(kind, patch, false);
      if ((kind == ElementKind::q4 || kind == ElementKind::h8) && patch.plane != PlaneKind::stress)
        check_patch<Dim>(kind, patch, true);
    }
}

TEST(Patch, AConstantStrainIsReproducedByEveryElementOfThePlane) { check_all_patches<2>(); }
TEST(Patch, AConstantStrainIsReproducedByEveryElementOfSpace) { check_all_patches<3>(); }

template <int Dim>
void check_rigid(ElementKind kind, const Patch& patch) {
  SCOPED_TRACE(
      fmt::format("{} kinematics {} {}", name(kind), static_cast<int>(patch.kinematics), patch.material));
  const SolidMesh<Dim> mesh = distorted_mesh<Dim>(kind, 2, 1.0);
  Continuum<Dim> body(mesh, {{material(patch.material), 1}},
                      {.kinematics = patch.kinematics, .plane = patch.plane});
  Eigen::Matrix3d R =
      Eigen::AngleAxisd(2.5, Eigen::Vector3d(Dim == 3, -2 * (Dim == 3), 1).normalized()).toRotationMatrix();
  Eigen::VectorXd q(body.degrees_of_freedom());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    q.segment<Dim>(Dim * n) = R.topLeftCorner<Dim, Dim>() * mesh.nodes[n] - mesh.nodes[n] +
                              Eigen::Matrix<double, Dim, 1>::Constant(5);
  ASSERT_TRUE(body.evaluate(q, 1, {})) << body.trouble();
  // Positions of size 6 are rounded to 2e-16 of it; gradients of shape functions add up to some 20 per length, so strains
  // of 2.6e-14, stresses of 27 times that (the longitudinal modulus), forces on sides of length 0.5.
  EXPECT_LT(body.force().template lpNorm<Eigen::Infinity>(), 3.6e-13);
  // Energies of finite strain are differences of numbers of the size of E.
  EXPECT_LT(body.stored(), patch.kinematics == Kinematics::finite ? 1e-13 : 1e-26);
  body.accept();
  EXPECT_LT(body.node_fields()[0].stress.norm(), std::sqrt(3.0) * 7e-13);
  EXPECT_NEAR(body.largest_rotation(), 2.5, 1e-12);
}

TEST(Patch, ARigidRotationGivesNoStress) {
  using enum Kinematics;
  for (const ElementKind kind : kinds_of<2>())
    for (const PlaneKind plane : {PlaneKind::strain, PlaneKind::stress}) {
      check_rigid<2>(kind, {corotational, plane, "linear-elastic", 0});
      check_rigid<2>(kind, {finite, plane, "neo-hookean", 0});
      check_rigid<2>(kind, {finite, plane, "j2-plasticity", 0});
    }
  for (const ElementKind kind : kinds_of<3>()) {
    check_rigid<3>(kind, {corotational, PlaneKind::strain, "linear-elastic", 0});
    check_rigid<3>(kind, {finite, PlaneKind::strain, "neo-hookean", 0});
    check_rigid<3>(kind, {finite, PlaneKind::strain, "j2-plasticity", 0});
  }
}

}  // namespace
}  // namespace saltus::patch_test
