// Lines for people, on one stream (standard error), from any thread. On a terminal the
// last line can be a status that is redrawn in place and stays below the other lines.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace saltus {

// Text of a file or of a user on the way to a screen: control characters (but line ends and tabs), and bytes that are
// no UTF-8, as \xNN, so that they cannot move the cursor or change the terminal.
std::string printable(std::string_view text);

class Console {
 public:
  Console(std::FILE* stream, bool is_terminal) : stream_(stream), is_terminal_(is_terminal) {}

  bool is_terminal() const { return is_terminal_; }
  void print_line(std::string_view line);
  // Replaces the status, cut to the width of the terminal; empty removes it. Does nothing
  // when the stream is not a terminal.
  void set_status(std::string_view status);

 private:
  void draw_status();

  std::FILE* stream_;
  bool is_terminal_;
  std::mutex mutex_;
  std::string status_;
};

Console& standard_error();

}  // namespace saltus
