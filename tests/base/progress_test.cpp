#include "saltus/base/progress.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace saltus::progress_test {
namespace {

double fake_time = 0;
double fake_now() { return fake_time; }

// A stream in a temporary file that claims to be a terminal, or not.
struct Screen {
  explicit Screen(bool is_terminal) : file(std::tmpfile(), &std::fclose), console(file.get(), is_terminal) {}
  std::string text() {
    std::string all(static_cast<std::size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    all.resize(std::fread(all.data(), 1, all.size(), file.get()));
    return all;
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file;
  Console console;
};

TEST(Progress, says_how_far_it_is_and_how_long_it_takes) {
  Screen screen(true);
  fake_time = 100;
  Progress progress("fall", 1000, 0, screen.console, fake_now);
  fake_time = 110;
  progress.update(250, [] { return "7 contacts"; });
  // 250 of 1000 took 10 s: 30 s for the other 750.
  EXPECT_EQ(screen.text(), "fall  25 %   250/1000   left 30 s   7 contacts");
}

TEST(Progress, a_resumed_run_is_timed_from_where_it_resumed) {
  Screen screen(true);
  fake_time = 0;
  Progress progress("fall", 1000, 500, screen.console, fake_now);
  fake_time = 10;
  progress.update(600);
  EXPECT_EQ(screen.text(), "fall  60 %   600/1000   left 40 s");
}

TEST(Progress, a_log_gets_a_line_a_minute_with_the_time_left) {
  Screen screen(false);
  fake_time = 0;
  Progress progress("fall", 100, 0, screen.console, fake_now);
  int made = 0;
  for (int i = 1; i <= 13; ++i) {
    fake_time += 10;
    progress.update(i, [&made] { return ++made, std::string("7 contacts"); });
  }
  progress.finish();
  EXPECT_EQ(made, 2) << "text made for a line that is not shown";
  // 6 of 100 took 60 s: 940 s for the other 94.
  EXPECT_EQ(screen.text(),
            "fall   6 %   6/100   left 15 min 40 s   7 contacts\n"
            "fall  12 %   12/100   left 14 min 40 s   7 contacts\n");
}

TEST(Progress, redraws_at_most_five_times_a_second) {
  Screen screen(true);
  fake_time = 0;
  int drawn = 0;
  Progress progress("fall", 10000, 0, screen.console, fake_now);
  for (int i = 1; i <= 10000; ++i) {
    fake_time = i * 1e-4;
    progress.update(i, [&drawn] {
      ++drawn;
      return std::string();
    });
  }
  // One second at intervals of 0.2 s, each stretched to the next call by round-off at worst.
  EXPECT_GE(drawn, 4);
  EXPECT_LE(drawn, 5);
}

TEST(Progress, the_end_leaves_one_line_with_the_time_taken) {
  Screen screen(true);
  fake_time = 0;
  Progress progress("fall", 10, 0, screen.console, fake_now);
  fake_time = 65;
  progress.update(5);
  progress.finish("energy kept");
  EXPECT_EQ(screen.text(),
            "fall  50 %   5/10   left 1 min 05 s\r\x1b[Kfall done in 1 min 05 s   energy kept\n");
}

TEST(Console, a_message_does_not_cut_through_the_status) {
  Screen screen(true);
  screen.console.set_status("half way");
  screen.console.print_line("careful");
  EXPECT_EQ(screen.text(), "half way\r\x1b[Kcareful\nhalf way");
}

TEST(Console, a_status_wider_than_the_screen_is_cut) {
  Screen screen(true);
  screen.console.set_status(std::string(200, 'x'));
  EXPECT_EQ(screen.text(), std::string(79, 'x'));  // a file has no width: 80 columns assumed, one left free
}

TEST(Console, control_bytes_are_shown_and_not_obeyed) {
  Screen screen(false);
  screen.console.print_line("a\x1b[2Jb\tc\x7f\xc3\xa9");
  EXPECT_EQ(screen.text(), "a\\x1b[2Jb\tc\\x7f\xc3\xa9\n");
}

TEST(FormatDuration, has_two_units_at_most) {
  EXPECT_EQ(format_duration(0.4), "0 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(7625), "2 h 07 min");
  EXPECT_EQ(format_duration(3 * 86400 + 4 * 3600), "3 d 04 h");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
}

}  // namespace
}  // namespace saltus::progress_test
