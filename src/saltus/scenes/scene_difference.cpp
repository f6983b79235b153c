#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

namespace {

std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

bool differs(const toml::node& a, const toml::node& b, std::string& path);

// Path of the first single value in what only one of the two has.
std::string first_leaf(const std::string& path, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (!table || table->empty()) return path;
  return first_leaf(join(path, table->begin()->first.str()), table->begin()->second);
}

bool tables_differ(const toml::table& a, const toml::table& b, std::string& path) {
  const std::string here = path;
  for (const auto& [key, value] : a) {
    const toml::node* other = b.get(key.str());
    path = other ? join(here, key.str()) : first_leaf(join(here, key.str()), value);
    if (!other || differs(value, *other, path)) return true;
  }
  for (const auto& [key, value] : b) {
    if (a.contains(key.str())) continue;
    path = first_leaf(join(here, key.str()), value);
    return true;
  }
  path = here;
  return false;
}

bool arrays_differ(const toml::array& a, const toml::array& b, std::string& path) {
  const std::string here = path;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    path = join(here, std::to_string(i));
    if (differs(a[i], b[i], path)) return true;
  }
  path = join(here, std::to_string(std::min(a.size(), b.size())));
  if (a.size() != b.size()) return true;
  path = here;
  return false;
}

bool differs(const toml::node& a, const toml::node& b, std::string& path) {
  if (a.type() != b.type()) return true;
  if (a.is_table()) return tables_differ(*a.as_table(), *b.as_table(), path);
  if (a.is_array()) return arrays_differ(*a.as_array(), *b.as_array(), path);
  return a.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>)
      return value.get() != b.ref<typename std::remove_cvref_t<decltype(value)>::value_type>();
    else
      return false;
  });
}

// The keys that change a state on the way: the number of threads does not, nor does the end.
toml::table parse_keys(const std::string& text) {
  toml::table keys = parse_bounded(text);
  for (const auto& [name, key] : {std::pair("solver", "threads"), {"run", "until"}, {"run", "steps"}}) {
    toml::table* table = keys[name].as_table();
    if (!table) continue;
    table->erase(key);
    if (table->empty()) keys.erase(name);
  }
  return keys;
}

}  // namespace

std::string first_difference(const std::string& text_a, const std::string& text_b) {
  std::string path;
  try {
    const toml::table a = parse_keys(text_a), b = parse_keys(text_b);
    return tables_differ(a, b, path) ? path : "";
  } catch (const toml::parse_error& error) {
    throw InputError("", "the text of a scene is not TOML: " + std::string(error.description()));
  }
}

}  // namespace saltus
