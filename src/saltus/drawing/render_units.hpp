// Numbers with units and shortened texts, as figures show them.
#pragma once

#include <functional>
#include <string>

namespace saltus {

// 1, 2 or 5 times a power of ten, at most `length`.
double round_length(double length);

// "0.25 mm", "3 m"; "12.5 N", "1.91 kN"
std::string format_length(double length);
std::string format_force(double force);
std::string format_stress(double stress);  // "1.2 kPa"
std::string format_time(double time);      // "0.25 s"; "80 µs" below a millisecond

// A unit with the prefix that gives numbers up to `largest` one to three digits: 1 kPa = 1000 Pa. Plain where that is 0.01 to 9999, and for
// what takes no prefix (a pure number, rad, rad/s).
struct PrefixedUnit {
  std::string name;
  double size = 1;  // in plain units
};
PrefixedUnit choose_prefix(const std::string& unit, double largest);

std::string format_velocity_legend(double fastest);  // m/s

// The text, or as much of its beginning as fits with an ellipsis after it; empty when not even that fits.
// Cuts between characters of UTF-8.
std::string shorten_text(const std::string& text, const std::function<bool(const std::string&)>& fits);

}  // namespace saltus
