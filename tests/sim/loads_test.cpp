// Gravity that tilts, walls driven by a stress or a force.
#include <gtest/gtest.h>

#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::loads_test {
namespace {

SceneBody<2> wall(const std::string& name, const Vec<2>& normal, const Vec<2>& position) {
  SceneBody<2> result;
  result.name = name;
  result.shape = HalfSpace<2>{normal, 0};
  result.pose = Pose<2>(position);
  result.fixed = true;
  return result;
}

// A lid over a floor, between two fixed walls 0.4 m apart; it falls on a disk in the middle. No gravity.
Scene<2> lid_on_a_disk(double radius) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), wall("left", {1, 0}, {0, 0}), wall("right", {-1, 0}, {0.4, 0}),
                  wall("lid", {0, -1}, {0, 0.5})};
  SceneBody<2>& lid = scene.bodies.back();
  lid.fixed = false;
  lid.drive[0].kind = lid.drive[2].kind = Drive::Kind::locked;
  lid.mass = 10, lid.inertia = Inertia<2>(1.0);
  scene.bodies.push_back(test::body<2>(Ball<2>{radius}, {0.2, radius}));
  Servo servo;
  servo.wall = "lid";
  servo.load = TimeFunction::constant(500);
  servo.between = {"left", "right"};
  servo.speed = 0.2;
  scene.servos = {servo};
  return scene;
}

double force_on_the_floor(const Simulation<2>& simulation) {
  double sum = 0;
  for (const ContactState<2>& c : simulation.contacts()) {
    const bool floor = c.a == 0 || c.b == 0;
    if (floor) sum += c.impulse[0] / simulation.scene().scheme.h;
  }
  return sum;
}

TEST(Loads, a_wall_under_stress_comes_at_its_speed_and_then_presses_with_stress_times_width) {
  Simulation<2> simulation(lid_on_a_disk(0.1));
  double fastest = 0;
  for (int i = 0; i < 1000; ++i) {
    simulation.step();
    fastest = std::max(fastest, std::abs(simulation.bodies().velocity[3].y()));
  }
  // 500 N/m over 0.4 m: 200 N, 20 m/s2, at the limit after 10 ms, held there to round-off.
  EXPECT_NEAR(fastest, 0.2, 1e-12);
  // 1 s at 0.2 m/s, less the 10 ms of acceleration at half of it; one step of travel of tolerance.
  EXPECT_NEAR(simulation.bodies().pose[3].position.y(), 0.5 - 0.2 * (1 - 0.005), 2e-4);
  test::run(simulation, 1000);
  EXPECT_LT(simulation.summary().energy_defect.worst(), 1e-12);  // the work of the load is in the balance
  EXPECT_NEAR(force_on_the_floor(simulation), 200, 1e-9);
}

TEST(Loads, a_stress_follows_the_distance_of_the_walls_it_acts_between) {
  Scene<2> scene = lid_on_a_disk(0.2);
  scene.bodies[3].pose = Pose<2>(Vec<2>(0, 0.4));  // the lid touches the disk
  scene.bodies[2].fixed = false;
  scene.bodies[2].drive[0] = {Drive::Kind::velocity, TimeFunction::constant(0.1)};
  scene.bodies[2].drive[1].kind = scene.bodies[2].drive[2].kind = Drive::Kind::locked;
  Simulation<2> simulation(scene);
  test::run(simulation, 1001);
  // The width at the start of the last step is 0.4 m + 1 s at 0.1 m/s.
  EXPECT_NEAR(force_on_the_floor(simulation), 500 * 0.5, 1e-8);
}

TEST(Loads, a_servo_with_a_force_needs_no_width) {
  Scene<2> scene = lid_on_a_disk(0.2);
  scene.bodies[3].pose = Pose<2>(Vec<2>(0, 0.4));
  scene.servos[0].is_stress = false;
  scene.servos[0].between.clear();
  scene.servos[0].load = TimeFunction::table({0, 0.1}, {0, 70});
  Simulation<2> simulation(scene);
  test::run(simulation, 200);
  EXPECT_NEAR(force_on_the_floor(simulation), 70, 1e-9);
}

TEST(Loads, a_servo_that_cannot_work_says_why) {
  const auto message = [](void (*spoil)(Scene<2>&)) {
    Scene<2> scene = lid_on_a_disk(0.1);
    spoil(scene);
    try {
      Simulation<2> simulation(scene);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([](Scene<2>& s) { s.servos[0].wall = "lit"; }),
            "a servo names a wall: got lit, allowed: the name of a body");
  EXPECT_NE(message([](Scene<2>& s) { s.servos[0].wall = "left"; }).find("neither fixed nor driven"),
            std::string::npos);
  EXPECT_NE(
      message([](Scene<2>& s) { s.servos[0].between = {"left"}; }).find("two walls that face each other"),
      std::string::npos);
  EXPECT_NE(message([](Scene<2>& s) { s.bodies[3].drive[2].kind = Drive::Kind::free; }).find("locked"),
            std::string::npos);
  // 2 h F / speed = 2 * 1e-3 * 200 / 0.2 = 2 kg.
  EXPECT_NE(message([](Scene<2>& s) { s.bodies[3].mass = 1.9; }).find("2 kg or more"), std::string::npos);
  EXPECT_EQ(message([](Scene<2>& s) { s.bodies[3].mass = 2.1; }), "no error");
}

// A block of 0.2 x 0.1 m on a floor under gravity that turns by 0.2 rad/s.
template <int Dim>
Scene<Dim> tilting_block(double friction) {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, friction), 1e-3);
  scene.tilt.angle = TimeFunction::expression("0.2*t");
  scene.tilt.axis = Vec<3>(0, -2, 0);  // 3D: towards +x
  scene.bodies.push_back(test::ground<Dim>());
  if constexpr (Dim == 2)
    scene.bodies.push_back(test::body<2>(build_rectangle(0.2, 0.1), {0, 0.05}));
  else
    scene.bodies.push_back(test::body<3>(build_box(Vec<3>(0.2, 0.2, 0.1)), {0, 0, 0.05}));
  return scene;
}

template <int Dim>
double angle_where_it_moves(Simulation<Dim>& simulation) {
  while (simulation.bodies().velocity[1].norm() < 1e-6) simulation.step();
  return 0.2 * simulation.time();
}

// A block slides at tan(angle) = mu. The angle of a step is a mean over it, so it is known to one step of
// tilting, 2e-4 rad, and 1e-6 m/s are reached 1e-6/(g dangle) later: two steps in all.
TEST(Loads, a_block_slides_when_gravity_has_tilted_to_the_angle_of_friction) {
  for (const double mu : {0.1, 0.3, 0.7}) {
    Simulation<2> plane(tilting_block<2>(mu));
    EXPECT_NEAR(angle_where_it_moves(plane), std::atan(mu), 4e-4) << mu;
    EXPECT_GT(plane.bodies().velocity[1].x(), 0);
    Simulation<3> space(tilting_block<3>(mu));
    EXPECT_NEAR(angle_where_it_moves(space), std::atan(mu), 4e-4) << mu;
    EXPECT_GT(space.bodies().velocity[1].x(), 0);
    EXPECT_LT(space.summary().energy_defect.worst(), 1e-10);
  }
}

TEST(Loads, tilted_gravity_keeps_its_length_and_does_work) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  scene.tilt.angle = TimeFunction::constant(std::numbers::pi / 2);
  scene.bodies = {test::body<2>(Ball<2>{0.1}, {0, 0})};
  Simulation<2> simulation(scene);
  test::run(simulation, 100);
  EXPECT_NEAR(simulation.bodies().velocity[0].x(), 0.1 * test::kGravity, 1e-12);
  EXPECT_NEAR(simulation.bodies().velocity[0].y(), 0, 1e-12);
  EXPECT_NEAR(simulation.summary().energy.gravity, simulation.summary().energy.kinetic, 1e-9);
}

}  // namespace
}  // namespace saltus::loads_test
