// One line that tells how far a run is and how long it will take:
//
//     wall-205   42 %   8400/20000   left 1 min 05 s   812 contacts, 31 sweeps
//
// Redrawn at most five times a second on a terminal; a log file gets a line a minute.
// `finish` leaves one last line with the time the run took.
#pragma once

#include <string>
#include <string_view>

#include "saltus/base/console.hpp"
#include "saltus/base/timer.hpp"

namespace saltus {

// "12 s", "1 min 05 s", "2 h 07 min", "3 d 04 h"; "?" when negative or not finite.
std::string format_duration(double seconds);

class Progress {
 public:
  using Now = double (*)();

  // `done` out of `total` is behind us already (a resumed run); time left counts from there.
  Progress(std::string label, double total, double done = 0, Console& console = standard_error(),
           Now now = wall_now);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // detail() gives the text at the end of the line; called only when a line is due.
  template <class Detail>
  void update(double done, Detail&& detail) {
    if (is_due()) draw(done, detail());
  }
  void update(double done) {
    if (is_due()) draw(done, {});
  }
  void finish(std::string_view detail = {});

 private:
  static double wall_now() { return seconds(Clock::wall); }
  bool is_due() const;
  void draw(double done, std::string_view detail);

  std::string label_;
  double total_, first_done_;
  Console& console_;
  Now now_;
  double start_, last_drawn_;
};

}  // namespace saltus
