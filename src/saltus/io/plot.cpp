#include "saltus/io/plot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/io/output_error.hpp"
#include "saltus/io/trajectory_files.hpp"

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
  std::string text = fmt::format("series,{},{}\n", plot.x_label.empty() ? "x" : plot.x_label,
                                 plot.y_label.empty() ? "y" : plot.y_label);
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      text += fmt::format("{},{},{}\n", series.name, series.x[i], series.y[i]);
  return text;
}

}  // namespace

std::string format_gnuplot(const Plot& plot, const std::string& path) {
  std::string text =
      fmt::format("set terminal {} noenhanced\nset output {}\n", terminal_of(path), quoted(path));
  text += "set border 3\nset tics nomirror\nset grid lc rgb '#dddddd'\nset key top left reverse Left\n";
  if (!plot.title.empty()) text += fmt::format("set title {}\n", quoted(plot.title));
  text += fmt::format("set xlabel {}\nset ylabel {}\n", quoted(plot.x_label), quoted(plot.y_label));
  if (plot.log_x) text += "set logscale x\n";
  if (plot.log_y) text += "set logscale y\n";
  std::string curves;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    text += fmt::format("$d{} << END\n{}END\n", i, format_numbers(series));
    curves += fmt::format("{}$d{} using 1:2 with {} title {}", i ? ", " : "", i,
                          series.points ? "points pt 7 ps 0.7" : "lines lw 1.6",
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
  if (std::filesystem::path(path).extension() == ".csv") return replace_file(path, format_csv(plot));
  const std::string script = format_gnuplot(plot, path);
  std::FILE* pipe = ::popen("command -v gnuplot >/dev/null || exit 127; exec gnuplot", "w");
  if (!pipe) throw OutputError(path, "gnuplot cannot be started");
  // A shell that ends at once closes the pipe: its exit status tells more than the signal.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::fwrite(script.data(), 1, script.size(), pipe);
  const int status = ::pclose(pipe);
  std::signal(SIGPIPE, before);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw InputError(
        path,
        "gnuplot is not installed: it draws the figures (Debian: apt install gnuplot-nox); a name "
        "that ends in .csv gives the numbers without it");
  if (status != 0) throw OutputError(path, "gnuplot could not draw the figure");
}

}  // namespace saltus
