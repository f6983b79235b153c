#include "saltus/dynamics/accelerogram.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "temporary_folder.hpp"

namespace saltus::accelerogram_test {
namespace {

class Accelerogram : public ::testing::Test {
 protected:
  void write(const std::string& text) const { folder_.write("record.at2", text); }
  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("record.at2");
};

TEST_F(Accelerogram, a_peer_record_has_its_own_spacing_and_many_values_on_a_line) {
  write(
      "A DATABASE\nA QUAKE, 1/1/2000\nACCELERATION IN UNITS OF G\nNPTS=   7, DT=   .0050 SEC,\n"
      " .1E-01  .2E-01 -.3E-01  .4\n .5 .6 .7\n");
  const TimeFunction f = load_time_table(path_, 0, 10);
  ASSERT_EQ(f.values.size(), 7u);
  EXPECT_DOUBLE_EQ(f.at(0.01), -0.3);
  EXPECT_DOUBLE_EQ(f.at(0.0125), 0.5 * (-0.3 + 4));
  EXPECT_DOUBLE_EQ(f.times.back(), 0.03);
}

TEST_F(Accelerogram, a_record_that_lost_values_is_refused) {
  write("x\nx\nx\nNPTS= 5, DT= 0.01 SEC\n1 2 3\n");
  EXPECT_THROW(load_time_table(path_), InputError);
  write("NPTS= 3, DT= 0.01 SEC\n1 two 3\n");
  EXPECT_THROW(load_time_table(path_), InputError);
}

TEST_F(Accelerogram, plain_columns_are_no_record) {
  write("# time value\n0 1\n1 3\n");
  EXPECT_FALSE(load_peer_record(path_, 1));
  EXPECT_DOUBLE_EQ(load_time_table(path_).at(0.5), 2);
}

}  // namespace
}  // namespace saltus::accelerogram_test
