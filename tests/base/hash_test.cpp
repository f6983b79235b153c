#include "saltus/base/hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace saltus::hash_test {
namespace {

template <class... Values>
std::uint64_t hash_of(const Values&... values) {
  StateHash hash;
  (hash.add(values), ...);
  return hash.value();
}

TEST(StateHash, one_zero_gives_the_first_number_of_splitmix64_from_seed_zero) {
  EXPECT_EQ(hash_of(0), 0xe220a8397b1dcdafu);
}

TEST(StateHash, the_last_bit_of_a_double_changes_it) {
  EXPECT_NE(hash_of(1.0), hash_of(std::nextafter(1.0, 2.0)));
}

TEST(StateHash, the_order_of_the_numbers_matters) { EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0)); }

TEST(StateHash, minus_zero_differs_from_zero) { EXPECT_NE(hash_of(0.0), hash_of(-0.0)); }

TEST(StateHash, an_integer_hashes_alike_in_every_width) {
  EXPECT_EQ(hash_of(-7), hash_of(std::int64_t{-7}));
  EXPECT_EQ(hash_of(std::uint8_t{200}), hash_of(std::uint64_t{200}));
}

TEST(StateHash, the_cut_into_calls_does_not_matter) {
  const std::vector<double> all = {1, 2, 3, 4};
  StateHash parts;
  parts.add(std::span(all).first(1));
  parts.add(std::span(all).last(3));
  EXPECT_EQ(parts.value(), hash_of(all));
  EXPECT_EQ(parts.value(), hash_of(1.0, 2.0, 3.0, 4.0));
}

TEST(StateHash, strings_are_kept_apart) {
  EXPECT_NE(hash_of(std::string_view("ab"), std::string_view("c")),
            hash_of(std::string_view("a"), std::string_view("bc")));
}

TEST(StateHash, a_row_of_zeros_hashes_by_its_length) {
  std::set<std::uint64_t> seen;
  StateHash hash;
  // Any repeat among 1000 would be a cycle, not chance: that has probability below 1e-13.
  for (int i = 0; i < 1000; ++i) {
    hash.add(0.0);
    EXPECT_TRUE(seen.insert(hash.value()).second) << i;
  }
}

TEST(StateHash, hex_has_sixteen_digits) {
  EXPECT_EQ(StateHash().hex(), "0000000000000000");
  StateHash hash;
  hash.add(0);
  EXPECT_EQ(hash.hex(), "e220a8397b1dcdaf");
}

}  // namespace
}  // namespace saltus::hash_test
