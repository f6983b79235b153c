#include "saltus/base/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

constexpr double kInterval = 0.2;    // s between two drawings: readable, and costs nothing
constexpr double kLogInterval = 60;  // s between two lines of a log

std::string with_detail(std::string line, std::string_view detail) {
  if (!detail.empty()) line.append("   ").append(detail);
  return line;
}

}  // namespace

std::string format_duration(double duration) {
  if (!(duration >= 0) || !std::isfinite(duration)) return "?";
  const auto s = static_cast<long long>(std::llround(std::min(duration, 1e15)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {:02} h", s / 86400, s / 3600 % 24);
}

Progress::Progress(std::string label, double total, double done, Console& console, Now now)
    : label_(std::move(label)),
      total_(total),
      first_done_(done),
      console_(console),
      now_(now),
      start_(now()),
      last_drawn_(start_) {}

Progress::~Progress() { console_.set_status({}); }

bool Progress::is_due() const {
  return now_() - last_drawn_ >= (console_.is_terminal() ? kInterval : kLogInterval);
}

void Progress::draw(double done, std::string_view detail) {
  last_drawn_ = now_();
  const double percent = total_ > 0 ? std::clamp(100 * done / total_, 0.0, 100.0) : 100;
  const double left = (last_drawn_ - start_) * (total_ - done) / (done - first_done_);
  const std::string line = with_detail(fmt::format("{} {:3.0f} %   {:g}/{:g}   left {}", label_,
                                                   std::floor(percent), done, total_, format_duration(left)),
                                       detail);
  if (console_.is_terminal())
    console_.set_status(line);
  else
    console_.print_line(line);
}

void Progress::finish(std::string_view detail) {
  if (!console_.is_terminal()) return;
  console_.set_status({});
  console_.print_line(
      with_detail(fmt::format("{} done in {}", label_, format_duration(now_() - start_)), detail));
}

}  // namespace saltus
