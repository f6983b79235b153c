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

std::string printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t')
      shown += c;
    else
      shown.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  }
  return shown;
}

void Console::print_line(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!status_.empty()) std::fputs(kClearLine, stream_);
  const std::string shown = printable(line);
  std::fwrite(shown.data(), 1, shown.size(), stream_);
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
