// Values to bytes and back, in the order they are visited: the same function describes both.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus {

// Objects are copied byte by byte: plain numbers, and the fixed-size vectors, quaternions and poses made of
// them, whose bits must come back exactly. What is written goes to the sink in parts of kPart bytes, the last
// by `finish`.
class ByteWriter {
 public:
  explicit ByteWriter(const ByteSink& sink) : sink_(sink) { part_.reserve(2 * kPart); }

  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_destructible_v<T> && sizeof(T) <= kPart);
    const std::size_t at = part_.size();
    part_.resize(at + sizeof(T));
    std::memcpy(part_.data() + at, static_cast<const void*>(&value), sizeof(T));
    if (part_.size() >= kPart) finish();
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    for (const T& value : values) (*this)(value);
  }
  void finish() {
    sink_(part_);
    part_.clear();
  }

 private:
  static constexpr std::size_t kPart = std::size_t{1} << 16;
  const ByteSink& sink_;
  std::vector<std::byte> part_;
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
  void operator()(bool& value) {
    unsigned char byte = 0;
    (*this)(byte);
    value = byte != 0;  // any other byte is no bool
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
