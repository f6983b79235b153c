#include "saltus/base/timer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace saltus::timer_test {
namespace {

void burn_thread_cpu(double duration) {
  const Stopwatch watch(Clock::thread_cpu);
  volatile double x = 1;
  while (watch.seconds() < duration)
    for (int i = 0; i < 1000; ++i) x = x * 1.0000001;
}

TEST(Timer, sleeping_costs_wall_time_and_no_processor_time) {
  const Stopwatch wall(Clock::wall), cpu(Clock::thread_cpu);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GE(wall.seconds(), 0.05);
  // Going to sleep and waking up is microseconds of work: half the sleep leaves room for a slow machine.
  EXPECT_LT(cpu.seconds(), 0.025);
}

TEST(Timer, work_of_another_thread_counts_for_the_process_and_not_for_this_thread) {
  const Stopwatch process(Clock::process_cpu), mine(Clock::thread_cpu);
  std::thread([] { burn_thread_cpu(0.05); }).join();
  // The kernel accounts both clocks in nanoseconds; the process has at least the 50 ms of the worker.
  EXPECT_GE(process.seconds(), 0.05);
  EXPECT_LT(mine.seconds(), 0.025);
}

TEST(Timer, no_clock_runs_backwards) {
  for (const Clock clock : {Clock::wall, Clock::process_cpu, Clock::thread_cpu}) {
    double last = seconds(clock);
    for (int i = 0; i < 1000; ++i) {
      const double now = seconds(clock);
      ASSERT_GE(now, last);
      last = now;
    }
  }
}

}  // namespace
}  // namespace saltus::timer_test
