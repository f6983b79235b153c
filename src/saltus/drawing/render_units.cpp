#include "saltus/drawing/render_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace saltus {

double round_length(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= length) return digit * power;
  return power;
}

std::string format_length(double length) {
  if (length >= 1000) return fmt::format("{:g} km", length / 1000);
  if (length >= 1) return fmt::format("{:g} m", length);
  if (length >= 0.01) return fmt::format("{:g} cm", length * 100);
  if (length >= 1e-4) return fmt::format("{:g} mm", length * 1000);
  return fmt::format("{:g} \u00b5m", length * 1e6);
}

namespace {
// From 1000 on with the next prefix, where bars keep up to 9999.
std::string format_prefixed(double value, const char* unit) {
  const PrefixedUnit prefixed = choose_prefix(unit, value >= 1000 && value < 1e4 ? 1e4 : value);
  return fmt::format("{:.3g} {}", value / prefixed.size, prefixed.name);
}
}  // namespace

std::string format_force(double force) { return format_prefixed(force, "N"); }
std::string format_stress(double stress) { return format_prefixed(stress, "Pa"); }

std::string format_time(double time) {
  return time > 0 && time < 1e-3 ? fmt::format("{:.4g} \u00b5s", 1e6 * time) : fmt::format("{:.4g} s", time);
}

PrefixedUnit choose_prefix(const std::string& unit, double largest) {
  const bool plain = largest >= 0.01 && largest < 1e4;
  if (unit.empty() || unit.starts_with("rad") || plain || !(largest > 0) || !std::isfinite(largest))
    return {unit};
  constexpr const char* kPrefixes[] = {"n", "\u00b5", "m", "", "k", "M", "G", "T"};
  const int thousands = std::clamp(static_cast<int>(std::floor(std::log10(largest) / 3)), -3, 4);
  return {kPrefixes[thousands + 3] + unit, std::pow(10, 3 * thousands)};
}

std::string format_velocity_legend(double fastest) {
  return fmt::format("velocity, fastest {:.3g} m/s", fastest);
}

std::string shorten_text(const std::string& text, const std::function<bool(const std::string&)>& fits) {
  if (fits(text)) return text;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::string kept = text;
  while (!kept.empty()) {
    while (kept.size() > 1 && continues(kept.back())) kept.pop_back();
    kept.pop_back();
    while (!kept.empty() && kept.back() == ' ') kept.pop_back();
    const std::string shown = kept + "\u2026";
    if (fits(shown)) return shown;
  }
  return "";
}

}  // namespace saltus
