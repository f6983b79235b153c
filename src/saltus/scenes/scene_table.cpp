#include "saltus/scenes/scene_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/largest_number.hpp"

namespace saltus {

bool Range::contains(double value) const {
  return std::isfinite(value) && (above ? value > low : value >= low) && value <= high;
}

std::string Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "a finite number";
  if (std::isinf(low)) return fmt::format("a number up to {}", high);
  const std::string from =
      above ? fmt::format("a number above {}", low) : fmt::format("a number from {}", low);
  if (std::isinf(high)) return above ? from : fmt::format("a number, {} or more", low);
  return from + fmt::format(" to {}", high);
}

namespace {

// Where the text or comment that begins at `at` ends: its last character. `at` itself when none begins there.
std::size_t end_of_quoted(const std::string& text, std::size_t at) {
  const char c = text[at];
  if (c == '#') return std::min(text.find('\n', at), text.size()) - 1;
  if (c != '"' && c != '\'') return at;
  const std::string thrice(3, c);
  if (text.compare(at, 3, thrice) == 0) return std::min(text.find(thrice, at + 3), text.size() - 3) + 2;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == c || text[i] == '\n') return i;
    if (text[i] == '\\' && c == '"') ++i;
  }
  return text.size() - 1;
}

// Trees are walked and taken down by recursion: one of 10^5 levels would end the program. The parser itself
// bounds the nesting of brackets; this bounds the dotted keys between them.
void check_depth(const std::string& text, std::string_view path) {
  const std::string_view ends = "\n=,[]{}";
  int dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (ends.find(text[i]) != ends.npos) dots = 0;
    if (text[i] == '.' && ++dots >= kMostKeyParts) {
      const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n') + 1;
      throw InputError(fmt::format("{}:{}", path, line), "a key of very many parts", {},
                       fmt::format("up to {}", kMostKeyParts));
    }
    i = end_of_quoted(text, i);
  }
}

}  // namespace

toml::table parse_bounded(const std::string& text, std::string_view path) {
  check_depth(text, path);
  return toml::parse(text, path);
}

toml::table parse_toml(const std::string& text, const std::string& path) {
  try {
    return parse_bounded(text, path);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError(fmt::format("{}:{}:{}", path, at.line, at.column), std::string(error.description()));
  }
}

std::string locate(const toml::node& node) {
  const toml::source_region& source = node.source();
  std::string file = source.path ? *source.path : std::string();
  if (file.rfind("--set", 0) == 0 || !source.begin) return file;
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

std::string describe(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return fmt::format("an array of {}", node.as_array()->size());
  if (const auto* text = node.as_string()) {
    constexpr std::size_t kLongest = 60;
    const std::string& s = text->get();
    return '"' + (s.size() > kLongest ? s.substr(0, kLongest) + "..." : s) + '"';
  }
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::ostringstream out;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) out << value;
  });
  return out.str();
}

void fail_value(const toml::node& node, const std::string& path, const std::string& allowed) {
  throw InputError(locate(node), path, describe(node), allowed);
}

double read_number(const toml::node& node, const std::string& path, const Range& range) {
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !range.contains(*value)) fail_value(node, path, range.text());
  if (std::abs(*value) > kLargestNumber)
    fail_value(node, path, fmt::format("a number up to {} in size", kLargestNumber));
  return *value;
}

std::string TableReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

std::string TableReader::where() const {
  const std::string place = locate(*table_);
  return place.empty() ? path_ : place;
}

std::string TableReader::where(std::string_view key) const {
  const toml::node* found = table_->get(key);
  return locate(found ? *found : *table_);
}

void TableReader::fail(std::string_view key, const std::string& value, const std::string& allowed) const {
  throw InputError(where(key), path(key), value, allowed);
}

RequestListener*& request_listener() {
  thread_local RequestListener* listener = nullptr;
  return listener;
}

const toml::node* TableReader::node(std::string_view key) {
  note(key, {});
  return find(key);
}

void TableReader::form(std::string_view key, const char* name) const {
  const toml::node* found = table_->get(key);
  if (request_listener() && found) request_listener()->form(path(key), name, *found);
}

void TableReader::form(const char* name) const {
  if (request_listener()) request_listener()->form(path_, name, *table_);
}

std::string TableReader::list_text(const double* values, int count) {
  return request_listener() ? fmt::format("[{}]", fmt::join(values, values + count, ", ")) : std::string();
}

const toml::node* TableReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->get(key);
}

bool TableReader::has(std::string_view key) { return node(key) != nullptr; }

const toml::node& TableReader::require(std::string_view key, const std::string& allowed) {
  if (const toml::node* found = find(key)) return *found;
  // Misspelt, perhaps: then it is reported where it stands. Which of the other keys are known is not known yet.
  std::vector<std::string> others;
  for (const auto& [name, value] : *table_)
    if (std::find(known_.begin(), known_.end(), name.str()) == known_.end()) others.emplace_back(name.str());
  const std::string what = fmt::format("missing key \"{}\"", path(key)),
                    near = nearest_name(std::string(key), others);
  if (near.empty()) throw InputError(where(), what, {}, allowed);
  throw InputError(place_of(near), what, fmt::format("\"{}\" (did you mean \"{}\"?)", near, key), allowed);
}

std::string TableReader::place_of(std::string_view key) const {
  const auto found = table_->find(key);
  const toml::source_region& source = found->first.source();
  const bool from_file = source.path && source.path->rfind("--set", 0) != 0 && source.begin;
  return from_file ? fmt::format("{}:{}:{}", *source.path, source.begin.line, source.begin.column)
                   : locate(found->second);
}

void TableReader::finish() const {
  for (const auto& [key, value] : *table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    const std::string near = nearest_name(key.str(), known_);
    throw InputError(place_of(key.str()), fmt::format("unknown key \"{}\"", path(key.str())),
                     near.empty() ? "" : fmt::format("\"{}\" (did you mean \"{}\"?)", key.str(), near),
                     join_names(known_));
  }
}

double TableReader::number(std::string_view key, const Range& range) {
  note(key, {RequestType::number, 0, &range, nullptr, {}});
  return read_number(require(key, range.text()), path(key), range);
}

double TableReader::number(std::string_view key, double fallback, const Range& range) {
  if (request_listener()) note(key, {RequestType::number, 0, &range, nullptr, fmt::format("{}", fallback)});
  return has(key) ? number(key, range) : fallback;
}

namespace {

std::string integer_text(std::int64_t low, std::int64_t high) {
  return high == std::numeric_limits<std::int64_t>::max()
             ? fmt::format("a whole number, {} or more", low)
             : fmt::format("a whole number from {} to {}", low, high);
}

std::int64_t read_integer(const toml::node& node, const std::string& path, std::int64_t low,
                          std::int64_t high) {
  std::optional<std::int64_t> value = node.value_exact<std::int64_t>();
  // 1e6 is a whole number too.
  constexpr double kExact = 9007199254740992;  // 2^53: up to here doubles hold whole numbers
  const double real = node.value_exact<double>().value_or(0.5);
  if (!value && real == std::floor(real) && std::abs(real) <= kExact) value = static_cast<std::int64_t>(real);
  if (!value || *value < low || *value > high) fail_value(node, path, integer_text(low, high));
  return *value;
}

const toml::array& read_array(const toml::node& node, const std::string& path, const std::string& allowed) {
  if (!node.is_array()) fail_value(node, path, allowed);
  return *node.as_array();
}

std::string read_text(const toml::node& node, const std::string& path) {
  if (!node.is_string()) fail_value(node, path, "text in quotes");
  return node.as_string()->get();
}

}  // namespace

namespace {

Range integer_range(std::int64_t low, std::int64_t high) {
  const bool open = high == std::numeric_limits<std::int64_t>::max();
  return {static_cast<double>(low), open ? kAnyNumber.high : static_cast<double>(high)};
}

}  // namespace

std::int64_t TableReader::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const Range range = integer_range(low, high);
  note(key, {RequestType::integer, 0, &range, nullptr, {}});
  return read_integer(require(key, integer_text(low, high)), path(key), low, high);
}

std::int64_t TableReader::integer(std::string_view key, std::int64_t fallback, std::int64_t low,
                                  std::int64_t high) {
  const Range range = integer_range(low, high);
  if (request_listener()) note(key, {RequestType::integer, 0, &range, nullptr, fmt::format("{}", fallback)});
  return has(key) ? integer(key, low, high) : fallback;
}

bool TableReader::flag(std::string_view key, bool fallback) {
  note(key, {RequestType::flag, 0, nullptr, nullptr, fallback ? "true" : "false"});
  const toml::node* found = find(key);
  if (!found) return fallback;
  if (!found->is_boolean()) fail_value(*found, path(key), "true or false");
  return found->as_boolean()->get();
}

std::string TableReader::text(std::string_view key) {
  note(key, {RequestType::text, 0, nullptr, nullptr, {}});
  return read_text(require(key, "text in quotes"), path(key));
}

std::string TableReader::text(std::string_view key, std::string fallback) {
  if (request_listener()) note(key, {RequestType::text, 0, nullptr, nullptr, '"' + fallback + '"'});
  return has(key) ? text(key) : std::move(fallback);
}

int TableReader::choice(std::string_view key, const std::vector<std::string>& names) {
  note(key, {RequestType::choice, 0, nullptr, &names, {}});
  const toml::node& found = require(key, join_names(names));
  const auto* value = found.as_string();
  const auto name = value ? std::find(names.begin(), names.end(), value->get()) : names.end();
  if (name != names.end()) return static_cast<int>(name - names.begin());
  const std::string near = value ? nearest_name(value->get(), names) : "";
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
  throw InputError(locate(found), path(key), describe(found) + hint, join_names(names));
}

int TableReader::choice(std::string_view key, const std::vector<std::string>& names, int fallback) {
  if (request_listener()) note(key, {RequestType::choice, 0, nullptr, &names, '"' + names[fallback] + '"'});
  return has(key) ? choice(key, names) : fallback;
}

std::vector<double> TableReader::numbers(std::string_view key, const Range& range) {
  note(key, {RequestType::numbers, 0, &range, nullptr, {}});
  const std::string allowed = "an array of numbers";
  const toml::array& array = read_array(require(key, allowed), path(key), allowed);
  std::vector<double> values;
  for (std::size_t i = 0; i < array.size(); ++i)
    values.push_back(read_number(array[i], fmt::format("{}.{}", path(key), i), range));
  return values;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  std::vector<std::string> values;
  note(key, {RequestType::texts, 0, nullptr, nullptr, "[]"});
  if (!has(key)) return values;
  const toml::array& array = read_array(*table_->get(key), path(key), "an array of texts");
  for (std::size_t i = 0; i < array.size(); ++i)
    values.push_back(read_text(array[i], fmt::format("{}.{}", path(key), i)));
  return values;
}

std::vector<int> TableReader::integers(std::string_view key, int low, int high) {
  std::vector<int> values;
  const Range range{static_cast<double>(low), static_cast<double>(high)};
  note(key, {RequestType::integers, 0, &range, nullptr, "[]"});
  if (!has(key)) return values;
  const toml::array& array = read_array(*table_->get(key), path(key), "an array of whole numbers");
  for (std::size_t i = 0; i < array.size(); ++i)
    values.push_back(static_cast<int>(read_integer(array[i], fmt::format("{}.{}", path(key), i), low, high)));
  return values;
}

std::string TableReader::sized_text(int size, const Range& range) {
  return fmt::format("an array of {}, each {}", size, range.text());
}

template <int N>
Vec<N> TableReader::to_vector(const toml::node& node, const std::string& path, const Range& range) {
  const toml::array& array = read_array(node, path, sized_text(N, range));
  if (array.size() != N) fail_value(node, path, sized_text(N, range));
  Vec<N> values;
  for (int i = 0; i < N; ++i) values[i] = read_number(array[i], fmt::format("{}.{}", path, i), range);
  return values;
}

template <int N>
std::vector<Vec<N>> TableReader::vectors(std::string_view key) {
  note(key, {RequestType::vectors, N, nullptr, nullptr, {}});
  const std::string allowed = fmt::format("an array of arrays of {} numbers", N);
  const toml::array& array = read_array(require(key, allowed), path(key), allowed);
  std::vector<Vec<N>> values;
  for (std::size_t i = 0; i < array.size(); ++i)
    values.push_back(to_vector<N>(array[i], fmt::format("{}.{}", path(key), i), kAnyNumber));
  return values;
}

TableReader TableReader::table(std::string_view key) {
  note(key, {RequestType::table, 0, nullptr, nullptr, {}});
  const toml::node& found = require(key, "a table");
  if (!found.is_table()) fail_value(found, path(key), "a table");
  return {*found.as_table(), path(key)};
}

std::optional<TableReader> TableReader::optional_table(std::string_view key) {
  note(key, {RequestType::table, 0, nullptr, nullptr, "{}"});
  if (!has(key)) return std::nullopt;
  return table(key);
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  std::vector<TableReader> values;
  note(key, {RequestType::tables, 0, nullptr, nullptr, "[]"});
  if (!has(key)) return values;
  const toml::array& array =
      read_array(*table_->get(key), path(key), fmt::format("tables, each opened by [[{}]]", key));
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string place = fmt::format("{}.{}", path(key), i);
    if (!array[i].is_table()) fail_value(array[i], place, "a table");
    values.emplace_back(*array[i].as_table(), place);
  }
  return values;
}

template std::vector<Vec<2>> TableReader::vectors<2>(std::string_view);
template std::vector<Vec<3>> TableReader::vectors<3>(std::string_view);
template Vec<1> TableReader::to_vector<1>(const toml::node&, const std::string&, const Range&);
template Vec<2> TableReader::to_vector<2>(const toml::node&, const std::string&, const Range&);
template Vec<3> TableReader::to_vector<3>(const toml::node&, const std::string&, const Range&);
template Vec<4> TableReader::to_vector<4>(const toml::node&, const std::string&, const Range&);

}  // namespace saltus
