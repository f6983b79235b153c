#include "saltus/base/input_error.hpp"

#include <utility>

namespace saltus {

namespace {

std::string format_message(const std::string& where, const std::string& what, const std::string& value,
                           const std::string& allowed) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!value.empty()) text += ": got " + value;
  if (!allowed.empty()) text += (value.empty() ? ": allowed: " : ", allowed: ") + allowed;
  // what() ends at the first zero, and the sentence with it.
  for (std::size_t at; (at = text.find('\0')) != std::string::npos;) text.replace(at, 1, "\\x00");
  return text;
}

}  // namespace

InputError::InputError(std::string where, const std::string& what, std::string value, std::string allowed)
    : std::runtime_error(format_message(where, what, value, allowed)),
      where_(std::move(where)),
      value_(std::move(value)),
      allowed_(std::move(allowed)) {}

}  // namespace saltus
