// Values to bytes and back, in the order they are visited: the same function describes both.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus {

// Objects without bytes between their members: numbers, vectors and matrices of fixed size. Others are written member by
// member, or the bytes between would be what memory happened to hold.
template <class T>
inline constexpr bool kIsPacked = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class Scalar, int Rows, int Columns, int Options>
inline constexpr bool kIsPacked<Eigen::Matrix<Scalar, Rows, Columns, Options>> =
    sizeof(Eigen::Matrix<Scalar, Rows, Columns, Options>) == sizeof(Scalar) * (Rows * Columns);
template <class T, std::size_t Count>
inline constexpr bool kIsPacked<std::array<T, Count>> = kIsPacked<T>;

// Objects are copied byte by byte: their bits must come back exactly. What is written goes to the sink in parts of kPart
// bytes, the last by `finish`.
class ByteWriter {
 public:
  explicit ByteWriter(const ByteSink& sink) : sink_(sink) { part_.reserve(2 * kPart); }

  template <class T>
  void operator()(const T& value) {
    static_assert(kIsPacked<T> && sizeof(T) <= kPart);
    const std::size_t at = part_.size();
    part_.resize(at + sizeof(T));
    std::memcpy(part_.data() + at, static_cast<const void*>(&value), sizeof(T));
    if (part_.size() >= kPart) finish();
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    list(values, *this);
  }
  // A length, then what `transfer` writes of each; `list` of a reader likewise.
  template <class T, class Transfer>
  void list(const std::vector<T>& values, Transfer&& transfer) {
    (*this)(values.size());
    for (const T& value : values) transfer(value);
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
    static_assert(kIsPacked<T>);
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
    list(values, *this);
  }
  template <class T, class Transfer>
  void list(std::vector<T>& values, Transfer&& transfer) {
    std::size_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) throw InputError("", "the saved state is damaged: a length that cannot be");
    values.resize(count);
    for (T& value : values) transfer(value);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace saltus
