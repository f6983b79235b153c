#include "saltus/drawing/plot.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace {

// Between single quotes nothing is special to gnuplot but the quote itself.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : c == '\n' ? " " : std::string(1, c);
  return out + "'";
}

std::string terminal_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".svg") return "svg size 720,480 font 'sans,13' background '#ffffff'";
  if (ending == ".png") return "pngcairo size 960,640 font 'sans,13'";
  if (ending == ".pdf") return "pdfcairo size 18cm,12cm font 'sans,11'";
  throw InputError(path, "kind of figure", ending, ".svg, .png, .pdf or .csv");
}

// Eight colours that white paper and a beamer show (gnuplot's own have a yellow that they do not), the first two those of pictures: curves
// beyond them are dashed, or two would look the same.
constexpr const char* kLineColours[] = {"#1c5ca8", "#d6452e", "#218c59", "#e08a1e",
                                        "#7b4fa3", "#1aa0a8", "#8c5a3c", "#6b7280"};

std::string format_line_colours() {
  std::string text;
  for (std::size_t i = 0; i < std::size(kLineColours); ++i)
    text += fmt::format("set linetype {} lc rgb '{}'\n", i + 1, kLineColours[i]);
  return text;
}

std::string format_style(const PlotSeries& series, std::size_t place) {
  constexpr std::size_t kColours = std::size(kLineColours);
  if (series.points) return "points pt 7 ps 0.7";
  if (place < kColours) return "lines lw 1.6";
  return fmt::format("lines lw 1.6 lc {} dt {}", place % kColours + 1, place / kColours + 1);
}

std::string format_numbers(const PlotSeries& series) {
  std::string text;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (std::isfinite(series.x[i]) && std::isfinite(series.y[i]))
      text += fmt::format("{} {}\n", series.x[i], series.y[i]);
    else
      text += "\n";
  }
  return text;
}

std::string format_csv(const Plot& plot) {
  const auto cell = [](const std::string& label, const char* other) {
    return label.empty() ? other : label.find(',') == std::string::npos ? label : '"' + label + '"';
  };
  std::string text = fmt::format("series,{},{}\n", cell(plot.x_label, "x"), cell(plot.y_label, "y"));
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      text += fmt::format("{},{},{}\n", cell(series.name, ""), series.x[i], series.y[i]);
  return text;
}

// What gnuplot draws, as bytes: it says nothing when a disk is full, so that it must not write files itself.
std::string draw(const std::string& script, const std::string& path) {
  // In memory, for gnuplot to read while its output is read here.
  const int memory = ::memfd_create("saltus-plot", 0);
  std::FILE* file = memory < 0 ? nullptr : ::fdopen(memory, "w");
  if (!file || std::fwrite(script.data(), 1, script.size(), file) != script.size() || std::fflush(file) != 0)
    throw OutputError(path, "no memory for the script of gnuplot");
  std::FILE* pipe = ::popen(
      fmt::format("command -v gnuplot >/dev/null || exit 127; exec gnuplot /proc/self/fd/{} 2>/dev/null",
                  memory)
          .c_str(),
      "r");
  std::string bytes;
  std::array<char, 1 << 14> part{};
  while (const std::size_t size = pipe ? std::fread(part.data(), 1, part.size(), pipe) : 0)
    bytes.append(part.data(), size);
  const int status = pipe ? ::pclose(pipe) : -1;
  std::fclose(file);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw InputError(
        path,
        "gnuplot is not installed: it draws the figures (Debian: apt install gnuplot-nox); a name "
        "that ends in .csv gives the numbers without it");
  if (status != 0 || bytes.empty()) throw OutputError(path, "gnuplot could not draw the figure");
  return bytes;
}

// A quantity that is constant but for round-off is a line in the middle, not its round-off magnified to the whole height.
std::string format_flat_range(const Plot& plot) {
  constexpr double kRoundOff = 1e-9, kRoom = 0.1;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotSeries& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  const double middle = 0.5 * (low + high);
  if (!std::isfinite(middle) || middle == 0 || high - low > kRoundOff * std::abs(middle)) return "";
  const double room = kRoom * std::abs(middle);
  return fmt::format("set yrange [{}:{}]\n", middle - room, middle + room);
}

}  // namespace

bool compute_running_mean(double width, PlotSeries& series) {
  const std::vector<double>& x = series.x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || (i > 0 && x[i] < x[i - 1])) return false;
  // Sums up to each point, of what is left beyond the mean of all: sums of large numbers would lose digits.
  std::vector<double> mean(x.size()), sum(x.size() + 1, 0), count(x.size() + 1, 0);
  double all = 0, finite = 0;
  for (const double y : series.y)
    if (std::isfinite(y)) all += y, ++finite;
  const double middle = finite > 0 ? all / finite : 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool good = std::isfinite(series.y[i]);
    sum[i + 1] = sum[i] + (good ? series.y[i] - middle : 0);
    count[i + 1] = count[i] + good;
  }
  const double half =
      width / 2 * (1 + 1e-9);  // a point at the end of the window is in it, whatever is rounded
  for (std::size_t i = 0, begin = 0, end = 0; i < x.size(); ++i) {
    while (end < x.size() && x[end] <= x[i] + half) ++end;
    while (x[begin] < x[i] - half) ++begin;
    const double points = count[end] - count[begin];
    mean[i] = points > 0 ? middle + (sum[end] - sum[begin]) / points : std::nan("");
  }
  series.y = std::move(mean);
  return true;
}

std::string format_gnuplot(const Plot& plot, const std::string& path) {
  std::string text = fmt::format("set terminal {} noenhanced\n", terminal_of(path));
  // A line of height above the key: gnuplot would write the label of the axis into it.
  text +=
      "set border 3\nset tics nomirror\nset grid lt 1 lw 0.5 lc rgb '#dddddd'\nset key below reverse Left "
      "height 1\n";
  text += format_line_colours();
  if (!plot.title.empty()) text += fmt::format("set title {}\n", quoted(plot.title));
  text += fmt::format("set xlabel {}\nset ylabel {}\n", quoted(plot.x_label), quoted(plot.y_label));
  text += format_flat_range(plot);
  if (plot.log_x) text += "set logscale x\nset format x '%g'\n";
  if (plot.log_y) text += "set logscale y\nset format y '%g'\n";
  std::string curves;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    text += fmt::format("$d{} << END\n{}END\n", i, format_numbers(series));
    curves += fmt::format("{}$d{} using 1:2 with {} title {}", i ? ", " : "", i, format_style(series, i),
                          plot.series.size() > 1 ? quoted(series.name) : "''");
  }
  return text + "plot " + curves + "\n";
}

void write_plot(const Plot& plot, const std::string& path) {
  bool any = false;
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      any = any || (std::isfinite(series.x[i]) && std::isfinite(series.y[i]));
  if (!any) throw InputError(path, "there is nothing to draw: no series has a finite point");
  const bool numbers = std::filesystem::path(path).extension() == ".csv";
  write_output(path, numbers ? format_csv(plot) : draw(format_gnuplot(plot, path), path));
}

}  // namespace saltus
