// Messages to the person who runs the program, on standard error, from any thread:
//
//     log_warning("{}: W is not symmetric (by {:.1e})", file, asymmetry);
//
// prints "saltus: warning: ..." if the level asked for (info at the start) shows warnings.
// Results belong on standard output, not here.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace saltus {

enum class LogLevel { error, warning, info, debug };  // each shows those before it

const char* name(LogLevel level);
std::optional<LogLevel> parse_log_level(std::string_view text);

LogLevel log_level();
void set_log_level(LogLevel level);

// Takes every message that is shown, one at a time; empty: standard error again.
using LogSink = std::function<void(LogLevel, std::string_view)>;
void set_log_sink(LogSink sink);

void write_log(LogLevel level, std::string_view message);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (level <= log_level()) write_log(level, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::error, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::warning, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::info, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::debug, format, std::forward<Args>(args)...);
}

}  // namespace saltus
