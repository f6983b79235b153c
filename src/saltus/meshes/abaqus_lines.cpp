#include "saltus/meshes/abaqus_lines.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view trim(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

// "solid   section" to "SOLID SECTION".
std::string to_keyword(std::string_view text) {
  std::string word;
  for (const char c : to_capitals(trim(text)))
    if (kBlanks.find(c) == std::string_view::npos)
      word += c;
    else if (word.back() != ' ')
      word += ' ';
  return word;
}

}  // namespace

std::string to_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return capitals;
}

std::string quote_field(std::string_view field) {
  std::string text = "'";
  for (const char c : field.substr(0, 40)) text += c >= 32 && c < 127 ? c : '?';
  return text + (field.size() > 40 ? "...'" : "'");
}

bool AbaqusLines::next() {
  std::string_view line;
  do {
    if (in_.offset() >= text_.size()) return false;
    line = trim(in_.rest_of_line());
  } while (line.empty() || line.starts_with("**"));
  fields_.clear();
  is_keyword_ = line[0] == '*';
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    fields_.push_back(trim(line.substr(from, comma - from)));
    from = comma + 1;
  }
  if (fields_.size() > 1 && fields_.back().empty()) fields_.pop_back();
  if (!is_keyword_) return true;
  keyword_ = to_keyword(fields_[0].substr(1));
  parameters_.clear();
  for (std::size_t i = 1; i < fields_.size(); ++i) {
    const std::size_t equals = fields_[i].find('=');
    std::string_view value = equals == std::string_view::npos ? "" : trim(fields_[i].substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    parameters_.emplace_back(to_keyword(fields_[i].substr(0, equals)), value);
  }
  return true;
}

bool AbaqusLines::has(std::string_view name) const {
  for (const auto& parameter : parameters_)
    if (parameter.first == name) return true;
  return false;
}

std::string AbaqusLines::parameter(std::string_view name) const {
  for (const auto& parameter : parameters_)
    if (parameter.first == name) return parameter.second;
  return {};
}

std::string AbaqusLines::required(std::string_view name) const {
  std::string value = parameter(name);
  if (value.empty()) fail("*" + keyword_ + " without " + std::string(name) + "=");
  return value;
}

std::int64_t AbaqusLines::integer(std::string_view name, std::string_view field, std::int64_t lowest) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || value < lowest)
    fail(std::string(name), quote_field(field), "an integer from " + std::to_string(lowest) + " on");
  return value;
}

double AbaqusLines::real(std::string_view name, std::string_view field) const {
  const std::string_view digits = !field.empty() && field[0] == '+' ? field.substr(1) : field;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Too small for a double is zero; too large is no number.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(digits).c_str(), nullptr);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(std::string(name), quote_field(field), "a finite number");
  return value;
}

}  // namespace saltus
