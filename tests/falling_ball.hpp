// A scene that several tests measure: a ball falls from the origin, y = -5 t^2, v = -10 t.
#pragma once

#include <string>

namespace saltus {

// `run` and `output` are the lines of these tables.
inline std::string falling_ball(const std::string& run, const std::string& output) {
  return "dimension = 2\ngravity = [0, -10]\n[scheme]\nh = 1e-3\n[run]\n" + run + "\n[output]\n" + output +
         R"(
[law]
friction = 0
[[bodies]]
name = "ball"
shape = { kind = "disk", radius = 0.1 }
[[measures]]
kind = "body"
name = "ball"
body = "ball"
)";
}

}  // namespace saltus
