#include "saltus/scenes/scene_function_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/largest_number.hpp"

namespace saltus {

namespace {

constexpr const char* kForms =
    "a number, a formula of t in quotes, {times, values}, {amplitude, frequency, phase, mean} or {file, "
    "spacing, scale}";

TimeFunction read_table_form(TableReader t, SceneContext& context) {
  TimeFunction f;
  if (t.has("file")) {
    const double spacing = t.number("spacing", 0, kPositive);
    const double scale = t.number("scale", 1, kAnyNumber);
    context.load_file(t, "file");
    f = load_time_table(context.file_path(t, "file"), spacing, scale);
  } else if (t.has("times") || t.has("values")) {
    std::vector<double> times = t.numbers("times");
    f = TimeFunction::table(std::move(times), t.numbers("values"));
  } else {
    const double amplitude = t.number("amplitude", kAnyNumber);
    const double frequency = t.number("frequency", kNotNegative);
    f = TimeFunction::sine(amplitude, frequency, t.number("phase", 0, kAnyNumber),
                           t.number("mean", 0, kAnyNumber));
  }
  t.finish();
  return f;
}

// The formula over the whole run, so that 1/0, or log(t - 2) from t = 0, is not found in the middle of it.
void check_formula(const TimeFunction& f, const SceneContext& context) {
  constexpr int kMoments = 1000;
  for (int i = 0; i <= kMoments; ++i) {
    const double t = context.start_time + (context.end_time - context.start_time) * i / kMoments;
    const double value = f.at(t);
    if (std::abs(value) <= kLargestNumber) continue;
    throw InputError(
        "", fmt::format("\"{}\" is {}", f.formula.text(), std::isfinite(value) ? "too large" : "not finite"),
        fmt::format("{:.6g} at t = {:g} s", value, t),
        fmt::format("a finite value all through the run, {:g} to {:g} s, of up to {:g} in size",
                    context.start_time, context.end_time, kLargestNumber));
  }
}

}  // namespace

TimeFunction read_function(TableReader& table, std::string_view key, SceneContext& context) {
  const toml::node* node = table.node(key);
  if (!node) table.fail(key, "nothing", kForms);
  table.form(key, "function of time");
  if (node->is_number()) return TimeFunction::constant(table.number(key, kAnyNumber));
  if (!node->is_string() && !node->is_table()) fail_value(*node, table.path(key), kForms);
  if (node->is_table()) {
    try {
      return read_table_form(table.table(key), context);
    } catch (const InputError& error) {
      if (!error.where().empty()) throw;
      throw InputError(locate(*node), fmt::format("{}: {}", table.path(key), error.what()));
    }
  }
  try {
    TimeFunction f = TimeFunction::expression(node->as_string()->get());
    check_formula(f, context);
    return f;
  } catch (const InputError& error) {
    throw InputError(locate(*node), fmt::format("{}: {}", table.path(key), error.what()));
  }
}

}  // namespace saltus
