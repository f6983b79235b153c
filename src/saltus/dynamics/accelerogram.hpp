// Accelerograms as the databases of strong motion give them.
#pragma once

#include <optional>
#include <string>

#include "saltus/dynamics/time_function.hpp"

namespace saltus {

// A PEER record (.AT2): lines of text, among them one like "NPTS= 5372, DT= .0050 SEC", then values, several
// on a line. None when no such line is among the first ten. Values are multiplied by `scale` (records are in
// g: 9.81 makes m/s2). Throws InputError with path:line when a value is not a number or values are missing.
std::optional<TimeFunction> load_peer_record(const std::string& path, double scale);

}  // namespace saltus
