#include "saltus/base/timer.hpp"

#include <ctime>

namespace saltus {

namespace {

clockid_t system_clock_of(Clock clock) {
  switch (clock) {
    case Clock::process_cpu: return CLOCK_PROCESS_CPUTIME_ID;
    case Clock::thread_cpu: return CLOCK_THREAD_CPUTIME_ID;
    case Clock::wall: break;
  }
  return CLOCK_MONOTONIC;
}

}  // namespace

double seconds(Clock clock) {
  timespec time{};
  clock_gettime(system_clock_of(clock), &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace saltus
