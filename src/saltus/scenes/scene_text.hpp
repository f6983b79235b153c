// Pieces of TOML text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

// Between quotes, with escapes where TOML wants them.
std::string quote(std::string_view text);

// The shortest digits that read back as the same number.
std::string to_toml(double value);
std::string to_toml(const std::vector<double>& values);
std::string to_toml(const std::vector<std::string>& texts);

std::string group_list(std::uint32_t bits);  // numbers of the groups in these bits

template <int N>
std::string to_toml(const Vec<N>& v) {
  return to_toml(std::vector<double>(v.data(), v.data() + N));
}

template <int N>
std::string to_toml(const std::vector<Vec<N>>& points) {
  std::string text;
  for (const Vec<N>& x : points) text += (text.empty() ? "" : ", ") + to_toml<N>(x);
  return "[" + text + "]";
}

// One more item of a list, after a comma.
inline void append_item(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

class TextWriter {
 public:
  void section(const std::string& header) { text_ += "\n" + header + "\n"; }
  void key(std::string_view name, const std::string& value) {
    text_.append(name).append(" = ").append(value) += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace saltus
