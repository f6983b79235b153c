#include "saltus/exchange/word_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "saltus/base/byte_order_mark.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

bool separates(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == ',' || c == ';';
}

std::string shown(std::string_view word) { return fmt::format("'{}'", word.substr(0, 40)); }

}  // namespace

bool WordLines::next() {
  comments_.clear();
  while (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    ++line_;
    if (line_ == 1) line = without_byte_order_mark(line, where_);
    if (const std::size_t mark = line.find('#'); mark != std::string_view::npos) {
      comments_.emplace_back(line.substr(mark + 1));
      line = line.substr(0, mark);
    }
    words_.clear();
    for (std::size_t i = 0; i < line.size();) {
      if (separates(line[i])) {
        ++i;
        continue;
      }
      const std::size_t begin = i;
      while (i < line.size() && !separates(line[i])) ++i;
      words_.push_back(line.substr(begin, i - begin));
    }
    if (!words_.empty()) return true;
  }
  words_.clear();
  return false;
}

double WordLines::real(std::size_t word, std::string_view name) const {
  if (word >= words_.size()) fail(fmt::format("{} is missing", name), fmt::format("{} words", words_.size()));
  std::string_view text = words_[word];
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(std::string(name), shown(words_[word]), "a finite number");
  return value;
}

std::int64_t WordLines::integer(std::size_t word, std::string_view name) const {
  if (word >= words_.size()) fail(fmt::format("{} is missing", name), fmt::format("{} words", words_.size()));
  std::int64_t value = 0;
  const std::string_view text = words_[word];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(std::string(name), shown(text), "a whole number");
  return value;
}

std::string WordLines::place() const { return fmt::format("{}:{}", where_, std::max<std::size_t>(line_, 1)); }

void WordLines::fail(const std::string& what, const std::string& value, const std::string& allowed) const {
  throw InputError(place(), what, value, allowed);
}

}  // namespace saltus
