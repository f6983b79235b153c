// A 64-bit hash of the state of a run: two runs agree bit for bit if, but for a chance of
// 2^-64, their hashes agree. Not for adversaries.
//
// Every number is one 64-bit word and the order of the words matters:
//
//     state <- mix((state xor word) + 0x9e3779b97f4a7c15)
//
// with the output function of splitmix64 (Steele, Lea, Flood 2014). The words of a span are
// those of its elements, so how data is cut into calls does not matter; where a length is
// part of the state, add it. Doubles enter by their bits: -0.0 and 0.0 differ, as do NaNs
// of different payload. The hash is a witness of bits, not of values. Integers are widened
// with their sign; strings enter as their length and then their bytes.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace saltus {

class StateHash {
 public:
  void add(double value) { add_word(std::bit_cast<std::uint64_t>(value)); }
  template <std::integral Integer>
  void add(Integer value) {
    add_word(static_cast<std::uint64_t>(value));
  }
  void add(std::string_view text);
  void add(std::span<const double> values) { add_all(values); }
  void add(std::span<const int> values) { add_all(values); }
  void add(std::span<const std::int64_t> values) { add_all(values); }

  std::uint64_t value() const { return state_; }
  std::string hex() const;  // 16 digits

 private:
  template <class T>
  void add_all(std::span<const T> values) {
    for (const T value : values) add(value);
  }
  void add_word(std::uint64_t word) {
    std::uint64_t z = (state_ ^ word) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    state_ = z ^ (z >> 31);
  }

  std::uint64_t state_ = 0;
};

}  // namespace saltus
