// A rubber tube blown up by the pressure inside, near the pressure that no tube stands.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/solid_scenes.hpp"

namespace saltus::following_pressure_test {
namespace {

constexpr double kYoung = 3e6, kPoisson = 0.45, kMu = kYoung / (2 * (1 + kPoisson)),
                 kLambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
constexpr double kPressure = 0.64 * kMu;  // an incompressible tube of these radii bursts at ln(2) of mu

// First Piola-Kirchhoff stress along a stretch, P = mu (s - 1/s) + lambda ln(J) / s.
double stress(double stretch, double volume) {
  return kMu * (stretch - 1 / stretch) + kLambda * std::log(volume) / stretch;
}

// The radial stretch at which the radial stress is P; stresses grow with the stretch.
double stretch_at(double P, double hoop) {
  double low = 1e-3, high = 1e3;
  for (int k = 0; k < 200; ++k) {
    const double s = std::sqrt(low * high);
    (stress(s, s * hoop) < P ? low : high) = s;
  }
  return std::sqrt(low * high);
}

// Radial stress at R = 2 of a tube whose inner wall, R = 1, is at r: r' = s, P' = (P_hoop - P) / R, by Runge-Kutta.
double outer_stress(double r, double* outer_radius) {
  constexpr int kSteps = 200;
  constexpr double dR = 1.0 / kSteps;
  Eigen::Vector2d y(r, -kPressure * r);
  const auto slope = [](double R, const Eigen::Vector2d& at) -> Eigen::Vector2d {
    const double hoop = at[0] / R, s = stretch_at(at[1], hoop);
    return {s, (stress(hoop, s * hoop) - at[1]) / R};
  };
  for (int k = 0; k < kSteps; ++k) {
    const double R = 1 + k * dR;
    const Eigen::Vector2d a = slope(R, y), b = slope(R + dR / 2, y + dR / 2 * a),
                          c = slope(R + dR / 2, y + dR / 2 * b), d = slope(R + dR, y + dR * c);
    y += dR / 6 * (a + 2 * b + 2 * c + d);
  }
  if (outer_radius) *outer_radius = y[0];
  return y[1];
}

Scene<2> tube(double h) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.3), h);
  scene.gravity.setZero();
  scene.scheme.kind = SchemeKind::quasi_static;
  SceneDeformable<2> body = test::soft_body<2>(test::rectangle_mesh(ElementKind::q8, Vec<2>(1, 0.1), 16, 1),
                                               Vec<2>(1.5, 0), "neo-hookean", kYoung, kPoisson);
  body.kinematics = Kinematics::finite;
  body.plane = PlaneKind::axisymmetric;
  for (const char* side : {"bottom", "top"}) test::hold(body, side, 1);
  SceneDeformable<2>::Load load;
  load.on = "left";
  load.kind = SceneDeformable<2>::Load::Kind::pressure;
  load.value = TimeFunction::table({0, 1}, {0, kPressure});
  body.loads = {load};
  scene.deformable = {body};
  return scene;
}

TEST(FollowingPressure,
     a_rubber_tube_grows_as_the_equation_of_its_radius_says_in_steps_that_need_no_cutting) {
  double low = 1, high = 4;
  for (int k = 0; k < 60; ++k) {
    const double r = (low + high) / 2;
    // Below the equilibrium the wall would have to be pulled from outside.
    (outer_stress(r, nullptr) < 0 ? low : high) = r;
  }
  double outer = 0;
  outer_stress(low, &outer);
  ASSERT_NEAR(low, 2.66, 0.02);  // large strains

  Simulation<2> simulation(tube(0.1));
  for (int k = 0; k < 10; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_EQ(report.halved, 0) << "step " << k;
  }
  const SolidMesh<2>& mesh = *simulation.scene().deformable[0].mesh;
  const Eigen::VectorXd q = simulation.system_coordinates(0);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const double R = mesh.nodes[n].x(), r = R + q[2 * static_cast<Eigen::Index>(n)];
    if (R < 1 + 1e-9) {
      EXPECT_NEAR(r, low, 2e-4 * low);
    }
    if (R > 2 - 1e-9) {
      EXPECT_NEAR(r, outer, 2e-4 * outer);
    }
  }
}

}  // namespace
}  // namespace saltus::following_pressure_test
