#include "saltus/base/log.hpp"

#include <array>
#include <atomic>
#include <mutex>

#include "saltus/base/console.hpp"

namespace saltus {

namespace {

constexpr std::array kNames = {"error", "warning", "info", "debug"};

std::atomic<LogLevel> shown_level = LogLevel::info;
std::mutex sink_mutex;
LogSink current_sink;

}  // namespace

const char* name(LogLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> parse_log_level(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (text == kNames[i]) return static_cast<LogLevel>(i);
  return std::nullopt;
}

LogLevel log_level() { return shown_level; }

void set_log_level(LogLevel level) { shown_level = level; }

void set_log_sink(LogSink sink) {
  const std::lock_guard lock(sink_mutex);
  current_sink = std::move(sink);
}

void write_log(LogLevel level, std::string_view message) {
  const std::lock_guard lock(sink_mutex);
  if (current_sink) return current_sink(level, message);
  // Plain information needs no label.
  const std::string label = level == LogLevel::info ? "" : fmt::format("{}: ", name(level));
  standard_error().print_line(fmt::format("saltus: {}{}", label, message));
}

}  // namespace saltus
