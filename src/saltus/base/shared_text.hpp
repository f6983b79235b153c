// A text that many objects have in common: copies share it.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace saltus {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text)  // NOLINT: stands for a string
      : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}  // NOLINT

  const std::string& str() const { return text_ ? *text_ : kEmpty; }
  operator const std::string&() const { return str(); }  // NOLINT
  bool empty() const { return str().empty(); }
  friend bool operator==(const SharedText& a, const std::string& b) { return a.str() == b; }

 private:
  inline static const std::string kEmpty;
  std::shared_ptr<const std::string> text_;
};

}  // namespace saltus
