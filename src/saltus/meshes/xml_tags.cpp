#include "saltus/meshes/xml_tags.hpp"

#include <algorithm>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";

}  // namespace

void XmlTags::fail(const std::string& what, const std::string& value, const std::string& allowed) const {
  throw InputError(where_ + ":" + std::to_string(line_), what, value, allowed);
}

void XmlTags::advance(std::size_t to) {
  line_ += static_cast<std::size_t>(std::count(text_.begin() + at_, text_.begin() + to, '\n'));
  at_ = to;
}

bool XmlTags::next(XmlTag& tag) {
  for (;;) {
    const std::size_t open = text_.find('<', at_);
    if (open == std::string_view::npos) return false;
    advance(open);
    const bool comment = text_.substr(at_).starts_with("<!--");
    const std::string_view closing = comment ? "-->" : ">";
    const std::size_t close = text_.find(closing, at_);
    if (close == std::string_view::npos) fail("a tag that does not end", {}, "'>'");
    std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    const std::size_t line = line_;
    if (inside.starts_with("!") || inside.starts_with("?")) {
      advance(close + closing.size());
      continue;
    }
    tag = {};
    tag.line = line;
    tag.end = close + 1;
    tag.is_closed = inside.ends_with('/');
    if (tag.is_closed) inside.remove_suffix(1);
    const std::size_t name = std::min(inside.find_first_of(kXmlBlanks), inside.size());
    tag.name = inside.substr(0, name);
    if (tag.name.empty() || tag.name.size() > 60) fail("a tag without a name");
    read_attributes(inside.substr(name), tag);
    advance(tag.end);
    return true;
  }
}

void XmlTags::read_attributes(std::string_view inside, XmlTag& tag) const {
  for (;;) {
    const std::size_t from = inside.find_first_not_of(kXmlBlanks);
    if (from == std::string_view::npos) return;
    inside.remove_prefix(from);
    const std::size_t equals = inside.find('=');
    const std::size_t open =
        equals == std::string_view::npos ? equals : inside.find_first_not_of(kXmlBlanks, equals + 1);
    if (open == std::string_view::npos || (inside[open] != '"' && inside[open] != '\''))
      fail("attributes of <" + tag.name + ">", {}, "NAME=\"VALUE\"");
    const std::size_t close = inside.find(inside[open], open + 1);
    if (close == std::string_view::npos) fail("an attribute of <" + tag.name + "> that does not end");
    std::string_view key = inside.substr(0, equals);
    key = key.substr(0, key.find_last_not_of(kXmlBlanks) + 1);
    tag.attributes.emplace_back(key, inside.substr(open + 1, close - open - 1));
    inside.remove_prefix(close + 1);
  }
}

}  // namespace saltus
