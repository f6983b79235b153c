// Lines of an Abaqus deck: keyword lines ("*ELEMENT, TYPE=C3D8, ELSET=block") and data lines of values between commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/files/text_scanner.hpp"

namespace saltus {

class AbaqusLines {
 public:
  AbaqusLines(std::string_view text, std::string where) : text_(text), in_(text, std::move(where)) {}

  // Goes to the next line that is neither empty nor a comment (**). False at the end.
  bool next();
  bool is_keyword() const { return is_keyword_; }
  // In capitals, without its star, one blank between words: "SOLID SECTION".
  const std::string& keyword() const { return keyword_; }
  bool has(std::string_view parameter) const;
  // Of a parameter (its name in capitals): as written, without quotes; empty when there is none.
  std::string parameter(std::string_view name) const;
  // As `parameter`; throws when it is missing or empty.
  std::string required(std::string_view name) const;

  // Values of a data line, blanks at their ends gone. An empty one after the last comma is not among them.
  const std::vector<std::string_view>& fields() const { return fields_; }
  std::int64_t integer(std::string_view name, std::string_view field, std::int64_t lowest) const;
  double real(std::string_view name, std::string_view field) const;

  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const {
    in_.fail(what, value, allowed);
  }

 private:
  std::string_view text_;
  TextScanner in_;
  bool is_keyword_ = false;
  std::string keyword_;
  std::vector<std::string_view> fields_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

std::string to_capitals(std::string_view text);
// At most 40 characters that can be printed, in quotes.
std::string quote_field(std::string_view field);

}  // namespace saltus
