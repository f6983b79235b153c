// Bodies whose answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fem/solid_meshes.hpp"
#include "fem/statics.hpp"
#include "saltus/fem/face_load.hpp"
#include "saltus/fem/material_registry.hpp"

namespace saltus::solutions_test {
namespace {

using testing::grid_mesh;
using testing::Held;
using testing::nodes_named;
using testing::sides_named;
using testing::solve_statics;

std::shared_ptr<const Material> elastic(double young, double poisson) {
  return make_material("linear-elastic", {"", {{"young", young}, {"poisson", poisson}}});
}

int node_at(const SolidMesh<2>& mesh, const Eigen::Vector2d& x) {
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if ((mesh.nodes[n] - x).norm() < 1e-9) return static_cast<int>(n);
  return -1;
}

// Deflection of (48, 52) of Cook's membrane.
double cook(ElementKind kind, int cells, double poisson, PlaneKind plane, std::optional<bool> mean) {
  const SolidMesh<2> mesh = grid_mesh<2>(kind, {cells, cells}, [](Eigen::Vector2d p) -> Eigen::Vector2d {
    return {48 * p.x(), 44 * p.x() + p.y() * (44 - 28 * p.x())};
  });
  Continuum<2> body(mesh, {{elastic(1, poisson), 1}}, {.plane = plane, .mean_dilatation = mean});
  Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom()), load = q;
  add_traction<2>(mesh, sides_named(mesh, "x1"), {plane, 1}, {0, 1.0 / 16}, load);
  const Held held =
      Held(body.degrees_of_freedom()).hold(nodes_named(mesh, "x0"), 0, 2).hold(nodes_named(mesh, "x0"), 1, 2);
  // At nu = 0.4999 stresses are differences of numbers 5000 times larger: so much of the round-off is left.
  EXPECT_TRUE(solve_statics(body, held.free(), load, 1, q, 1e-8).converged);
  return q[2 * node_at(mesh, {48, 52}) + 1];
}

TEST(Solutions, CooksMembraneComesOutAsPublished) {
  // 23.96 is the limit of fine meshes; quadratic elements at 8 x 8 are within half a percent, linear ones converge from below.
  for (const ElementKind kind : {ElementKind::t6, ElementKind::q8})
    EXPECT_NEAR(cook(kind, 8, 1.0 / 3, PlaneKind::stress, {}), 23.96, 0.12) << name(kind);
  for (const ElementKind kind : {ElementKind::t3, ElementKind::q4}) {
    const double coarse = cook(kind, 8, 1.0 / 3, PlaneKind::stress, {}),
                 fine = cook(kind, 16, 1.0 / 3, PlaneKind::stress, {});
    EXPECT_GT(fine, coarse);
    EXPECT_LT(fine, 23.97);
    // The error falls by more than 2 (the corner is singular: less than 4).
    EXPECT_LT(23.96 - fine, 0.5 * (23.96 - coarse)) << name(kind);
  }
}

TEST(Solutions, MeanDilatationTakesTheLockingFromAnIncompressibleMembrane) {
  // Plane strain, nu = 0.4999. The full q4 locks; with the mean it is near the quadratic element.
  const double reference = cook(ElementKind::q8, 12, 0.4999, PlaneKind::strain, {});
  const double locked = cook(ElementKind::q4, 12, 0.4999, PlaneKind::strain, false);
  const double freed = cook(ElementKind::q4, 12, 0.4999, PlaneKind::strain, {});  // on by itself at this nu
  EXPECT_LT(locked, 0.6 * reference);
  EXPECT_NEAR(freed, reference, 0.04 * reference);
}

// L2 error of displacement for u = sin(pi x) sin(pi y) in both components, forces to match, plane strain.
double manufactured_error(ElementKind kind, int cells) {
  const double pi = std::numbers::pi, lambda = 1.5, mu = 1;  // E = 2.6, nu = 0.3
  const SolidMesh<2> mesh = grid_mesh<2>(kind, {cells, cells}, [](Eigen::Vector2d p) -> Eigen::Vector2d {
    return {p.x() + 0.1 * p.x() * (1 - p.x()) * p.y(), p.y() - 0.15 * p.y() * (1 - p.y()) * p.x()};
  });
  Continuum<2> body(mesh, {{elastic(2.6, 0.3), 1}}, {});
  const auto u = [&](const Eigen::Vector2d& x) { return std::sin(pi * x.x()) * std::sin(pi * x.y()); };
  // -div sigma = (3 mu + lambda) pi^2 s s - (lambda + mu) pi^2 c c in each component
  const auto b = [&](const Eigen::Vector2d& x) {
    return pi * pi * ((lambda + 3 * mu) * u(x) - (lambda + mu) * std::cos(pi * x.x()) * std::cos(pi * x.y()));
  };
  Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom()), load = q;
  const auto for_points = [&](auto&& use) {
    for (const auto& element : mesh.elements)
      with_kind<2>(element.kind, [&]<ElementKind K>() {
        using S = ElementShape<K>;
        const auto own = mesh.nodes_of(element);
        for (const auto& p : mass_rule<2>(K)) {
          const typename S::Values N = S::values(p.at);
          Eigen::Vector2d x = Eigen::Vector2d::Zero();
          Eigen::Matrix2d J = Eigen::Matrix2d::Zero();
          for (int a = 0; a < S::kNodes; ++a) {
            x += N[a] * mesh.nodes[own[a]];
            J += mesh.nodes[own[a]] * S::gradients(p.at).row(a);
          }
          use(own, Eigen::VectorXd(N), x, p.weight * J.determinant());
        }
      });
  };
  for_points([&](auto own, const Eigen::VectorXd& N, const Eigen::Vector2d& x, double w) {
    for (int a = 0; a < N.size(); ++a) load.segment<2>(2 * own[a]).array() += w * N[a] * b(x);
  });
  Held held(body.degrees_of_freedom());
  for (const auto& group : mesh.node_groups) held.hold(group.nodes, 0, 2).hold(group.nodes, 1, 2);
  EXPECT_TRUE(solve_statics(body, held.free(), load, 1, q).converged);
  double square = 0;
  for_points([&](auto own, const Eigen::VectorXd& N, const Eigen::Vector2d& x, double w) {
    Eigen::Vector2d found = Eigen::Vector2d::Zero();
    for (int a = 0; a < N.size(); ++a) found += N[a] * q.segment<2>(2 * own[a]);
    square += w * (found.array() - u(x)).matrix().squaredNorm();
  });
  return std::sqrt(square);
}

TEST(Solutions, DisplacementsConvergeAtOrderTwoAndThree) {
  for (const ElementKind kind : testing::kPlaneKinds) {
    const double order = std::log2(manufactured_error(kind, 6) / manufactured_error(kind, 12));
    const double expected = testing::is_quadratic(kind) ? 3 : 2;
    // Meshes of 6 and 12: the next term of the error is some percent of the first.
    EXPECT_NEAR(order, expected, 0.2) << name(kind);
  }
}

TEST(Solutions, ACantileverOfQuadraticElementsBendsByTimoshenko) {
  // Length 8, height 1, shear load: end deflection P L^3/(3 E I) + P L/(k G A) in plane stress, nu = 0 so that
  // no Poisson effect is held at the wall; shear factor 5/6.
  const double L = 8, E = 1000, P = 1;
  const double expected = P * L * L * L / (3 * E / 12) + P * L / (5.0 / 6 * E / 2);
  for (const ElementKind kind : {ElementKind::t6, ElementKind::q8}) {
    const SolidMesh<2> mesh = grid_mesh<2>(
        kind, {16, 2}, [=](Eigen::Vector2d p) { return Eigen::Vector2d(L * p.x(), p.y() - 0.5); });
    Continuum<2> body(mesh, {{elastic(E, 0), 1}}, {.plane = PlaneKind::stress});
    Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom()), load = q;
    add_traction<2>(mesh, sides_named(mesh, "x1"), {PlaneKind::stress, 1}, {0, P}, load);
    const Held held = Held(body.degrees_of_freedom())
                          .hold(nodes_named(mesh, "x0"), 0, 2)
                          .hold(nodes_named(mesh, "x0"), 1, 2);
    ASSERT_TRUE(solve_statics(body, held.free(), load, 1, q).converged);
    // The wall holds the warping of the section: a part of (h/L)^2 of the shear term.
    EXPECT_NEAR(q[2 * node_at(mesh, {L, 0}) + 1], expected, 2e-3 * expected) << name(kind);
  }
}

// A ring of radii 1 and 2 under inner pressure, axisymmetric, held in its axis: one layer of elements.
struct Ring {
  Ring(ElementKind kind, int cells, std::shared_ptr<const Material> material,
       Kinematics kinematics = Kinematics::small)
      : mesh(grid_mesh<2>(kind, {cells, 1},
                          [=](Eigen::Vector2d p) { return Eigen::Vector2d(1 + p.x(), p.y() / cells); })),
        body(mesh, {{std::move(material), 1}}, {.kinematics = kinematics, .plane = PlaneKind::axisymmetric}),
        q(Eigen::VectorXd::Zero(body.degrees_of_freedom())) {
    Held held(body.degrees_of_freedom());
    held.hold(nodes_named(mesh, "y0"), 1, 2).hold(nodes_named(mesh, "y1"), 1, 2);
    free = held.free();
  }
  bool press(double pressure) {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(q.size());
    add_pressure<2>(mesh, sides_named(mesh, "x0"), {PlaneKind::axisymmetric, 1}, pressure,
                    Eigen::VectorXd::Zero(q.size()), load);
    const bool converged = solve_statics(body, free, load, 1, q, 1e-8).converged;
    if (converged) body.accept();
    return converged;
  }
  double at_outside() const { return q[2 * nodes_named(mesh, "x1")[0]]; }
  double at_inside() const { return q[2 * nodes_named(mesh, "x0")[0]]; }

  SolidMesh<2> mesh;
  Continuum<2> body;
  Eigen::VectorXd q;
  std::vector<int> free;
};

TEST(Solutions, AThickCylinderUnderPressureFollowsLame) {
  // u(r) = (1 + nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r), plane strain.
  const double E = 100, nu = 0.3, p = 2;
  const auto exact = [&](double r) { return (1 + nu) / E * p / 3 * ((1 - 2 * nu) * r + 4 / r); };
  for (const ElementKind kind : testing::kPlaneKinds) {
    double errors[2];
    for (int level = 0; level < 2; ++level) {
      Ring ring(kind, 8 << level, elastic(E, nu));
      ASSERT_TRUE(ring.press(p));
      errors[level] = std::abs(ring.at_inside() - exact(1));
      EXPECT_NEAR(ring.at_outside(), exact(2), 0.01 * exact(2));
    }
    // Order 2 for linear elements; quadratic ones are far below a per mille.
    if (testing::is_quadratic(kind))
      EXPECT_LT(errors[1], 1e-4 * exact(1)) << name(kind);
    else
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3) << name(kind);
  }
}

TEST(Solutions, AnElastoPlasticCylinderYieldsAsHillSays) {
  // Perfect plasticity, plane strain, nearly incompressible (nu = 0.4999), for which von Mises' and Tresca's solution with the
  // shear yield stress k = Y/sqrt(3) agree (Hill 1950): plastic to radius c,
  //     p = 2 k (ln(c/a) + (1 - c^2/b^2)/2),   u(b) = (2 k (1 - nu^2)/E) c^2/b.
  const double E = 1000, nu = 0.4999, Y = std::sqrt(3.0), k = 1, c = 1.5;
  const double pressure = 2 * k * (std::log(c) + (1 - c * c / 4) / 2);
  const double outside = 2 * k * (1 - nu * nu) / E * c * c / 2;
  for (const ElementKind kind : {ElementKind::q4, ElementKind::q8}) {
    Ring ring(kind, 20, make_material("j2-plasticity", {"", {{"young", E}, {"poisson", nu}, {"yield", Y}}}));
    double lost = 0;
    for (int step = 1; step <= 10; ++step) {
      ASSERT_TRUE(ring.press(pressure * step / 10)) << ring.body.trouble();
      EXPECT_GE(ring.body.plastic_dissipation(), 0);
      lost += ring.body.plastic_dissipation();
    }
    // Elements of 1/20: the radius of the plastic zone is known to half of one, u(b) with the square of it.
    EXPECT_NEAR(ring.at_outside(), outside, 0.01 * outside) << name(kind);
    double edge = 1;
    for (int e = 0; e < static_cast<int>(ring.mesh.elements.size()); ++e)
      if (ring.body.element_mean(e).plastic_strain > 0) edge = std::max(edge, 1 + (e + 1) / 20.0);
    EXPECT_NEAR(edge, c, 0.051) << name(kind);
    EXPECT_GT(lost, 0);
  }
}

TEST(Solutions, ABlockInflatedByAFollowingPressureIsInUniformStress) {
  // All around a neo-Hookean cube, free but for its symmetry planes: stretch s with Cauchy stress -p in every direction.
  const SolidMesh<3> mesh = grid_mesh<3>(ElementKind::h8, {2, 2, 2}, [](Eigen::Vector3d p) { return p; });
  Continuum<3> body(mesh, {{make_material("neo-hookean", {"", {{"young", 2.6}, {"poisson", 0.3}}}), 1}},
                    {.kinematics = Kinematics::finite});
  Held held(body.degrees_of_freedom());
  held.hold(nodes_named(mesh, "x0"), 0, 3)
      .hold(nodes_named(mesh, "y0"), 1, 3)
      .hold(nodes_named(mesh, "z0"), 2, 3);
  std::vector<MeshSide> outside;
  for (const char* name : {"x1", "y1", "z1"})
    outside.insert(outside.end(), sides_named(mesh, name).begin(), sides_named(mesh, name).end());
  const double s = 0.8, mu = 1, lambda = 1.5;
  const double pressure = -(mu * (s * s - 1) + lambda * 3 * std::log(s)) / (s * s * s);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(body.degrees_of_freedom());
  const auto solved = solve_statics<3>(body, held.free(), Eigen::VectorXd::Zero(q.size()), 1, q, 1e-11,
                                       [&](const Eigen::VectorXd& at, Eigen::VectorXd& force, auto& tangent) {
                                         add_pressure<3>(mesh, outside, {}, pressure, at, force, &tangent);
                                       });
  ASSERT_TRUE(solved.converged) << body.trouble();
  EXPECT_LE(solved.iterations, 10);  // quadratic, with the tangent of the pressure
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    EXPECT_LT((q.segment<3>(3 * n) - (s - 1) * mesh.nodes[n]).norm(), 1e-9);
}

}  // namespace
}  // namespace saltus::solutions_test
