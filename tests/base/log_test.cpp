#include "saltus/base/log.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace saltus::log_test {
namespace {

// Catches messages for the length of a test, then puts everything back.
class CaughtLog {
 public:
  CaughtLog() {
    set_log_sink([this](LogLevel level, std::string_view text) {
      lines.push_back(std::string(name(level)) + "|" + std::string(text));
    });
  }
  ~CaughtLog() {
    set_log_sink({});
    set_log_level(LogLevel::info);
  }
  std::vector<std::string> lines;
};

TEST(Log, shows_information_and_what_is_worse_but_no_debug_at_the_start) {
  const CaughtLog caught;
  log_debug("d");
  log_info("i");
  log_warning("w");
  log_error("e");
  EXPECT_EQ(caught.lines, (std::vector<std::string>{"info|i", "warning|w", "error|e"}));
}

TEST(Log, the_level_can_be_set) {
  const CaughtLog caught;
  set_log_level(LogLevel::error);
  log_warning("hidden");
  log_error("seen");
  set_log_level(LogLevel::debug);
  log_debug("all of it");
  EXPECT_EQ(caught.lines, (std::vector<std::string>{"error|seen", "debug|all of it"}));
}

TEST(Log, a_message_is_formatted_from_its_arguments) {
  const CaughtLog caught;
  log_warning("{}: off by {:.1e}", "a.dat", 0.00123);
  EXPECT_EQ(caught.lines.at(0), "warning|a.dat: off by 1.2e-03");
}

TEST(Log, standard_error_gets_one_labelled_line_per_message) {
  testing::internal::CaptureStderr();
  log_error("no such file");
  log_info("3 problems");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "saltus: error: no such file\nsaltus: 3 problems\n");
}

TEST(Log, messages_of_many_threads_all_arrive_whole) {
  const CaughtLog caught;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) log_info("thread {} message {}", t, i);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(caught.lines.size(), 2000u);
  for (const auto& line : caught.lines) EXPECT_EQ(line.rfind("info|thread ", 0), 0u) << line;
}

TEST(Log, levels_have_names_that_parse_back) {
  for (const LogLevel level : {LogLevel::error, LogLevel::warning, LogLevel::info, LogLevel::debug})
    EXPECT_EQ(parse_log_level(name(level)), level);
  EXPECT_FALSE(parse_log_level("loud").has_value());
}

}  // namespace
}  // namespace saltus::log_test
