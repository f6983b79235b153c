// N values that are nearly always all defaults: nothing is stored until one is written, and copies share
// what is stored. Reading through a const array costs one test; writing makes the storage the array's own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace saltus {

template <class T, std::size_t N>
class SparseArray {
 public:
  static constexpr std::size_t size() { return N; }

  const T& operator[](std::size_t i) const { return values()[i]; }
  T& operator[](std::size_t i) { return own()[i]; }

  const T* begin() const { return values().data(); }
  const T* end() const { return begin() + N; }
  T* begin() { return own().data(); }
  T* end() { return begin() + N; }

  void fill(const T& value) { own().fill(value); }

 private:
  using Values = std::array<T, N>;

  const Values& values() const { return stored_ ? *stored_ : kDefaults; }
  Values& own() {
    if (!stored_)
      stored_ = std::make_shared<Values>();
    else if (stored_.use_count() > 1)
      stored_ = std::make_shared<Values>(*stored_);
    return *stored_;
  }

  inline static const Values kDefaults{};
  std::shared_ptr<Values> stored_;
};

}  // namespace saltus
