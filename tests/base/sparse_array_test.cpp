#include "saltus/base/sparse_array.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace saltus::sparse_array_test {
namespace {

struct Value {
  std::string text = "default";
};
using Array = SparseArray<Value, 3>;

TEST(SparseArray, holds_defaults_until_something_is_written) {
  const Array array;
  for (const Value& value : array) EXPECT_EQ(value.text, "default");
  const Array other;
  EXPECT_EQ(array.begin(), other.begin()) << "two arrays of defaults have storage of their own";
}

TEST(SparseArray, writing_to_a_copy_leaves_the_original_as_it_was) {
  Array first;
  first[1].text = "one";
  Array second = first;
  const Array& shared = second;
  EXPECT_EQ(shared.begin(), std::as_const(first).begin())
      << "a copy that is only read has storage of its own";
  second[1].text = "two";
  EXPECT_EQ(std::as_const(first)[1].text, "one");
  EXPECT_EQ(shared[1].text, "two");
  EXPECT_EQ(shared[0].text, "default");
}

TEST(SparseArray, fill_writes_every_value) {
  Array array;
  array.fill({"full"});
  for (const Value& value : std::as_const(array)) EXPECT_EQ(value.text, "full");
}

}  // namespace
}  // namespace saltus::sparse_array_test
