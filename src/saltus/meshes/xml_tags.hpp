// The tags of an XML text one after the other, with the places of what stands between them. As much of XML as VTK's files
// use: no entities but in values that are not looked at, no DTD.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace saltus {

struct XmlTag {
  std::string name;  // "/DataArray" for an end
  std::vector<std::pair<std::string, std::string>> attributes;
  bool is_closed = false;  // <tag/>
  std::size_t line = 1;    // where it begins
  std::size_t end = 0;     // place in the text behind its '>'

  std::string attribute(std::string_view key) const {  // empty: there is none
    for (const auto& [own, value] : attributes)
      if (own == key) return value;
    return {};
  }
};

class XmlTags {
 public:
  XmlTags(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  // False at the end of the text. Comments and declarations are passed over. Throws InputError at "where:line".
  bool next(XmlTag& tag);
  std::size_t line() const { return line_; }
  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const;

 private:
  void advance(std::size_t to);
  void read_attributes(std::string_view inside, XmlTag& tag) const;

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace saltus
