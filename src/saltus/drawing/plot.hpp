// Figures of curves, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

namespace saltus {

struct PlotSeries {
  std::string name;
  std::vector<double> x, y;  // nan breaks a line
  bool points = false;       // markers instead of a line
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<PlotSeries> series;
};

// Replaces y by its mean over the points with |x - x_i| <= width/2; at the ends the window is cut, and nan is left out.
// False, and nothing is changed, when x is not in ascending order.
bool compute_running_mean(double width, PlotSeries& series);

// Draws to .svg, .png or .pdf, or writes the numbers to .csv (series, x, y). Throws InputError for another
// ending, or when gnuplot is missing (with what to do), OutputError when the file cannot be written.
void write_plot(const Plot& plot, const std::string& path);

// What gnuplot is told (it then draws to its standard output): for tests and for those who want another look.
std::string format_gnuplot(const Plot& plot, const std::string& path);

}  // namespace saltus
