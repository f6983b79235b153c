#include "saltus/scenes/scene_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

namespace {

std::vector<std::string> split_path(const std::string& path, const std::string& where) {
  std::vector<std::string> words(1);
  for (const char c : path) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  if (words.size() > kMostKeyParts)
    throw InputError(where.substr(0, 60) + "...", "parts of a key", fmt::format("{}", words.size()),
                     fmt::format("up to {}", kMostKeyParts));
  for (const std::string& word : words)
    if (word.empty())
      throw InputError(where, "an empty name in the path of a key", '"' + path + '"', "a.b.c=value");
  return words;
}

bool is_bare_word(const std::string& text) {
  const auto ok = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '/';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), ok);
}

// The value as a node of a table with the one key "v", so that the node carries the option as its source.
toml::table parse_value(const std::string& text, const std::string& where) {
  try {
    return parse_bounded("v = " + text, where);
  } catch (const toml::parse_error& error) {
    if (is_bare_word(text)) return parse_bounded("v = \"" + text + '"', where);
    throw InputError(where, fmt::format("the value is not TOML: {}", error.description()), text);
  }
}

std::size_t read_index(const std::string& word, std::size_t size, const std::string& where) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error != std::errc() || end != word.data() + word.size() || index > size)
    throw InputError(where, "element of an array", '"' + word + '"',
                     fmt::format("a whole number from 0 to {}", size));
  return index;
}

// The values are moved into the tree: a copy of a node forgets where it came from.
void assign(toml::node& parent, const std::string& word, toml::table&& value, const std::string& where) {
  value.get("v")->visit([&](auto& node) {
    if (toml::table* table = parent.as_table()) {
      table->insert_or_assign(word, std::move(node));
    } else if (toml::array* array = parent.as_array()) {
      const std::size_t index = read_index(word, array->size(), where);
      if (index == array->size())
        array->push_back(std::move(node));
      else
        array->replace(array->begin() + static_cast<std::ptrdiff_t>(index), std::move(node));
    } else {
      throw InputError(where, fmt::format("\"{}\" is looked for inside a single value", word));
    }
  });
}

// The node `word` inside `parent`, made (as a table) when it is not there.
toml::node& descend(toml::node& parent, const std::string& word, const std::string& where) {
  if (toml::table* table = parent.as_table()) {
    if (!table->contains(word)) assign(parent, word, parse_value("{}", where), where);
    return *table->get(word);
  }
  if (toml::array* array = parent.as_array()) {
    const std::size_t index = read_index(word, array->size(), where);
    if (index == array->size()) assign(parent, word, parse_value("{}", where), where);
    return *array->get(index);
  }
  throw InputError(where, fmt::format("\"{}\" is looked for inside a single value", word));
}

}  // namespace

void apply_override(const std::string& option, toml::table& tree) {
  const std::string where = "--set " + option;
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) throw InputError(where, "no value", {}, "a.b.c=value");
  const std::vector<std::string> words = split_path(option.substr(0, equals), where);
  toml::table value = parse_value(option.substr(equals + 1), where);
  if (value.size() != 1 || !value.contains("v")) throw InputError(where, "the value holds more than one key");
  toml::node* at = &tree;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) at = &descend(*at, words[i], where);
  assign(*at, words.back(), std::move(value), where);
}

}  // namespace saltus
