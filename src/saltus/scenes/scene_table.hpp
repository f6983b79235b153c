// Reads one table of a scene file and holds the user to it: every key is asked for by name, type and
// range; `finish` complains about the keys that nobody asked for. Mistakes are InputErrors with
// file:line:column, the key as a path that --set understands (bodies.3.shape.radius), the value, what is
// allowed and, for a misspelt name, the nearest valid one.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/geometry/vec.hpp"
#include "saltus/scenes/scene_names.hpp"
#include "saltus/scenes/scene_requests.hpp"

namespace saltus {

// Allowed numbers; nan and infinity never are.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above = false;  // low itself is not allowed

  bool contains(double value) const;
  std::string text() const;  // "a number above 0"
};
inline constexpr Range kAnyNumber{};
inline constexpr Range kPositive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range kNotNegative{0};

// Parts of a dotted key, a.b.c: more are refused (InputError), so that no tree is too deep to be walked.
inline constexpr int kMostKeyParts = 16;
toml::table parse_bounded(const std::string& text, std::string_view path = {});  // throws toml::parse_error

// The tree of a TOML text; InputError with path:line:column.
toml::table parse_toml(const std::string& text, const std::string& path);

// "file:line:column", or the --set option the node came from.
std::string locate(const toml::node& node);

class TableReader {
 public:
  // `path` names the table ("" for the whole file).
  TableReader(const toml::table& table, std::string path) : table_(&table), path_(std::move(path)) {}

  // The key is in the table. Marks it as known.
  bool has(std::string_view key);

  // Without a fallback the key is required.
  double number(std::string_view key, const Range& range);
  double number(std::string_view key, double fallback, const Range& range);
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t low, std::int64_t high);
  bool flag(std::string_view key, bool fallback);
  std::string text(std::string_view key);
  std::string text(std::string_view key, std::string fallback);
  // One of `names`, as its index.
  int choice(std::string_view key, const std::vector<std::string>& names);
  int choice(std::string_view key, const std::vector<std::string>& names, int fallback);

  std::vector<double> numbers(std::string_view key, const Range& range = kAnyNumber);
  std::vector<std::string> texts(std::string_view key);  // empty when the key is not there
  std::vector<int> integers(std::string_view key, int low, int high);

  template <int N>
  Vec<N> vector(std::string_view key, const Range& range = kAnyNumber) {
    note(key, {RequestType::numbers, N, &range, nullptr, {}});
    return to_vector<N>(require(key, sized_text(N, range)), path(key), range);
  }
  template <int N>
  Vec<N> vector(std::string_view key, const Vec<N>& fallback, const Range& range = kAnyNumber) {
    note(key, {RequestType::numbers, N, &range, nullptr, list_text(fallback.data(), N)});
    return has(key) ? vector<N>(key, range) : fallback;
  }
  template <int N>
  std::vector<Vec<N>> vectors(std::string_view key);

  TableReader table(std::string_view key);  // required
  std::optional<TableReader> optional_table(std::string_view key);
  std::vector<TableReader> tables(std::string_view key);  // [[key]]; none when it is not there

  // For what has a form of its own; null when not there.
  const toml::node* node(std::string_view key);
  const toml::table& tree() const { return *table_; }

  // The value of a key, or the whole table, is of a form that many keys share: told to who listens.
  void form(std::string_view key, const char* name) const;
  void form(const char* name) const;

  // Every key was asked for, or InputError.
  void finish() const;

  std::string path(std::string_view key) const;
  const std::string& path() const { return path_; }
  std::string where() const;  // of the table: its place in the file, or its path where it comes from no file
  std::string where(std::string_view key) const;  // of the value; of the table when the key is not there
  [[noreturn]] void fail(std::string_view key, const std::string& value, const std::string& allowed) const;

 private:
  const toml::node* find(std::string_view key);      // marks it as known
  std::string place_of(std::string_view key) const;  // of a key of the table
  void note(std::string_view key, const KeyRequest& request) const {
    if (request_listener()) request_listener()->asked(*table_, path_, key, request);
  }
  static std::string list_text(const double* values, int count);
  const toml::node& require(std::string_view key, const std::string& allowed);
  static std::string sized_text(int size, const Range& range);
  template <int N>
  static Vec<N> to_vector(const toml::node& node, const std::string& path, const Range& range);

  const toml::table* table_;
  std::string path_;
  std::vector<std::string> known_;
};

// Single values, for lists and other forms of their own.
double read_number(const toml::node& node, const std::string& path, const Range& range);
[[noreturn]] void fail_value(const toml::node& node, const std::string& path, const std::string& allowed);

// "quoted text", number, or "an array" / "a table".
std::string describe(const toml::node& node);

}  // namespace saltus
