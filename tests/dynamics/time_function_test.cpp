#include "saltus/dynamics/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/drive.hpp"
#include "temporary_folder.hpp"

namespace saltus::time_function_test {
namespace {

TEST(TimeFunction, a_table_joins_its_points_and_stays_constant_outside) {
  const TimeFunction f = TimeFunction::table({1, 2, 4}, {10, 20, 0});
  EXPECT_EQ(f.at(0), 10);
  EXPECT_EQ(f.at(1.5), 15);
  EXPECT_EQ(f.at(3), 10);
  EXPECT_EQ(f.at(9), 0);
  EXPECT_EQ(f.slope_before(2), 10);
  EXPECT_EQ(f.slope_before(2.5), -10);
  // 10 before the table, two trapezes, 0 after.
  EXPECT_DOUBLE_EQ(f.integral(0, 5), 10 + 15 + 20);
}

TEST(TimeFunction, sine_and_expression_of_the_same_curve_agree) {
  const TimeFunction sine = TimeFunction::sine(2, 0.5, 0.3, 1),
                     text = TimeFunction::expression("1+2*sin(pi*t+0.3)");
  for (const double t : {0.0, 0.4, 1.7}) {
    EXPECT_NEAR(sine.at(t), text.at(t), 1e-14);
    EXPECT_NEAR(sine.slope_before(t), text.slope_before(t), 1e-13);
  }
  // Simpson on one interval d: d^5 f''''/2880, f'''' <= 2 pi^4.
  EXPECT_NEAR(sine.integral(0.2, 0.3), text.integral(0.2, 0.3),
              1e-5 * 2 * std::pow(std::numbers::pi, 4) / 2880);
}

TEST(TimeFunction, a_table_that_goes_back_in_time_is_refused) {
  EXPECT_THROW(TimeFunction::table({0, 1, 1}, {0, 1, 2}), InputError);
  EXPECT_THROW(TimeFunction::table({}, {}), InputError);
}

TEST(TimeFunction, a_file_gives_values_and_its_mistakes_give_the_line) {
  const TemporaryFolder folder;
  const std::string path = folder.write("record.txt", "# record\n0.5\n1.5\n-1.0\n");
  const TimeFunction f = load_time_table(path, 0.01, 9.81);
  EXPECT_DOUBLE_EQ(f.at(0.01), 1.5 * 9.81);
  EXPECT_THROW(load_time_table(path), InputError);
  folder.write("record.txt", "0 1\n0.1 x\n");
  try {
    load_time_table(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(":2"), std::string::npos);
  }
  EXPECT_THROW(load_time_table(folder.path("none.txt"), 0.1), InputError);
}

TEST(Drive, a_position_drive_ends_on_its_curve_and_an_acceleration_integrates) {
  const Drive position{Drive::Kind::position, TimeFunction::expression("t^2")};
  const DrivenStep step = compute_driven_step(position, 0, 1, 1.5, 0.5);
  EXPECT_DOUBLE_EQ(step.displacement, 1.25);
  EXPECT_DOUBLE_EQ(step.velocity, 3);
  const Drive acceleration{Drive::Kind::acceleration, TimeFunction::table({0, 1}, {0, 4})};
  // v = 2 t^2 on the table: from t = 0.5 to 1 it grows by 2 - 0.5.
  EXPECT_DOUBLE_EQ(compute_driven_step(acceleration, 7, 0.5, 1, 0.5).velocity, 8.5);
}

}  // namespace
}  // namespace saltus::time_function_test
