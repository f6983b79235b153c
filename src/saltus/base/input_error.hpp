// The one exception for anything a user can get wrong.
//
// `where` is a place the user can open ("file", "file:line" or "file:line:column"),
// `what` says what is wrong, `value` what was found and `allowed` what would have
// been right; either may be empty. The message reads
//
//     WHERE: WHAT: got VALUE, allowed: ALLOWED
#pragma once

#include <stdexcept>
#include <string>

namespace saltus {

class InputError : public std::runtime_error {
 public:
  InputError(std::string where, const std::string& what, std::string value = {}, std::string allowed = {});

  const std::string& where() const { return where_; }
  const std::string& value() const { return value_; }
  const std::string& allowed() const { return allowed_; }

 private:
  std::string where_;
  std::string value_;
  std::string allowed_;
};

}  // namespace saltus
