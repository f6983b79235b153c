#include "saltus/base/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace saltus {

namespace {

constexpr const char* kClearLine = "\r\x1b[K";

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  const bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : 80;
}

}  // namespace

void Console::print_line(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!status_.empty()) std::fputs(kClearLine, stream_);
  std::fwrite(line.data(), 1, line.size(), stream_);
  std::fputc('\n', stream_);
  draw_status();
  std::fflush(stream_);
}

void Console::set_status(std::string_view status) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  if (!status_.empty()) std::fputs(kClearLine, stream_);
  status_ = status;
  draw_status();
  std::fflush(stream_);
}

// One column stays free: a full line would wrap and could not be redrawn in place.
void Console::draw_status() {
  std::fwrite(status_.data(), 1, std::min(status_.size(), terminal_width(stream_) - 1), stream_);
}

Console& standard_error() {
  static Console console(stderr, isatty(STDERR_FILENO) != 0);
  return console;
}

}  // namespace saltus
