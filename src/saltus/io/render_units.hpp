// Numbers with units, as figures show them.
#pragma once

#include <string>

namespace saltus {

// 1, 2 or 5 times a power of ten, at most `length`.
double round_length(double length);

// "0.25 mm", "3 m"; "12.5 N", "1.91 kN"
std::string format_length(double length);
std::string format_force(double force);

std::string format_velocity_legend(double fastest);  // m/s

}  // namespace saltus
