#include "saltus/scenes/scene_function_writer.hpp"

#include <fmt/format.h>

#include "saltus/scenes/scene_text.hpp"

namespace saltus {

std::string format_function(const TimeFunction& f) {
  switch (f.kind) {
    case TimeFunction::Kind::table:
      return fmt::format("{{ times = {}, values = {} }}", to_toml(f.times), to_toml(f.values));
    case TimeFunction::Kind::sine:
      return fmt::format("{{ amplitude = {}, frequency = {}, phase = {}, mean = {} }}", to_toml(f.amplitude),
                         to_toml(f.frequency), to_toml(f.phase), to_toml(f.value));
    case TimeFunction::Kind::expression: return quote(f.formula.text());
    case TimeFunction::Kind::constant: break;
  }
  return to_toml(f.value);
}

std::string format_drive(const Drive& drive) {
  const char* kind = drive.kind == Drive::Kind::velocity   ? "velocity"
                     : drive.kind == Drive::Kind::position ? "position"
                                                           : "acceleration";
  return fmt::format("{} = {}", kind, format_function(drive.function));
}

}  // namespace saltus
