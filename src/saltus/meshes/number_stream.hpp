// Numbers of a mesh file, written as text or as bytes: what is read is the same, so that one parser serves both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "saltus/files/text_scanner.hpp"

namespace saltus {

class NumberStream : public TextScanner {
 public:
  using TextScanner::TextScanner;

  bool is_binary = false, is_swapped = false;  // the file's bytes are in the other order than ours

  static constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

  // "int" of the format: 4 bytes.
  std::int64_t number(std::string_view name, std::int64_t lowest, std::int64_t highest) {
    return is_binary ? within(name, fetch<std::int32_t>(name), lowest, highest)
                     : integer(name, lowest, highest);
  }
  // "size_t" of the format: 8 bytes.
  std::int64_t size(std::string_view name, std::int64_t lowest, std::int64_t highest = kLargest) {
    return is_binary ? within(name, fetch<std::int64_t>(name), lowest, highest)
                     : integer(name, lowest, highest);
  }
  // How many things follow, each of at least `bytes` bytes in a binary file and `words` words in a text.
  std::int64_t count(std::int64_t found, std::string_view name, std::int64_t words, std::int64_t bytes) {
    const auto room = static_cast<std::int64_t>(is_binary ? left() / bytes : (left() / 2 + 1) / words);
    if (found > room)
      fail("the file is too short for its number of " + std::string(name), std::to_string(found),
           "at most " + std::to_string(room) + " in the bytes that are left");
    return found;
  }
  double coordinate(std::string_view name) { return is_binary ? fetch<double>(name) : real(name); }

  template <typename T>
  T fetch(std::string_view name) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes(name, sizeof raw).data(), sizeof raw);
    if (is_swapped) std::reverse(raw, raw + sizeof raw);
    T value;
    std::memcpy(&value, raw, sizeof raw);
    return value;
  }

 private:
  std::int64_t within(std::string_view name, std::int64_t value, std::int64_t lowest,
                      std::int64_t highest) const {
    if (value < lowest || value > highest)
      fail(std::string(name), std::to_string(value),
           "an integer from " + std::to_string(lowest) + " to " + std::to_string(highest));
    return value;
  }
};

}  // namespace saltus
