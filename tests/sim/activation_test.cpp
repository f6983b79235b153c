// The papers' tests for a forecast contact and the places where H is taken, through whole steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/sim_scenes.hpp"

namespace saltus::activation_test {
namespace {

constexpr double kStep = 1e-3, kSpeed = 1.0;

// No gravity. A ball rests `gap` above the ground; one of the same mass stands on it and comes down at 1 m/s:
// only with the push of the second, which gives both 1/2 m/s, does the first reach the ground.
template <int Dim>
Scene<Dim> pushed_down(Activation activation, double gap, const std::string& solver = "nlgs") {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::velocity_signorini, 0.3), kStep);
  scene.gravity.setZero();
  scene.scheme.activation = activation;
  scene.solver.kind = solver_of_name(solver);
  const Vec<Dim> up = Vec<Dim>::Unit(Dim - 1);
  scene.bodies = {test::ground<Dim>(), test::body<Dim>(Ball<Dim>{0.1}, (0.1 + gap) * up),
                  test::body<Dim>(Ball<Dim>{0.1}, (0.3 + gap) * up, -kSpeed * up)};
  return scene;
}

template <int Dim>
double first_after_one_step(const Scene<Dim>& scene) {
  Simulation<Dim> simulation(scene);
  EXPECT_EQ(simulation.step().status, StepStatus::converged);
  return simulation.bodies().velocity[1][Dim - 1];
}

template <int Dim>
void check_pushed_down() {
  const double gap = 0.2 * kStep * kSpeed;
  // No prediction that leaves out the push of the neighbour sees the ground.
  for (const Activation blind :
       {Activation::consistent, Activation::start, Activation::end, Activation::free, Activation::middle})
    EXPECT_NEAR(first_after_one_step(pushed_down<Dim>(blind, gap)), -0.5 * kSpeed, 1e-12) << name(blind);
  for (const std::string solver : {"nlgs", "newton", "auto"}) {
    EXPECT_NEAR(first_after_one_step(pushed_down<Dim>(Activation::implicit, gap, solver)), 0, 1e-9) << solver;
    // Half the speed for one step does not reach a ground further than h/2 m/s.
    EXPECT_NEAR(first_after_one_step(pushed_down<Dim>(Activation::implicit, 0.6 * kStep * kSpeed, solver)),
                -0.5 * kSpeed, 1e-9)
        << solver;
  }
}

// Bodies laid one on the other on a slope, centres by whatever sum a user writes: some gaps come out at
// +1e-17 m, others at -1e-17. `lifted` adds roundings of the coordinates on purpose.
constexpr double kBrick = 0.1;
template <int Dim>
Shape<Dim> brick_shape();
template <>
Shape<2> brick_shape<2>() {
  return build_rectangle(0.3, kBrick);
}
template <>
Shape<3> brick_shape<3>() {
  return build_box({0.3, 0.2, kBrick});
}

template <int Dim>
Scene<Dim> laid_stack(LawKind kind, Activation activation, double angle, int lifted) {
  Scene<Dim> scene = test::scene<Dim>(test::law(kind, 0.8), kStep);
  if (kind == LawKind::fremond) scene.scheme.theta = 0.9;
  scene.scheme.activation = activation;
  scene.bodies = {test::ground<Dim>(angle)};
  double height = 0.5 * kBrick;
  for (int i = 0; i < 6; ++i, height += kBrick) {
    SceneBody<Dim> brick = test::body<Dim>(brick_shape<Dim>(), Vec<Dim>::Zero());
    brick.pose = test::tilted<Dim>(angle, height * (1 + lifted * 1.1e-16));
    scene.bodies.push_back(brick);
  }
  return scene;
}

template <int Dim>
void check_laid_stack() {
  for (const LawKind kind : {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond})
    for (const Activation activation : {Activation::consistent, Activation::start, Activation::end,
                                        Activation::free, Activation::middle, Activation::implicit})
      for (const double angle : {0.0, 0.1, 0.3})
        for (const int lifted : {-8, 0, 8}) {
          Simulation<Dim> simulation(laid_stack<Dim>(kind, activation, angle, lifted));
          for (int step = 0; step < 2; ++step) simulation.step();
          // One step of free fall would be h g = 1e-2 m/s; the solver was asked for 1e-13.
          for (const Vec<Dim>& velocity : simulation.bodies().velocity)
            EXPECT_LT(velocity.norm(), 1e-9)
                << name(kind) << ' ' << name(activation) << ' ' << angle << ' ' << lifted;
        }
}

TEST(Activation, what_is_laid_on_the_ground_does_not_fall_for_a_step_in_2d) { check_laid_stack<2>(); }
TEST(Activation, what_is_laid_on_the_ground_does_not_fall_for_a_step_in_3d) { check_laid_stack<3>(); }

TEST(Activation, the_implicit_test_sees_a_contact_that_a_neighbour_closes_in_2d) { check_pushed_down<2>(); }
TEST(Activation, the_implicit_test_sees_a_contact_that_a_neighbour_closes_in_3d) { check_pushed_down<3>(); }

// A ground of the problem written out that only the solution forecasts, and one that it does not.
TEST(Activation, the_problem_of_an_implicit_step_is_the_one_solved_last) {
  for (const double gap : {0.2, 0.6}) {
    const Simulation<2> before(pushed_down<2>(Activation::implicit, gap * kStep * kSpeed));
    EXPECT_EQ(before.build_contact_problem().contacts(), gap < 0.5 ? 2 : 1);
  }
}

TEST(Activation, the_implicit_test_leaves_out_a_contact_that_a_neighbour_lifts) {
  // A light ball falls to the ground while a heavy one, not yet touching it, is thrown up against it from
  // below through a hole: here the floor only knows the light one.
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), kStep);
  scene.gravity.setZero();
  scene.scheme.activation = Activation::implicit;
  SceneBody<2> floor = test::ground<2>(), light = test::body<2>(Disk{0.1}, {0, 0.1 + 1e-4}, {0, -1}),
               heavy = test::body<2>(Disk{0.1}, {0, -0.1 + 1e-4}, {0, 2});
  floor.group = 1u << 1;
  heavy.mask = ~(1u << 1);
  heavy.density = 1e6;
  scene.bodies = {floor, light, heavy};
  Simulation<2> simulation(scene);
  simulation.step();
  // Inelastic, 1000 : 1: the light one leaves at (1000 * 2 - 1)/1001, and the floor has no part in it.
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 1999.0 / 1001, 1e-9);
  // It was 0.1 mm above the floor and coming down at 1 m/s: known, forecast at first, and left out.
  const auto with_floor = std::find_if(simulation.contacts().begin(), simulation.contacts().end(),
                                       [](const ContactState<2>& c) { return c.a == 0; });
  ASSERT_NE(with_floor, simulation.contacts().end());
  EXPECT_EQ(with_floor->status, ContactStatus::inactive);
}

TEST(Activation, a_heap_comes_to_rest_with_every_test) {
  for (const Activation activation : {Activation::consistent, Activation::start, Activation::end,
                                      Activation::free, Activation::middle, Activation::implicit}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini, 0.5), kStep);
    scene.scheme.activation = activation;
    scene.solver.tolerance_velocity = 1e-7;
    scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1001}),
                    test::body<2>(Disk{0.1}, {0.21, 0.1002}), test::body<2>(Disk{0.1}, {0.1, 0.28})};
    for (const int i : {1, 2}) scene.bodies[i].drive[0].kind = Drive::Kind::locked;
    Simulation<2> simulation(scene);
    test::run(simulation, 500);
    // A closed contact moves by its residual, at most sqrt(5) * 1e-7 m/s in the worst of five. The third disk
    // stands on two, whose normals lean by 32 degrees: across it may move 1/sin(32 degrees) = 1.9 times
    // that, 4.2e-7.
    for (int s = 1; s < 4; ++s)
      EXPECT_LT(simulation.bodies().velocity[s].norm(), 5e-7) << name(activation) << ", disk " << s;
    // A contact is seen one step late at worst: a step of travel at the speed of a fall of some centimetres,
    // which velocity laws do not undo. The consistent test sees half of it.
    EXPECT_LT(simulation.summary().penetration.worst(), kStep * 1.0) << name(activation);
  }
}

// A disk grazes a fixed one, without friction: the change of velocity is along the normal of the place where
// H is taken, and its moment follows from the lever arm taken there.
TEST(JacobianAt, the_normal_and_the_arm_are_those_of_the_place_asked_for) {
  const double h = 0.05;
  const Vec<2> x0 = 1.5 * Vec<2>(0.6, 0.8), v0(1, -2);
  for (const JacobianAt place : {JacobianAt::detection, JacobianAt::start, JacobianAt::predicted})
    for (const double theta : {0.5, 0.8}) {
      Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), h);
      scene.gravity.setZero();
      scene.scheme.theta = theta;
      scene.scheme.jacobian_at = place;
      scene.bodies = {test::body<2>(Disk{1}, {0, 0}), test::body<2>(Disk{0.5}, x0, v0)};
      scene.bodies[0].fixed = true;
      Simulation<2> simulation(scene);
      simulation.step();
      const Vec<2> at = place == JacobianAt::detection ? Vec<2>(x0 + (1 - theta) * h * v0) : x0;
      const Vec<2> normal = at.normalized(), change = simulation.bodies().velocity[1] - v0;
      const BodyModel<2>& model = simulation.bodies().model[1];
      // Off the surface of the moving disk: its radius below its centre, which is h v further for
      // `predicted`.
      Vec<2> arm = -0.5 * normal;
      if (place == JacobianAt::predicted) arm -= h * v0;
      const double turn = model.mass * (arm.x() * change.y() - arm.y() * change.x()) / model.inertia(0, 0);
      ASSERT_GT(change.norm(), 0.5);
      EXPECT_NEAR(change.normalized().dot(normal), 1, 1e-12) << name(place) << ", theta " << theta;
      EXPECT_NEAR(simulation.bodies().spin[1][0], turn, 1e-9) << name(place) << ", theta " << theta;
      EXPECT_EQ(std::abs(turn) > 0.1, place == JacobianAt::predicted);
    }
}

}  // namespace
}  // namespace saltus::activation_test
