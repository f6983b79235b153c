#include "saltus/dynamics/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <utility>

#include "saltus/base/byte_order_mark.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/accelerogram.hpp"

namespace saltus {

namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

// Value of the table, and its integral from the first point, at t.
double table_value(const TimeFunction& f, double t) {
  if (t <= f.times.front()) return f.values.front();
  if (t >= f.times.back()) return f.values.back();
  const auto next = std::upper_bound(f.times.begin(), f.times.end(), t) - f.times.begin();
  const double s = (t - f.times[next - 1]) / (f.times[next] - f.times[next - 1]);
  return f.values[next - 1] + s * (f.values[next] - f.values[next - 1]);
}

double table_slope_before(const TimeFunction& f, double t) {
  const auto next = std::lower_bound(f.times.begin(), f.times.end(), t) - f.times.begin();
  if (next == 0 || next == static_cast<std::ptrdiff_t>(f.times.size())) return 0;
  return (f.values[next] - f.values[next - 1]) / (f.times[next] - f.times[next - 1]);
}

double table_integral(const TimeFunction& f, double t0, double t1) {
  double sum = 0, from = t0;
  auto next = std::upper_bound(f.times.begin(), f.times.end(), t0);
  while (from < t1) {
    const double to = next == f.times.end() ? t1 : std::min(t1, *next++);
    sum += (to - from) * 0.5 * (table_value(f, from) + table_value(f, to));
    from = to;
  }
  return sum;
}

}  // namespace

TimeFunction TimeFunction::constant(double value) {
  TimeFunction f;
  f.value = value;
  return f;
}

TimeFunction TimeFunction::table(std::vector<double> times, std::vector<double> values) {
  if (times.empty() || times.size() != values.size())
    throw InputError(
        "", "a table of time needs as many values as times, and one at least",
        std::to_string(times.size()) + " times and " + std::to_string(values.size()) + " values");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      throw InputError("", "times of a table must increase",
                       std::to_string(times[i - 1]) + " then " + std::to_string(times[i]));
  TimeFunction f;
  f.kind = Kind::table;
  f.times = std::move(times);
  f.values = std::move(values);
  return f;
}

TimeFunction TimeFunction::sine(double amplitude, double frequency, double phase, double mean) {
  TimeFunction f;
  f.kind = Kind::sine;
  f.amplitude = amplitude;
  f.frequency = frequency;
  f.phase = phase;
  f.value = mean;
  return f;
}

TimeFunction TimeFunction::expression(const std::string& text) {
  TimeFunction f;
  f.kind = Kind::expression;
  f.formula = Expression(text);
  return f;
}

double TimeFunction::at(double t) const {
  switch (kind) {
    case Kind::table: return table_value(*this, t);
    case Kind::sine: return value + amplitude * std::sin(kTwoPi * frequency * t + phase);
    case Kind::expression: return formula.value(t);
    case Kind::constant: break;
  }
  return value;
}

double TimeFunction::slope_before(double t) const {
  switch (kind) {
    case Kind::table: return table_slope_before(*this, t);
    case Kind::sine: return amplitude * kTwoPi * frequency * std::cos(kTwoPi * frequency * t + phase);
    case Kind::expression: return formula.derivative(t);
    case Kind::constant: break;
  }
  return 0;
}

double TimeFunction::integral(double t0, double t1) const {
  switch (kind) {
    case Kind::table: return table_integral(*this, t0, t1);
    case Kind::sine:
      if (frequency == 0) return (value + amplitude * std::sin(phase)) * (t1 - t0);
      return value * (t1 - t0) -
             amplitude / (kTwoPi * frequency) *
                 (std::cos(kTwoPi * frequency * t1 + phase) - std::cos(kTwoPi * frequency * t0 + phase));
    case Kind::expression: return (t1 - t0) / 6 * (at(t0) + 4 * at(0.5 * (t0 + t1)) + at(t1));
    case Kind::constant: break;
  }
  return value * (t1 - t0);
}

TimeFunction load_time_table(const std::string& path, double spacing, double scale) {
  std::ifstream file(path);
  if (!file) throw InputError(path, "cannot open the file of a function of time");
  if (!(spacing > 0))
    if (auto record = load_peer_record(path, scale)) return *record;
  std::vector<double> times, values;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (number == 1) line = std::string(without_byte_order_mark(line, path));
    const bool decimal_commas = line.find(';') != std::string::npos;
    for (char& c : line) {
      if (c == ',') c = decimal_commas ? '.' : ' ';
      if (c == ';' || c == '\r') c = ' ';
    }
    std::istringstream words(line);
    std::vector<double> row;
    std::string word;
    while (words >> word && word[0] != '#') {
      std::size_t used = 0;
      try {
        row.push_back(std::stod(word, &used));
      } catch (const std::exception&) {
        used = 0;
      }
      if (used != word.size() || !std::isfinite(row.back() * scale))
        throw InputError(path + ":" + std::to_string(number), "not a finite number", word);
    }
    if (row.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    if (row.size() > 2) throw InputError(where, "too many columns", std::to_string(row.size()), "1 or 2");
    if (row.size() == 1 && !(spacing > 0))
      throw InputError(where, "one column of values needs the spacing of the samples, in seconds");
    if (row.size() == 2 && spacing > 0)
      throw InputError(where, "two columns, so the first is the time: a spacing is one time too many");
    times.push_back(row.size() == 2 ? row[0] : spacing * static_cast<double>(times.size()));
    values.push_back(scale * row.back());
  }
  if (times.empty()) throw InputError(path, "the file holds no value");
  return TimeFunction::table(std::move(times), std::move(values));
}

}  // namespace saltus
