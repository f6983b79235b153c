// Clocks, in seconds. Only differences mean anything.
//
//   wall         monotonic: not moved by a change of the system's date
//   process_cpu  all threads of this process together
//   thread_cpu   the calling thread alone: what a single-threaded solve costs
#pragma once

namespace saltus {

enum class Clock { wall, process_cpu, thread_cpu };

double seconds(Clock clock);

// Time since construction. A stopwatch on thread_cpu must be read by the thread that made it.
class Stopwatch {
 public:
  explicit Stopwatch(Clock clock = Clock::wall) : clock_(clock), start_(saltus::seconds(clock)) {}
  double seconds() const { return saltus::seconds(clock_) - start_; }

 private:
  Clock clock_;
  double start_;
};

}  // namespace saltus
