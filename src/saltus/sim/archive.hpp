// Values to bytes and back, in the order they are visited: the same function describes both.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "saltus/base/input_error.hpp"

namespace saltus {

// Objects are copied byte by byte: plain numbers, and the fixed-size vectors, quaternions and poses made of
// them, whose bits must come back exactly.
class ByteWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_destructible_v<T>);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, static_cast<const void*>(&value), sizeof(T));
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    for (const T& value : values) (*this)(value);
  }

  std::vector<std::byte> bytes;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (bytes_.size() < sizeof(T)) throw InputError("", "the saved state ends too early");
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::size_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) throw InputError("", "the saved state is damaged: a length that cannot be");
    values.resize(count);
    for (T& value : values) (*this)(value);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace saltus
