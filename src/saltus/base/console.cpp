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

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// Bytes of the first character of a text that is not empty; 0 where it is for control, or no UTF-8. (Longer forms than a
// character needs pass: no terminal takes them for control.)
std::size_t shown_length(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  // The second set of control characters, U+0080 to U+009F, among them one that begins what ESC [ does.
  const bool controls = first == 0xc2 && byte_at(text, 1) < 0xa0;
  return controls ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = shown_length(text);
    if (length > 0) {
      shown += text.substr(0, length);
    } else {
      const auto byte = byte_at(text, 0);
      shown.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
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
  status_ = printable(status);
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
