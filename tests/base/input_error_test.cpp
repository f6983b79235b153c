#include "saltus/base/input_error.hpp"

#include <gtest/gtest.h>

namespace saltus::input_error_test {
namespace {

TEST(InputError, the_message_tells_where_what_value_and_what_is_allowed) {
  const InputError error("wall.toml:3:8", "friction is negative", "-0.1", "0 or more");
  EXPECT_STREQ(error.what(), "wall.toml:3:8: friction is negative: got -0.1, allowed: 0 or more");
  EXPECT_EQ(error.where(), "wall.toml:3:8");
  EXPECT_EQ(error.value(), "-0.1");
  EXPECT_EQ(error.allowed(), "0 or more");
}

TEST(InputError, parts_that_are_not_known_leave_no_trace_in_the_message) {
  EXPECT_STREQ(InputError("a.dat", "cannot be opened").what(), "a.dat: cannot be opened");
  EXPECT_STREQ(InputError("", "unknown solver", "nlsg").what(), "unknown solver: got nlsg");
  EXPECT_STREQ(InputError("a.dat", "no dimension", "", "2, 3 or 5").what(),
               "a.dat: no dimension: allowed: 2, 3 or 5");
}

TEST(InputError, is_caught_as_a_standard_exception) {
  EXPECT_THROW(throw InputError("a", "b"), std::runtime_error);
}

}  // namespace
}  // namespace saltus::input_error_test
