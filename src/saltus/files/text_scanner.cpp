#include "saltus/files/text_scanner.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A token as shown in a message: short, and printable whatever bytes the file holds.
std::string quote(std::string_view token) {
  constexpr std::size_t kShown = 40;
  std::string text = "'";
  for (const char c : token.substr(0, kShown)) text += c >= 32 && c < 127 ? c : '?';
  return text + (token.size() > kShown ? "...'" : "'");
}

std::string element(std::string_view name, std::int64_t index) {
  return index < 0 ? std::string(name) : fmt::format("{}[{}]", name, index);
}

// Numbers beyond the range of double: those too small become zero or subnormal, those too
// large infinity (which the caller refuses).
double parse_extreme(std::string_view token) { return std::strtod(std::string(token).c_str(), nullptr); }

}  // namespace

void TextScanner::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n';
}

std::string_view TextScanner::token() {
  skip_space();
  token_line_ = line_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TextScanner::rest_of_line() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  const std::string_view rest = text_.substr(begin, at_ - begin);
  token_line_ = line_;
  if (at_ < text_.size()) ++at_, ++line_;
  return rest;
}

std::string_view TextScanner::bytes(std::string_view name, std::uint64_t count) {
  in_bytes_ = true;
  if (count > left())
    fail(fmt::format("the file is too short for {}", name), fmt::format("{} bytes", left()),
         fmt::format("{} bytes", count));
  at_ += count;
  return text_.substr(at_ - count, count);
}

bool TextScanner::skip_past(std::string_view word) {
  const std::size_t place = text_.find(word, at_);
  if (place == std::string_view::npos) return false;
  for (; at_ < place + word.size(); ++at_) line_ += text_[at_] == '\n';
  return true;
}

std::int64_t TextScanner::integer(std::string_view name, std::int64_t lowest, std::int64_t highest) {
  const std::string_view word = token();
  const auto range = [&] { return fmt::format("an integer from {} to {}", lowest, highest); };
  if (word.empty()) fail(fmt::format("the text ends where {} should be", name), {}, range());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < lowest || value > highest)
    fail(std::string(name), quote(word), range());
  return value;
}

std::vector<int> TextScanner::integers(std::string_view name, std::int64_t count, std::int64_t lowest,
                                       std::int64_t highest) {
  require(name, count);
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int& value : values) value = static_cast<int>(integer(name, lowest, highest));
  return values;
}

double TextScanner::real(std::string_view name, std::int64_t index) {
  const std::string_view word = token();
  if (word.empty()) fail(fmt::format("the text ends where {} should be", element(name, index)));
  const std::string_view digits = word.front() == '+' ? word.substr(1) : word;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    fail(element(name, index), quote(word), "a number");
  if (error == std::errc::result_out_of_range) value = parse_extreme(digits);
  if (!std::isfinite(value)) fail(element(name, index), quote(word), "a finite number");
  return value;
}

Eigen::VectorXd TextScanner::reals(std::string_view name, std::int64_t count) {
  require(name, count);
  Eigen::VectorXd values(count);
  for (std::int64_t i = 0; i < count; ++i) values[i] = real(name, i);
  return values;
}

Eigen::VectorXd TextScanner::friction(std::string_view name, std::int64_t count) {
  require(name, count);
  Eigen::VectorXd values(count);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = real(name, i);
    if (values[i] < 0) fail(element(name, i) + " is negative", fmt::format("{}", values[i]), "0 or more");
  }
  return values;
}

void TextScanner::expect(std::string_view word) {
  const std::string_view found = token();
  if (found.empty()) fail(fmt::format("the text ends where '{}' should be", word));
  if (found != word) fail("unexpected word", quote(found), quote(word));
}

void TextScanner::require(std::string_view name, std::int64_t count) const {
  const std::size_t left = text_.size() - at_;
  // A token takes one character and a separator; the last needs no separator.
  if (count > 0 && static_cast<std::size_t>(count) > left / 2 + 1)
    fail(fmt::format("the text is too short for {}", name), fmt::format("{} characters", left),
         fmt::format("room for {} numbers", count));
}

std::size_t TextScanner::count_remaining_tokens() {
  std::size_t count = 0;
  while (!token().empty()) ++count;
  return count;
}

std::string TextScanner::place() const {
  return in_bytes_ ? fmt::format("{}, byte {}", where_, at_) : fmt::format("{}:{}", where_, token_line_);
}

void TextScanner::fail(const std::string& what, const std::string& value, const std::string& allowed) const {
  throw InputError(place(), what, value, allowed);
}

}  // namespace saltus
