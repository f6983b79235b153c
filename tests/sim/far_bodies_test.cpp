// Bodies that no chain of contacts, joints or systems joins do not influence each other, to the bit: a pile is the same whether
// another one, of other sizes, masses and laws, falls far away or not, whatever law, scheme and solver.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/sim_scenes.hpp"

namespace saltus::far_bodies_test {
namespace {

// Boxes and disks that fall on each other, turning; `size` m wide, about x.
void add_pile(double x, double size, double density, int count, double speed, Scene<2>& scene) {
  for (int i = 0; i < count; ++i) {
    const Vec<2> at(x + size * (1.15 * (i % 3) + 0.1 * (i / 3)), size * (0.62 + 1.2 * (i / 3)));
    SceneBody<2> body =
        i % 2 ? test::body<2>(Disk{(0.45 + 0.02 * (i % 4)) * size}, at, Vec<2>(0.2 * (i % 3 - 1), -speed))
              : test::body<2>(build_rectangle(0.9 * size, 0.8 * size), at, Vec<2>(0.1, -speed));
    body.spin[0] = 0.3 * (i % 5 - 2);
    body.density = density;
    scene.bodies.push_back(body);
  }
}

// A bar on a hinge of the ground that falls and hits what lies there.
void add_flail(double x, double size, double density, Scene<2>& scene) {
  const int bar = static_cast<int>(scene.bodies.size());
  scene.bodies.push_back(
      test::body<2>(build_rectangle(size, 0.1 * size), Vec<2>(x + 0.5 * size, 1.5 * size)));
  scene.bodies.back().density = density;
  scene.bodies.push_back(test::body<2>(Disk{0.3 * size}, Vec<2>(x + 0.6 * size, 0.31 * size)));
  scene.bodies.back().density = density;
  SceneJoint<2> joint;
  joint.b = scene.bodies[bar].name = "bar" + std::to_string(bar);
  joint.points[0] = joint.points[1] = Vec<2>(x, 1.5 * size);
  scene.joints.push_back(joint);
}

enum class With { none, behind, before };

struct Case {
  std::string name;
  PairLaw law;
  std::function<void(Scene<2>&)> change = [](Scene<2>&) {};
  bool joints = false;
  std::optional<PairLaw> far_law = {};  // else that of all
};

Scene<2> build(const Case& c, With with) {
  Scene<2> scene = test::scene<2>(c.law, 2e-3);
  scene.solver.tolerance_velocity = 0;
  scene.solver.tolerance = 1e-3;
  scene.solver.max_iterations = 5000;
  scene.bodies = {test::ground<2>()};
  const auto add_far = [&] {
    const std::size_t first = scene.bodies.size();
    add_pile(200, 0.7, 9000, 7, 1.5, scene);
    if (c.joints) add_flail(300, 2.1, 500, scene);
    if (!c.far_law) return;
    for (std::size_t i = first; i < scene.bodies.size(); ++i) scene.bodies[i].material = "far";
    scene.laws.push_back({"far", "far", *c.far_law, ""});
  };
  if (with == With::before) add_far();
  add_pile(0, 0.2, 1000, 9, 0.4, scene);
  if (c.joints) add_flail(-3, 0.5, 2000, scene);
  if (with == With::behind) add_far();
  c.change(scene);
  return scene;
}

// Poses and velocities of the bodies near the origin.
std::vector<double> near_state(const Simulation<2>& simulation) {
  std::vector<double> state;
  const BodySet<2>& bodies = simulation.bodies();
  for (int s = 1; s < bodies.slots(); ++s) {
    if (bodies.pose[s].position.x() > 100) continue;
    for (const double value : {bodies.pose[s].position.x(), bodies.pose[s].position.y(),
                               bodies.velocity[s].x(), bodies.velocity[s].y(), bodies.spin[s][0]})
      state.push_back(value);
  }
  return state;
}

std::string first_difference(const Case& c, With with, int steps) {
  Simulation<2> alone(build(c, With::none)), both(build(c, with));
  for (int step = 1; step <= steps; ++step) {
    alone.step();
    both.step();
    const std::vector<double> a = near_state(alone), b = near_state(both);
    if (a.size() != b.size()) return "other bodies";
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    if (std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) != 0)
      return "step " + std::to_string(step) + ", by " + std::to_string(largest * 1e9) + "e-9";
  }
  return "none";
}

PairLaw hertz() {
  PairLaw law = test::law(LawKind::hertz, 0.3);
  law.stiffness_normal = 1e8;
  law.stiffness_tangent = 1e6;
  return law;
}
PairLaw with_function() {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.2);
  law.function = std::make_shared<FrictionFunction>("20*t^2", "test");
  return law;
}
PairLaw newton() {
  PairLaw law = test::law(LawKind::newton, 0.3);
  law.restitution = 0.3;
  return law;
}
PairLaw with_two_frictions() {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.friction_dynamic = 0.2;
  return law;
}
std::function<void(Scene<2>&)> scheme(SchemeKind kind) {
  return [kind](Scene<2>& scene) { scene.scheme.kind = kind; };
}
std::function<void(Scene<2>&)> solver(SolverKind kind) {
  return [kind](Scene<2>& scene) { scene.solver.kind = kind; };
}

std::vector<Case> cases() {
  const PairLaw plain = test::law(LawKind::quasi_inelastic, 0.3);
  PairLaw smooth = newton();
  smooth.friction = 0;
  const auto implicit = [](Scene<2>& scene) { scene.scheme.activation = Activation::implicit; };
  const auto weightless = [](Scene<2>& scene) { scene.gravity.setZero(); };
  const auto coarse = [](Scene<2>& scene) { scene.scheme.h = 0.02; };
  const auto given = [](Scene<2>& scene) { scene.alert = 2e-3; };
  // Bonds that form at a distance: contacts of theirs are listed as far as that.
  PairLaw glue = plain;
  glue.cohesion = 100;
  glue.rupture_gap = 0.05;
  const auto none = [](Scene<2>&) {};
  const auto direct = [](Scene<2>& scene) {
    scene.scheme.kind = SchemeKind::moreau_jean_projected;
    scene.scheme.projection.kind = ProjectionKind::direct;
  };
  return {{"default", plain},
          {"given_alert", plain, given},
          {"glue_far_away", plain, none, false, glue},
          {"default_with_joints", plain, [](Scene<2>&) {}, true},
          {"weightless", with_two_frictions(), weightless},
          {"weightless_with_joints", with_two_frictions(), weightless, true},
          {"hertz", hertz()},
          {"hertz_with_joints", hertz(), [](Scene<2>&) {}, true},
          {"friction_function", with_function()},
          {"implicit_activation", newton(), implicit},
          {"newton_and_position_correction", newton()},
          {"newton_and_position_correction_with_joints", newton(), [](Scene<2>&) {}, true},
          // Overlaps are taken back here and there at once.
          {"coarse_steps", newton(), coarse},
          {"coarse_steps_with_joints", newton(), coarse, true},
          {"projected_combined", newton(), scheme(SchemeKind::moreau_jean_projected)},
          {"projected_combined_with_joints", newton(), scheme(SchemeKind::moreau_jean_projected), true},
          {"projected_direct", newton(), direct},
          {"schatzman_paoli", smooth, scheme(SchemeKind::schatzman_paoli)},
          {"generalized_alpha", newton(), scheme(SchemeKind::generalized_alpha)},
          {"generalized_alpha_with_joints", newton(), scheme(SchemeKind::generalized_alpha), true},
          {"newmark_with_joints", newton(), scheme(SchemeKind::newmark), true},
          {"hht", newton(), scheme(SchemeKind::hht)},
          {"alpha_index3_with_joints", newton(), scheme(SchemeKind::alpha_index3), true},
          {"nlgs", plain, solver(SolverKind::nlgs)},
          {"newton_solver", plain, solver(SolverKind::newton)},
          {"ipm", plain, solver(SolverKind::ipm)},
          {"admm", plain, solver(SolverKind::admm)},
          {"apgd", plain, solver(SolverKind::apgd)},
          {"ipm_with_joints", plain, solver(SolverKind::ipm), true}};
}

class FarBodies : public testing::TestWithParam<Case> {};

// No tolerance: it is the same sums. Half a second has the impacts, 250 steps.
TEST_P(FarBodies, change_no_bit) {
  EXPECT_EQ(first_difference(GetParam(), With::behind, 250), "none");
  EXPECT_EQ(first_difference(GetParam(), With::before, 250), "none");
}

INSTANTIATE_TEST_SUITE_P(All, FarBodies, testing::ValuesIn(cases()),
                         [](const auto& at) { return at.param.name; });

}  // namespace
}  // namespace saltus::far_bodies_test
