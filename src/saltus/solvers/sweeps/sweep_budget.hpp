// When to stop sweeping, by what the sweeps themselves show.
//
// The rate is that of the second half of the sweeps so far: sweeps gain by fits and starts, and a shorter
// look back mistakes a pause for the end. At that rate the tolerance is `remaining` sweeps away; another
// solver would take as long as `worth` sweeps. Sweeps go on while remaining <= worth, less a part of those that were spent:
// promises are not believed for ever.
// (Rates fall on the way: what is predicted for many decades counts for more.) Otherwise they are
// given up once they have had a fair part of `worth`: worth / remaining of it (hopeless ones are cheap to see), but
// at least half of it when a decade is missing, 0.2 when four are: pauses end, slow tails do not, and the other solver fails
// on one problem in three (bench/results/choose_tune.csv).
// So a wrong guess costs at most as much as the other solver does.
//
// Counts and residuals decide, never a clock: the same input takes the same path.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace saltus {

class SweepBudget {
 public:
  // Sweeps before anything is asked; where one of them is dear, fewer.
  static constexpr std::int64_t kFirst = 30, kFewest = 4;

  explicit SweepBudget(double tolerance) : tolerance_(tolerance) {}

  // After sweep k, judged: its residual. Sweeps that begin again, from 1, are looked at afresh.
  void look(std::int64_t k, double residual) {
    if (k < sweeps_) count_ = 0, best_ = std::numeric_limits<double>::infinity();
    best_ = std::min(best_, residual);
    const bool due = count_ == 0 || k >= looks_[count_ - 1].first + looks_[count_ - 1].first / 16;
    if (due && count_ < static_cast<int>(looks_.size())) looks_[count_++] = {k, best_};
    sweeps_ = k;
  }

  // Sweeps to the tolerance at the present rate; infinite when there is none.
  double remaining() const {
    const auto end = looks_.begin() + count_;
    const auto half = std::lower_bound(looks_.begin(), end, std::pair(sweeps_ / 2, -1.0));
    if (half == end || half->first >= sweeps_) return std::numeric_limits<double>::infinity();
    const double rate = std::log(half->second / best_) / static_cast<double>(sweeps_ - half->first);
    return rate > 0 ? std::log(best_ / tolerance_) / rate : std::numeric_limits<double>::infinity();
  }

  // `part` of the least above is enough where the other solver is known to get there.
  bool is_spent(double worth, double part = 1) const {
    const double decades = std::log10(best_ / tolerance_);
    const double left = remaining() * (1 + 0.5 * std::max(0.0, decades - 1));
    if (left + kImpatience * static_cast<double>(sweeps_) <= worth) return false;
    const double least = part * std::clamp(0.6 - 0.1 * decades, 0.1, 0.5);
    return static_cast<double>(sweeps_) >= worth * std::clamp(worth / left, least, 1.0);
  }

 private:
  static constexpr double kImpatience = 0.25;

  double tolerance_;
  double best_ = std::numeric_limits<double>::infinity();
  std::int64_t sweeps_ = 0;
  // Sweeps and the best residual by then, a sixteenth apart: enough for 10^8 sweeps.
  std::array<std::pair<std::int64_t, double>, 320> looks_;
  int count_ = 0;
};

}  // namespace saltus
