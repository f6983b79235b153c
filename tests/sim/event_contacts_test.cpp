// Contacts of rigid bodies under the event-driven scheme: listed with their forces, as under any other.
#include <gtest/gtest.h>

#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::event_contacts_test {
namespace {

// Force on body b, N, and the number of contacts that carry it.
struct Load {
  Vec<2> force = Vec<2>::Zero();
  int contacts = 0;
};

Load load(const Simulation<2>& simulation, double h) {
  Load sum;
  for (const ContactState<2>& contact : simulation.contacts()) {
    sum.force += contact.axes * contact.impulse / h;
    ++sum.contacts;
  }
  return sum;
}

// On a slope below the angle of friction: both corners stick and together carry the weight, as a force and not as its parts along
// the floor. The forces are constant, so that the mean over a step is exact to the tolerance of the integration.
TEST(EventContacts, of_a_block_that_sticks_on_a_slope_carry_its_weight) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.6), 1e-2);
  scene.scheme.kind = SchemeKind::event_driven;
  const double angle = 20 * std::numbers::pi / 180;
  scene.bodies = {test::ground<2>(), test::body<2>(build_rectangle(0.4, 0.2), Vec<2>(0, 0.1))};
  scene.gravity = 9.81 * Vec<2>(-std::sin(angle), -std::cos(angle));
  Simulation<2> simulation(scene);
  const double mass = simulation.bodies().model[1].mass;
  for (int k = 0; k < 20; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.contacts, 2);
    const Load sum = load(simulation, scene.scheme.h);
    EXPECT_EQ(sum.contacts, 2);
    EXPECT_LT((sum.force + mass * scene.gravity).norm(), 1e-9 * mass * 9.81);
    for (const ContactState<2>& contact : simulation.contacts()) {
      EXPECT_EQ(contact.status, ContactStatus::stick);
      EXPECT_EQ(contact.a, 0);  // as detection lists it, impulses on b
    }
  }
  // At rest nothing is left of the balance but round-off, beside what the weight would do in a step.
  EXPECT_LT(simulation.summary().energy_defect.worst(), 1e-6);
}

// A disk that falls on another, which is fixed and comes later in the list: the impulse is on the fixed one, downwards, and the next
// step in flight has no contact.
TEST(EventContacts, that_were_hit_within_a_step_are_listed_with_their_impulse) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-2);
  scene.default_law->restitution = 0.5;
  scene.scheme.kind = SchemeKind::event_driven;
  SceneBody<2> below = test::body<2>(Disk{0.5}, Vec<2>(0, 0));
  below.fixed = true;
  SceneBody<2> above = test::body<2>(Disk{0.5}, Vec<2>(0, 1.0 + 0.5 * 9.81 * 0.095 * 0.095));
  scene.bodies = {above, below};
  Simulation<2> simulation(scene);
  const double mass = simulation.bodies().model[0].mass, hit = 9.81 * 0.095;
  for (int k = 0; k < 9; ++k) {
    simulation.step();
    EXPECT_EQ(simulation.contact_count(), 0);
  }
  simulation.step();
  ASSERT_EQ(simulation.contact_count(), 1);
  const ContactState<2> contact = simulation.contacts()[0];
  // (1 + e) m v; the event is located to 1e-12 s and better.
  EXPECT_NEAR((contact.axes * contact.impulse).y(), -1.5 * mass * hit, 1e-8 * mass * hit);
  simulation.step();
  EXPECT_EQ(simulation.contact_count(), 0);
}

// A block rocks on a corner, which sticks: velocities that are held at zero are off by what the integration leaves, and that is told. It is
// what the bodies really have, and not zero (the tolerance of the integration is coarse, 1e-4).
TEST(EventContacts, tell_what_the_integration_left_of_their_law) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.8), 1e-2);
  scene.scheme.kind = SchemeKind::event_driven;
  scene.scheme.events.tolerance = 1e-4;
  scene.gravity = {0, -9.81};
  const double width = 0.4, height = 1,
               angle = 0.2;  // its lowest corner is at (-w/2, -h/2) turned by the angle
  SceneBody<2> block = test::body<2>(build_rectangle(width, height), Vec<2>(0, 0));
  block.pose = Pose<2>(Vec<2>(0, 0.5 * width * std::sin(angle) + 0.5 * height * std::cos(angle)), -angle);
  scene.bodies = {test::ground<2>(), block};
  Simulation<2> simulation(scene);
  double largest = 0;
  for (int k = 0; k < 50; ++k) {
    const StepReport report = simulation.step();
    double worst = 0, squares = 0;
    for (const ContactState<2>& contact : simulation.contacts()) {
      const Vec<2> u = contact.velocity;
      const double held = contact.status == ContactStatus::inactive ? 0  // it was left within the step
                          : contact.status == ContactStatus::stick  ? u.norm()
                                                                    : std::abs(u.x());
      // In single precision.
      EXPECT_NEAR(contact.residual, held, 1e-6 * held);
      worst = std::max(worst, held), squares += held * held;
    }
    EXPECT_DOUBLE_EQ(report.residual_max, worst);
    EXPECT_NEAR(report.residual_rms, std::sqrt(squares / report.contacts), 1e-12 * worst);
    EXPECT_DOUBLE_EQ(report.residual_max_gh, worst / (9.81 * scene.scheme.h));
    largest = std::max(largest, worst);
  }
  EXPECT_GT(largest, 0);
}

}  // namespace
}  // namespace saltus::event_contacts_test
