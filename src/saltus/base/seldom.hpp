// A value that is nearly never there: it takes a pointer until it is. Reads like std::optional, copies the
// value when copied.
#pragma once

#include <memory>
#include <utility>

namespace saltus {

template <class T>
class Seldom {
 public:
  Seldom() = default;
  Seldom(const T& value) : value_(std::make_unique<T>(value)) {}  // NOLINT: as std::optional
  Seldom(const Seldom& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Seldom(Seldom&&) noexcept = default;
  Seldom& operator=(Seldom other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }

  explicit operator bool() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  friend bool operator==(const Seldom& a, const Seldom& b) {
    return a.value_ && b.value_ ? *a == *b : !a.value_ && !b.value_;
  }
  T value_or(const T& other) const { return value_ ? *value_ : other; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace saltus
