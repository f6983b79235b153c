// Event-driven integration against closed forms. Tolerance of the integration 1e-11 unless said.
#include "saltus/schemes/event_driven.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "saltus/base/log.hpp"

namespace saltus::event_driven_test {
namespace {

using Vector = Eigen::VectorXd;

std::shared_ptr<const CoordinateFunction> function(std::vector<int> dofs, CallbackFunction::Callback f) {
  return std::make_shared<CallbackFunction>(std::move(dofs), std::move(f));
}
// q_dof + offset
std::shared_ptr<const CoordinateFunction> coordinate(int dof, double offset = 0) {
  return function({dof}, [=](const Vector& q, double, Eigen::Ref<Vector> g, double& rate) {
    g[0] = 1;
    rate = 0;
    return q[dof] + offset;
  });
}

EventModel unit_masses(int size, std::function<void(const Vector&, Vector&)> force) {
  EventModel model;
  model.size = size;
  model.mass = [](const Vector&, Eigen::MatrixXd& mass) { mass.setIdentity(); };
  model.force = [=](double, const Vector& q, const Vector&, Vector& f) { force(q, f); };
  return model;
}

EventModel ball(double restitution) {
  EventModel model = unit_masses(1, [](const Vector&, Vector& f) { f[0] = -9.81; });
  EventContact floor;
  floor.gap = coordinate(0);
  floor.restitution = restitution;
  model.contacts = {floor};
  return model;
}

// From 1 m: impacts at t_1 (1 + 2 e + 2 e^2 + ...), which end at t_1 (1+e)/(1-e). Motion of second order is integrated
// exactly, so that times are to round-off and the root that was accepted.
TEST(EventDriven, a_bouncing_ball_hits_when_it_should_and_comes_to_rest) {
  EventDriven events(ball(0.5), {1e-11, 100});
  Vector q = Vector::Ones(1), v = Vector::Zero(1);
  const EventReport report = events.advance(0, 2, q, v);
  ASSERT_FALSE(report.stopped) << report.reason;
  const double first = std::sqrt(2 / 9.81);
  double next = first, flight = 2 * first;
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(report.impact_times[k], next, 1e-13) << k;
    flight *= 0.5;
    next += flight;
  }
  EXPECT_NEAR(report.impact_times.back(), 3 * first, 1e-8);
  EXPECT_NEAR(q[0], 0, 1e-15);
  EXPECT_EQ(v[0], 0);
  EXPECT_EQ(events.modes()[0], ContactMode::slides);
  // What was lost is what it fell; impulses are the momentum of the fall.
  EXPECT_NEAR(report.forces + report.impact, 0, 1e-12);
  // The last approach, below 1e-9 m/s, ends without an impulse of its own.
  EXPECT_NEAR(events.impulses()[0][0], 2 * 9.81, 1e-9);
}

TEST(EventDriven, impacts_that_accumulate_beyond_the_limit_stop_it_and_leave_the_state) {
  EventDriven events(ball(0.9), {1e-11, 50});
  Vector q = Vector::Ones(1), v = Vector::Zero(1);
  const EventReport report = events.advance(0, 10, q, v);
  EXPECT_TRUE(report.stopped);
  EXPECT_NE(report.reason.find("accumulate"), std::string::npos) << report.reason;
  EXPECT_EQ(q[0], 1);
  EXPECT_EQ(v[0], 0);
}

// x'' = -x from 1, a stop at -1/2 with e = 0.8: phases of circles.
TEST(EventDriven, an_impacting_oscillator_follows_its_closed_form) {
  EventModel model = unit_masses(1, [](const Vector& q, Vector& f) { f[0] = -q[0]; });
  EventContact stop;
  stop.gap = coordinate(0, 0.5);
  stop.restitution = 0.8;
  model.contacts = {stop};
  EventDriven events(model, {1e-11, 100});
  Vector q = Vector::Ones(1), v = Vector::Zero(1);
  const EventReport report = events.advance(0, 20, q, v);
  ASSERT_FALSE(report.stopped);
  double t = std::acos(-0.5), speed = std::sin(t);
  std::size_t hits = 0;
  for (; t < 20; ++hits) {
    ASSERT_LT(hits, report.impact_times.size());
    // Errors of the integration add up over the phases.
    EXPECT_NEAR(report.impact_times[hits], t, 1e-9) << hits;
    speed *= 0.8;
    const double phase = std::atan2(speed, -0.5);
    if (t + 2 * phase >= 20) {
      const double size = std::hypot(0.5, speed);
      EXPECT_NEAR(q[0], size * std::cos(20 - t - phase), 1e-9);
      EXPECT_NEAR(v[0], -size * std::sin(20 - t - phase), 1e-9);
    }
    t += 2 * phase;
  }
  EXPECT_EQ(report.impact_times.size(), hits);
  EXPECT_NEAR(0.5 * v[0] * v[0], report.forces + report.impact, 1e-9);
}

// mu = 0.2 from 2 m/s: stops after v^2/(2 mu g), at v/(mu g), and sticks.
TEST(EventDriven, a_mass_that_slides_stops_where_it_should) {
  EventModel model = unit_masses(2, [](const Vector&, Vector& f) { f << 0, -9.81; });
  EventContact floor;
  floor.gap = coordinate(1);
  floor.tangent = coordinate(0);
  floor.friction = 0.2;
  model.contacts = {floor};
  EventDriven events(model, {1e-11, 100});
  Vector q = Vector::Zero(2), v = Eigen::Vector2d(2, 0);
  const EventReport report = events.advance(0, 2, q, v);
  ASSERT_FALSE(report.stopped) << report.reason;
  EXPECT_EQ(report.events, 1);
  EXPECT_NEAR(q[0], 4 / (2 * 0.2 * 9.81), 1e-13);
  EXPECT_EQ(events.modes()[0], ContactMode::sticks);
  EXPECT_NEAR(report.friction, -2, 1e-12);
}

// A mass pulled by a force that grows: it sticks until 0.5 t = mu m g, then slides with x'' = 0.5 (t - t_0).
TEST(EventDriven, a_mass_that_sticks_starts_to_slide_when_pulled_enough) {
  EventModel model = unit_masses(2, [](const Vector&, Vector&) {});
  model.force = [](double t, const Vector&, const Vector&, Vector& f) { f << 0.5 * t, -10; };
  EventContact floor;
  floor.gap = coordinate(1);
  floor.tangent = coordinate(0);
  floor.friction = 0.1;
  model.contacts = {floor};
  EventDriven events(model, {1e-11, 100});
  Vector q = Vector::Zero(2), v = Vector::Zero(2);
  const EventReport report = events.advance(0, 5, q, v);
  ASSERT_FALSE(report.stopped) << report.reason;
  EXPECT_EQ(events.modes()[0], ContactMode::slides);
  EXPECT_NEAR(q[0], 0.5 * 27.0 / 6, 1e-9);
  EXPECT_NEAR(v[0], 0.5 * 9.0 / 2, 1e-9);
}

// A block of 0.2 x 0.4 m tilted by 0.2 rad about a corner, e = 0, mu = 1: it falls as a physical pendulum, the quarter
// period of Housner (1963) by quadrature; at each impact the spin falls by 1 - 3/2 sin^2 alpha = 0.7, tan alpha = 1/2.
TEST(EventDriven, a_rocking_block_falls_in_housners_time_and_loses_his_part) {
  const double b = 0.1, c = 0.2, inertia = (b * b + c * c) / 3, tilt = 0.2;
  EventModel model;
  model.size = 3;
  model.mass = [=](const Vector&, Eigen::MatrixXd& mass) {
    mass.setIdentity();
    mass(2, 2) = inertia;
  };
  model.force = [](double, const Vector&, const Vector&, Vector& f) { f << 0, -9.81, 0; };
  for (const double side : {-1.0, 1.0}) {
    EventContact corner;
    corner.gap = function({1, 2}, [=](const Vector& q, double, Eigen::Ref<Vector> g, double& rate) {
      g[0] = 1, g[1] = side * b * std::cos(q[2]) + c * std::sin(q[2]);
      rate = 0;
      return q[1] + side * b * std::sin(q[2]) - c * std::cos(q[2]);
    });
    corner.tangent = function({0, 2}, [=](const Vector& q, double, Eigen::Ref<Vector> g, double& rate) {
      g[0] = 1, g[1] = -side * b * std::sin(q[2]) + c * std::cos(q[2]);
      rate = 0;
      return q[0] + side * b * std::cos(q[2]) + c * std::sin(q[2]);
    });
    corner.friction = 1;
    model.contacts.push_back(corner);
  }
  const double alpha = std::atan2(b, c), radius = std::hypot(b, c);
  const double p2 = 9.81 * radius / (inertia + radius * radius);
  double quarter = 0;  // theta = tilt (1 - s^2): no singularity at the start
  const int parts = 100000;
  for (int i = 0; i < parts; ++i) {
    const double s = (i + 0.5) / parts, theta = tilt * (1 - s * s);
    quarter += 2 * tilt * s / std::sqrt(2 * p2 * (std::cos(alpha - tilt) - std::cos(alpha - theta))) / parts;
  }
  EventDriven events(model, {1e-11, 100});
  Vector q = Eigen::Vector3d(0, b * std::sin(tilt) + c * std::cos(tilt), tilt), v = Vector::Zero(3);
  EventReport report = events.advance(0, 0.2, q, v);
  ASSERT_FALSE(report.stopped) << report.reason;
  EXPECT_EQ(events.modes()[0], ContactMode::sticks);
  EXPECT_EQ(events.modes()[1], ContactMode::open);
  const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]) + 9.81 * q[1];
  EXPECT_NEAR(energy, 9.81 * (b * std::sin(tilt) + c * std::cos(tilt)), 1e-9);
  report = events.advance(0.2, 0.21, q, v);
  ASSERT_EQ(report.impacts, 1);
  EXPECT_NEAR(report.impact_times[0], quarter, 1e-9);
  EXPECT_EQ(events.modes()[0], ContactMode::open);
  // The energy it goes on with is that of the fall, times the square of Housner's factor.
  const double fall = 9.81 * (b * std::sin(tilt) + c * std::cos(tilt) - c);
  const double left = 0.5 * (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]) + 9.81 * (q[1] - c);
  EXPECT_NEAR(left / fall, 0.49, 1e-7);
}

// A rod whose lower end slides on rough ground fast enough: Painleve's paradox, where no force fits.
TEST(EventDriven, where_no_state_of_the_contacts_fits_it_stops_and_says_so) {
  EventModel model;
  model.size = 3;
  model.mass = [](const Vector&, Eigen::MatrixXd& mass) {
    mass.setIdentity();
    mass(2, 2) = 1.0 / 3;
  };
  model.force = [](double, const Vector&, const Vector&, Vector& f) { f << 0, -9.81, 0; };
  // End at the centre less (cos a, sin a), a rod of 2 m.
  EventContact end;
  end.gap = function({1, 2}, [](const Vector& q, double, Eigen::Ref<Vector> g, double& rate) {
    g[0] = 1, g[1] = -std::cos(q[2]);
    rate = 0;
    return q[1] - std::sin(q[2]);
  });
  end.tangent = function({0, 2}, [](const Vector& q, double, Eigen::Ref<Vector> g, double& rate) {
    g[0] = 1, g[1] = std::sin(q[2]);
    rate = 0;
    return q[0] - std::cos(q[2]);
  });
  end.friction = 3;  // above 4/3
  model.contacts = {end};
  EventDriven events(model, {1e-11, 100});
  const double a = 1.0;
  Vector q = Eigen::Vector3d(0, std::sin(a), a), v = Eigen::Vector3d(-1, 0, 0);
  v[1] = std::cos(a) * v[2];
  const EventReport report = events.advance(0, 1, q, v);
  // Whichever way it slides, one of the two is the paradox: the other way its forces fit.
  Vector q2 = Eigen::Vector3d(0, std::sin(a), a), v2 = Eigen::Vector3d(1, 0, 0);
  EventDriven other(model, {1e-11, 100});
  const EventReport back = other.advance(0, 1e-3, q2, v2);
  EXPECT_TRUE(report.stopped || back.stopped);
}

// Two hundred coordinates hardly moved while every evaluation of the accelerations inverted their mass.
TEST(EventDriven, a_mass_that_is_constant_is_inverted_once) {
  int asked = 0;
  EventModel model = unit_masses(200, [](const Vector& q, Vector& f) { f = -q; });
  model.mass = [&](const Vector&, Eigen::MatrixXd& mass) {
    mass.setIdentity();
    ++asked;
  };
  EventDriven driven(model, {1e-11, 100});
  Vector q = Vector::Ones(200), v = Vector::Zero(200);
  driven.advance(0, 1, q, v);
  EXPECT_EQ(asked, 1);
  // cos t: a hundred times the tolerance of a step, for some hundred steps.
  EXPECT_NEAR(q[199], std::cos(1.0), 1e-9);
}

// A thousand radians per second for 0.3 s, in steps of about a fortieth of a radian at this tolerance.
TEST(EventDriven, a_motion_that_takes_very_many_steps_is_told_once) {
  std::string said;
  int times = 0;
  set_log_sink([&](LogLevel, std::string_view message) {
    said += message;
    ++times;
  });
  EventDriven driven(unit_masses(1, [](const Vector& q, Vector& f) { f = -1e6 * q; }), {1e-11, 100});
  Vector q = Vector::Ones(1), v = Vector::Zero(1);
  driven.advance(0, 0.3, q, v);
  driven.advance(0.3, 0.6, q, v);
  set_log_sink({});
  EXPECT_EQ(times, 1);
  for (const char* part :
       {"10000 steps", "until the end of this h, 0.3 s", "event_tolerance", "generalized-alpha"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in: " << said;
}

}  // namespace
}  // namespace saltus::event_driven_test
