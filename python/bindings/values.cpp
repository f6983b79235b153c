#include "values.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"

namespace saltus::bindings {

namespace {

constexpr int kDeepest = 64;  // levels: a dictionary that holds itself ends here

class TreeBuilder {
 public:
  toml::table table(const py::dict& dict, const std::string& path, int depth) {
    check(path, depth);
    toml::table tree;
    for (const auto& [key, value] : dict) {
      if (!py::isinstance<py::str>(key)) throw InputError(path, "a key", py::str(py::repr(key)), "text");
      if (value.is_none()) continue;
      const std::string name = py::cast<std::string>(key);
      add(value, path.empty() ? name : path + "." + name, depth,
          [&](auto&& node) { tree.insert(name, std::forward<decltype(node)>(node)); });
    }
    return tree;
  }

 private:
  static void check(const std::string& path, int depth) {
    if (depth > kDeepest)
      throw InputError(path.substr(0, 60) + "...", "levels of a scene", {},
                       fmt::format("up to {}", kDeepest));
  }

  toml::array array(const py::sequence& items, const std::string& path, int depth) {
    check(path, depth);
    toml::array nodes;
    for (std::size_t i = 0; i < items.size(); ++i)
      add(items[i], fmt::format("{}.{}", path, i), depth,
          [&](auto&& node) { nodes.push_back(std::forward<decltype(node)>(node)); });
    return nodes;
  }

  template <class Put>
  void add(const py::handle& value, const std::string& path, int depth, Put&& put) {
    if (py::isinstance<py::bool_>(value)) return put(py::cast<bool>(value));
    if (py::isinstance<py::int_>(value)) return put(integer(value, path));
    if (py::isinstance<py::float_>(value)) return put(py::cast<double>(value));
    if (py::isinstance<py::str>(value)) return put(py::cast<std::string>(value));
    if (py::isinstance<py::dict>(value))
      return put(table(py::reinterpret_borrow<py::dict>(value), path, depth + 1));
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
      return put(array(py::reinterpret_borrow<py::sequence>(value), path, depth + 1));
    if (py::hasattr(value, "__fspath__"))
      return add(value.attr("__fspath__")(), path, depth + 1, std::forward<Put>(put));
    // Numbers and arrays of NumPy.
    if (py::hasattr(value, "tolist") && depth <= kDeepest)
      return add(value.attr("tolist")(), path, depth + 1, std::forward<Put>(put));
    throw InputError(path, "a value of the type", py::str(py::type::of(value).attr("__name__")),
                     "a number, text, True or False, a list or array of these, or a dictionary");
  }

  static std::int64_t integer(const py::handle& value, const std::string& path) {
    const std::int64_t number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      throw InputError(path, "a whole number", py::str(value), "one of 64 bits");
    }
    return number;
  }
};

}  // namespace

toml::table to_table(const py::dict& dict) { return TreeBuilder().table(dict, "", 0); }

}  // namespace saltus::bindings
