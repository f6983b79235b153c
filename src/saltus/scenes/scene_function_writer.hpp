// Functions of time and drives as TOML text.
#pragma once

#include <string>

#include "saltus/dynamics/drive.hpp"

namespace saltus {

std::string format_function(const TimeFunction& function);
// "velocity = 0.3"; of a drive that is neither free nor locked.
std::string format_drive(const Drive& drive);

}  // namespace saltus
