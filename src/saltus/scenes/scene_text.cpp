#include "saltus/scenes/scene_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace saltus {

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

// "-0" would read back as a whole number, which has no sign at zero.
std::string to_toml(double value) {
  return value == 0 && std::signbit(value) ? "-0.0" : fmt::format("{}", value);
}

std::string to_toml(const std::vector<double>& values) {
  std::string list;
  for (const double value : values) list += (list.empty() ? "" : ", ") + to_toml(value);
  return "[" + list + "]";
}

std::string to_toml(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quote(text);
  return "[" + list + "]";
}

std::string group_list(std::uint32_t bits) {
  std::vector<double> groups;
  for (int g = 0; g < 32; ++g)
    if (bits & (1u << g)) groups.push_back(g);
  return to_toml(groups);
}

}  // namespace saltus
