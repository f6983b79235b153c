#include "saltus/systems/lagrangian_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/systems/expression_model.hpp"
#include "saltus/systems/slope_check.hpp"
#include "saltus/systems/trapezoidal_system.hpp"

namespace saltus::lagrangian_system_test {
namespace {

using Texts = std::vector<std::string>;

std::shared_ptr<ExpressionModel> model_of(SystemNames names, const std::vector<Texts>& mass,
                                          const Texts& force) {
  std::vector<std::vector<ExpressionModel::Text>> rows;
  for (const Texts& row : mass) {
    rows.emplace_back();
    for (const std::string& text : row) rows.back().push_back({text, ""});
  }
  std::vector<ExpressionModel::Text> forces;
  for (const std::string& text : force) forces.push_back({text, ""});
  check_names(names, "");
  return std::make_shared<ExpressionModel>(std::move(names), rows, forces);
}

StepWeights weights(double h, double theta) {
  return {h, theta, h * theta, h * h * theta * theta, h * theta, h * theta, h * (1 - theta)};
}

Eigen::VectorXd vector(std::initializer_list<double> values) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// Two points of masses 1 and 0.7 kg on rods of 1 and 0.6 m, angles from below.
std::shared_ptr<ExpressionModel> double_pendulum() {
  return model_of({{"a", "b"}, {"da", "db"}, {{"m", 0.7}, {"M", 1.7}, {"l", 0.6}, {"g", 9.81}}},
                  {{"M", "m*l*cos(a - b)"}, {"m*l*cos(a - b)", "m*l^2"}}, {"-M*g*sin(a)", "-m*g*l*sin(b)"});
}

// Crank, rod and slider of the SliderCrank reference: clearances open, so that it moves freely.
std::shared_ptr<ExpressionModel> slider_crank() {
  const std::string x = "(m2/2 + m3)*l1*l2*cos(t2 - t1)";
  return model_of(
      {{"t1", "t2", "t3"},
       {"w1", "w2", "w3"},
       {{"l1", 0.153},
        {"l2", 0.306},
        {"m1", 0.038},
        {"m2", 0.038},
        {"m3", 0.076},
        {"J1", 7.4e-5},
        {"J2", 5.9e-4},
        {"J3", 2.7e-6},
        {"g", 9.81}}},
      {{"J1 + (m1/4 + m2 + m3)*l1^2", x, "0"}, {x, "J2 + (m2/4 + m3)*l2^2", "0"}, {"0", "0", "J3"}},
      {"-(m1/2 + m2 + m3)*g*l1*cos(t1)", "-(m2/2 + m3)*g*l2*cos(t2)", "0"});
}

// Accelerations by solving the equations as they stand in textbooks; RK4 in steps far below those of the test.
struct Reference {
  const LagrangianModel& model;
  Eigen::VectorXd q, v;

  Eigen::VectorXd acceleration(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& u) const {
    const int n = model.size();
    Eigen::MatrixXd M(n, n);
    std::vector<Eigen::MatrixXd> slopes(n, Eigen::MatrixXd::Zero(n, n));
    Eigen::VectorXd F(n);
    model.fill_mass(x, M);
    if (!model.has_constant_mass()) model.fill_mass_slopes(x, slopes);
    model.fill_force(t, x, u, F);
    for (int k = 0; k < n; ++k) {
      F -= u[k] * (slopes[k] * u);
      F[k] += 0.5 * u.dot(slopes[k] * u);
    }
    return M.ldlt().solve(F);
  }
  void run(double until, int steps) {
    const double d = until / steps;
    for (int i = 0; i < steps; ++i) {
      const double t = i * d;
      const Eigen::VectorXd v1 = v, a1 = acceleration(t, q, v1);
      const Eigen::VectorXd v2 = v + d / 2 * a1, a2 = acceleration(t + d / 2, q + d / 2 * v1, v2);
      const Eigen::VectorXd v3 = v + d / 2 * a2, a3 = acceleration(t + d / 2, q + d / 2 * v2, v3);
      const Eigen::VectorXd v4 = v + d * a3, a4 = acceleration(t + d, q + d * v3, v4);
      q += d / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += d / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
};

struct Outcome {
  Eigen::VectorXd q, v;
  double defect = 0, momentum = 0;  // worst of the energy balance and of the momentum, relative
};

Outcome run(const std::shared_ptr<const LagrangianModel>& model, const Eigen::VectorXd& q,
            const Eigen::VectorXd& v, double h, double until, double theta = 0.5) {
  LagrangianSystem system(model, {q, v});
  Outcome result;
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(q.size());
  for (int k = 0; k < std::lround(until / h); ++k) {
    system.predict(weights(h, theta), k * h, {});
    system.correct(none);
    EXPECT_EQ(system.trouble(), "");
    const SystemEnergy e = system.audit();
    const double parts = e.forces + e.damping + e.elastic + e.scheme;
    result.defect =
        std::max(result.defect, std::abs(e.kinetic_change - parts) / (e.kinetic + std::abs(e.forces)));
    result.momentum = std::max(result.momentum, e.momentum_defect / e.momentum_scale);
  }
  result.q = system.coordinates(), result.v = system.velocity();
  return result;
}

// A halved step divides the error by four: 3.8 allows the next order, h.
void expect_second_order(const std::shared_ptr<const LagrangianModel>& model, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v, double h, double until) {
  Reference reference{*model, q, v};
  reference.run(until, 40000);
  const Outcome coarse = run(model, q, v, h, until), fine = run(model, q, v, h / 2, until);
  EXPECT_GT((coarse.q - reference.q).norm(), 3.8 * (fine.q - reference.q).norm());
  EXPECT_LT((coarse.q - reference.q).norm(), 4.2 * (fine.q - reference.q).norm());
  EXPECT_GT((coarse.v - reference.v).norm(), 3.8 * (fine.v - reference.v).norm());
  // Round-off of sums of a few terms, in every step; near a point of return they cancel to a thousandth.
  EXPECT_LT(coarse.defect, 1e-12);
  EXPECT_LT(coarse.momentum, 1e-14);
}

TEST(LagrangianSystem, a_double_pendulum_converges_with_order_two_and_balances_its_energy) {
  expect_second_order(double_pendulum(), vector({1.2, -0.5}), vector({0.3, 1.0}), 0.005, 2);
}

TEST(LagrangianSystem, a_slider_crank_in_free_motion_converges_with_order_two) {
  expect_second_order(slider_crank(), vector({0, 0, 0.1}), vector({150, -75, 3}), 2e-5, 0.02);
}

TEST(LagrangianSystem, forces_of_time_and_velocity_converge_with_order_two) {
  expect_second_order(model_of({{"x"}, {"v"}}, {{"1 + x^2"}}, {"-4*x - 0.3*v*abs(v) + cos(3*t)"}),
                      vector({0.4}), vector({0.1}), 0.01, 3);
}

TEST(LagrangianSystem, damping_and_stiffness_are_those_of_a_linear_oscillator) {
  // q'' + 0.2 q' + 4 q = 0 from q = 1: exp(-0.1 t)(cos w t + 0.1/w sin w t), w^2 = 4 - 0.01.
  LagrangianSystem system(
      model_of({{"x"}, {"v"}}, {{"1"}}, {"0"}),
      {vector({1}), vector({0}), Eigen::MatrixXd::Constant(1, 1, 0.2), Eigen::MatrixXd::Constant(1, 1, 4)});
  const double h = 1e-3, w = std::sqrt(3.99), t = 3;
  for (int k = 0; k < 3000; ++k) {
    system.predict(weights(h, 0.5), k * h, {});
    system.correct(Eigen::VectorXd::Zero(1));
    const SystemEnergy e = system.audit();
    ASSERT_NEAR(e.kinetic_change, e.forces + e.damping + e.elastic + e.scheme, 1e-14);
  }
  // The midpoint rule is off by (w h)^2/12 of the phase w t: 2e-6.
  EXPECT_NEAR(system.coordinates()[0], std::exp(-0.1 * t) * (std::cos(w * t) + 0.1 / w * std::sin(w * t)),
              3e-6);
}

// Without gravity the energy is kinetic; the azimuth is cyclic. Both are kept to round-off for 20000 steps, whatever
// the step: a point on a sphere goes round a great circle.
TEST(LagrangianSystem, a_spherical_pendulum_keeps_energy_and_moment_of_momentum) {
  const auto model = model_of({{"a", "b"}, {"da", "db"}}, {{"1", "0"}, {"0", "sin(a)^2"}}, {"0", "0"});
  LagrangianSystem system(model, {vector({1.0, 0.0}), vector({0.4, 2.0})});
  const double energy = 0.5 * (0.16 + 4 * std::pow(std::sin(1.0), 2)),
               moment = 2 * std::pow(std::sin(1.0), 2);
  double worst_energy = 0, worst_moment = 0;
  for (int k = 0; k < 20000; ++k) {
    system.predict(weights(0.02, 0.5), 0, {});
    system.correct(Eigen::VectorXd::Zero(2));
    ASSERT_EQ(system.trouble(), "");
    const Eigen::VectorXd &q = system.coordinates(), &v = system.velocity();
    worst_energy = std::max(worst_energy, std::abs(system.audit().kinetic - energy));
    worst_moment = std::max(worst_moment, std::abs(std::pow(std::sin(q[0]), 2) * v[1] - moment));
  }
  EXPECT_LT(worst_energy, 20000 * 4e-16);
  EXPECT_LT(worst_moment, 20000 * 4e-16);
}

TEST(LagrangianSystem, a_spherical_pendulum_under_gravity_does_not_drift) {
  const auto model =
      model_of({{"a", "b"}, {"da", "db"}}, {{"1", "0"}, {"0", "sin(a)^2"}}, {"-9.81*sin(a)", "0"});
  const auto error = [&](double h) {
    LagrangianSystem system(model, {vector({1.0, 0.0}), vector({0.4, 2.0})});
    const auto energy = [&] {
      const Eigen::VectorXd &q = system.coordinates(), &v = system.velocity();
      return 0.5 * (v[0] * v[0] + std::pow(std::sin(q[0]) * v[1], 2)) - 9.81 * std::cos(q[0]);
    };
    const double start = energy();
    double worst = 0;
    for (int k = 0; k < std::lround(100 / h); ++k) {
      system.predict(weights(h, 0.5), 0, {});
      system.correct(Eigen::VectorXd::Zero(2));
      worst = std::max(worst, std::abs(energy() - start));
    }
    return worst;
  };
  // Bounded over 50 swings, of order h^2: a drift would show as a ratio of less.
  const double coarse = error(0.01), fine = error(0.005);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_GT(coarse / fine, 3.7);
}

TEST(LagrangianSystem, impulses_change_the_momentum_by_as_much) {
  LagrangianSystem system(double_pendulum(), {vector({1.2, -0.5}), vector({0.3, 1.0})});
  for (int k = 0; k < 100; ++k) {
    system.predict(weights(0.01, 0.5), 0.01 * k, {});
    const Eigen::VectorXd impulse = vector({0.3 * std::cos(0.1 * k), -0.2});
    system.correct(impulse);
    const SystemEnergy e = system.audit();
    EXPECT_LT(e.momentum_defect, 1e-14 * e.momentum_scale);
  }
}

TEST(LagrangianSystem, the_free_velocity_follows_the_impulse) {
  LagrangianSystem system(double_pendulum(), {vector({1.2, -0.5}), vector({0.3, 1.0})});
  const Eigen::VectorXd impulse = vector({2.0, -1.0});
  system.predict(weights(0.05, 0.5), 0, {});
  const std::vector<int> dofs = {0, 1};
  const Eigen::MatrixXd inverse = system.inverse_between(dofs);
  EXPECT_GT(system.relinearise(impulse), 1e-4);
  EXPECT_LT(system.relinearise(impulse), 1e-13);
  const Eigen::VectorXd expected = system.free_velocity() + inverse * impulse;
  system.correct(impulse);
  EXPECT_LT((system.velocity() - expected).norm(), 1e-13 * expected.norm());
  EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-14 * inverse.norm());
}

TEST(LagrangianSystem, functions_of_a_program_do_as_formulas) {
  auto model = std::make_shared<CallbackModel>();
  const double m = 0.7, l = 0.6, g = 9.81;
  model->coordinates = 2;
  model->mass = [=](const Eigen::VectorXd& q, Eigen::MatrixXd& M) {
    M << m + 1, m * l * std::cos(q[0] - q[1]), m * l * std::cos(q[0] - q[1]), m * l * l;
  };
  model->mass_slopes = [=](const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes) {
    const double s = m * l * std::sin(q[0] - q[1]);
    slopes[0] << 0, -s, -s, 0;
    slopes[1] << 0, s, s, 0;
  };
  model->force = [=](double, const Eigen::VectorXd& q, const Eigen::VectorXd&, Eigen::VectorXd& F) {
    F << -(m + 1) * g * std::sin(q[0]), -m * g * l * std::sin(q[1]);
  };
  const Eigen::VectorXd q = vector({1.2, -0.5}), v = vector({0.3, 1.0});
  // No slopes of the forces: Newton's method takes more turns to the same end.
  const Outcome ours = run(double_pendulum(), q, v, 0.01, 1), theirs = run(model, q, v, 0.01, 1);
  EXPECT_LT((ours.q - theirs.q).norm(), 1e-11);
  EXPECT_FALSE(find_wrong_slopes(*model, 0, q, v).empty());
  model->force_slopes = [=](double, const Eigen::VectorXd& x, const Eigen::VectorXd&, Eigen::MatrixXd& by_q,
                            Eigen::MatrixXd&) {
    by_q << -(m + 1) * g * std::cos(x[0]), 0, 0, -m * g * l * std::cos(x[1]);
  };
  EXPECT_TRUE(find_wrong_slopes(*model, 0, q, v).empty());
}

TEST(LagrangianSystem, derivatives_of_formulas_agree_with_differences) {
  const Eigen::VectorXd q = vector({0.3, -1.1, 0.7}), v = vector({2, -1, 0.5});
  EXPECT_TRUE(find_wrong_slopes(*slider_crank(), 0.3, q, v).empty());
  const SystemNames names{{"x", "y", "z"}, {"u", "v", "w"}};
  const auto model =
      model_of(names, {{"2 + x*y", "0", "0.1*z"}, {"0", "exp(z)", "0"}, {"0.1*z", "0", "3 + atan2(x, 2)"}},
               {"sqrt(x^2 + 1)*v^3*t", "tanh(u*y) - pow(2, z)", "min(x, y)*max(u, w)/(1 + z^2)"});
  EXPECT_TRUE(find_wrong_slopes(*model, 0.3, q, v).empty());
  const ExpressionFunction gap("sin(x)*y^2 - cos(3*t)*z", names);
  EXPECT_TRUE(find_wrong_slopes(gap, "gap", *model, 0.3, q).empty());
  EXPECT_EQ(gap.dofs(), (std::vector<int>{0, 1, 2}));
}

TEST(LagrangianSystem, a_wrong_derivative_is_named) {
  const auto model = double_pendulum();
  const CallbackFunction wrong(
      {0}, [](const Eigen::VectorXd& q, double, Eigen::Ref<Eigen::VectorXd> gradient, double& rate) {
        gradient[0] = 2 * q[0] + 0.01;
        rate = 0;
        return q[0] * q[0];
      });
  const auto found = find_wrong_slopes(wrong, "the gap \"wall\"", *model, 0, vector({1, 1}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("the gap \"wall\" in a is 2.01, differences give 2"), std::string::npos)
      << found[0];
}

TEST(LagrangianSystem, a_mass_that_stops_being_positive_is_told_with_place_and_time) {
  LagrangianSystem system(model_of({{"x"}, {"v"}}, {{"1 - x"}}, {"1"}),
                          {vector({0}), vector({0.5}), {}, {}, 0, "sink"});
  std::string trouble;
  for (int k = 0; k < 200 && trouble.empty(); ++k) {
    system.predict(weights(0.01, 0.5), 0.01 * k, {});
    system.correct(Eigen::VectorXd::Zero(1));
    trouble = system.trouble();
  }
  EXPECT_EQ(trouble.find("system \"sink\": "), 0u) << trouble;
  EXPECT_NE(trouble.find("x = "), std::string::npos) << trouble;
  EXPECT_TRUE(system.coordinates().allFinite());
}

TEST(LagrangianSystem, a_force_that_is_not_finite_is_told_by_its_formula) {
  LagrangianSystem system(model_of({{"x"}, {"v"}}, {{"1"}}, {"1/(1 - 10*t)^0.5"}),
                          {vector({0}), vector({0})});
  std::string trouble;
  for (int k = 0; k < 20 && trouble.empty(); ++k) {
    system.predict(weights(0.01, 0.5), 0.01 * k, {});
    system.correct(Eigen::VectorXd::Zero(1));
    trouble = system.trouble();
  }
  EXPECT_NE(trouble.find("force[0] = \"1/(1 - 10*t)^0.5\" is "), std::string::npos) << trouble;
}

TEST(LagrangianSystem, refuses_a_mass_that_is_not_positive_definite) {
  EXPECT_THROW(LagrangianSystem(model_of({{"x"}, {"v"}}, {{"0"}}, {"0"}), {vector({0}), vector({0})}),
               InputError);
  EXPECT_THROW(LagrangianSystem(model_of({{"x"}, {"v"}}, {{"1/x"}}, {"0"}), {vector({0}), vector({0})}),
               InputError);
  EXPECT_THROW(LagrangianSystem(double_pendulum(), {vector({0}), vector({0, 0})}), InputError);
  EXPECT_THROW(model_of({{"x", "x"}, {"v", "w"}}, {{"1", "0"}, {"0", "1"}}, {"0", "0"}), InputError);
  EXPECT_THROW(model_of({{"sin"}, {"v"}}, {{"1"}}, {"0"}), InputError);
  EXPECT_THROW(model_of({{"t"}, {"v"}}, {{"1"}}, {"0"}), InputError);
}

// A free point of 2 kg in polar coordinates: the only forces are those that M(q) brings. Kinetic energy is their sum of works to
// round-off, and what other forces did is nothing but what the rule makes of it, of first order: it takes M at the end.
TEST(TrapezoidalSystem, works_add_up_and_terms_of_the_mass_are_no_forces) {
  const auto polar = model_of({{"x", "a"}, {"dx", "da"}, {{"m", 2}}}, {{"m", "0"}, {"0", "m*x^2"}},
                              {"m*x*da^2", "-2*m*x*dx*da"});
  for (const double theta : {0.5, 0.7}) {
    double gained[2];
    for (const int halving : {0, 1}) {
      const int steps = 200 << halving;
      TrapezoidalSystem point(polar, vector({1, 0}), vector({0, 2}), 1e-14, "");
      const Eigen::VectorXd none = Eigen::VectorXd::Zero(2);
      double forces = 0;
      for (int k = 0; k < steps; ++k) {
        point.predict(weights(1.0 / steps, theta), k * 1.0 / steps, {});
        while (point.relinearise(none) > 0) {
        }
        point.correct(none);
        const SystemEnergy energy = point.audit();
        // 4 J of kinetic energy.
        ASSERT_NEAR(energy.kinetic_change, energy.forces + energy.scheme, 1e-13) << theta << " step " << k;
        forces += energy.forces;
      }
      gained[halving] = std::abs(forces);
    }
    EXPECT_LT(gained[0], 0.02 * 4);
    EXPECT_NEAR(gained[1] / gained[0], 0.5, 0.05) << theta;  // first order, and a tenth of it for the second
  }
}

}  // namespace
}  // namespace saltus::lagrangian_system_test
