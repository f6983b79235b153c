#include <gtest/gtest.h>

#include "counting_allocations.hpp"
#include "fem/solid_meshes.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/fem/material_registry.hpp"

namespace saltus::continuum_allocation_test {
namespace {

template <int Dim>
void check(ElementKind kind, Kinematics kinematics, PlaneKind plane, const char* material) {
  std::vector<MaterialParameter> p = {{"young", 20}, {"poisson", 0.3}};
  if (std::string(material) == "j2-plasticity") p.push_back({"yield", 0.3});
  Continuum<Dim> body(testing::distorted_mesh<Dim>(kind, 2, 1.0), {{make_material(material, {"", p}), 1}},
                      {.kinematics = kinematics, .plane = plane});
  Eigen::VectorXd q = Eigen::VectorXd::Constant(body.degrees_of_freedom(), 0.001);
  const auto step = [&](double x) {
    q[0] = x;
    const bool good = body.evaluate(q, 0.1, {}) && body.evaluate(q, 0.1, {.tangent = true});
    body.accept();
    return good;
  };
  ASSERT_TRUE(step(0.01));
  const long before = testing::allocations;
  const bool good = step(0.02) && step(0.03);
  const long count = testing::allocations - before;
  EXPECT_TRUE(good);
  EXPECT_EQ(count, 0) << name(kind) << " " << material;
}

TEST(ContinuumAllocation, NothingIsAllocatedAfterTheFirstEvaluation) {
  for (const ElementKind kind : testing::kPlaneKinds) {
    check<2>(kind, Kinematics::small, PlaneKind::strain, "linear-elastic");
    check<2>(kind, Kinematics::corotational, PlaneKind::strain, "linear-elastic");
    check<2>(kind, Kinematics::finite, PlaneKind::stress, "j2-plasticity");
  }
  for (const ElementKind kind : testing::kSpaceKinds) {
    check<3>(kind, Kinematics::corotational, PlaneKind::strain, "linear-elastic");
    check<3>(kind, Kinematics::finite, PlaneKind::strain, "j2-plasticity");
  }
}

}  // namespace
}  // namespace saltus::continuum_allocation_test
