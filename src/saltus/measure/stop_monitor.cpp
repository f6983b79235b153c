#include "saltus/measure/stop_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

std::string list_scalars(const std::vector<std::string>& columns) {
  std::string list;
  for (const std::string& column : columns)
    if (column.find('@') == std::string::npos) list += (list.empty() ? "" : ", ") + column;
  return list.empty() ? "none is measured: add [[measures]]" : list;
}

}  // namespace

StopMonitor::StopMonitor(std::vector<StopCondition> conditions, const std::vector<std::string>& columns) {
  for (StopCondition& condition : conditions) {
    const auto at = std::find(columns.begin(), columns.end(), condition.when);
    if (at == columns.end())
      throw InputError(condition.where, "a condition to stop is on a measure", condition.when,
                       list_scalars(columns));
    watches_.push_back({std::move(condition), static_cast<std::size_t>(at - columns.begin()), kNever});
  }
}

StopMonitor::Verdict StopMonitor::update(double time, std::span<const double> row) {
  Verdict verdict;
  for (Watch& watch : watches_) {
    const StopCondition& c = watch.condition;
    const double value = row[watch.column];
    if (watch.has_acted) continue;
    if (time < c.after || !c.holds(value)) {
      watch.since = kNever;
      continue;
    }
    if (std::isnan(watch.since)) watch.since = time;
    // Times are multiples of h only to round-off.
    if (time - watch.since < c.hold - 1e-9 * std::abs(time)) continue;
    std::string& reason = c.rests ? verdict.rest : verdict.end;
    if (reason.empty())
      reason = value > c.above ? fmt::format("{} above {:g}", c.when, c.above)
                               : fmt::format("{} below {:g}", c.when, c.below);
    watch.has_acted = c.rests;
  }
  return verdict;
}

}  // namespace saltus
