// How curves look: what gnuplot is told.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "saltus/drawing/plot.hpp"

namespace saltus::plot_look_test {
namespace {

// Colour and dash of each curve: those without a style get the eight line types in turn.
std::set<std::string> looks(const std::string& script, int curves) {
  std::set<std::string> result;
  for (int i = 0; i < curves; ++i) {
    const std::string name = "$d" + std::to_string(i) + " using 1:2 with lines lw 1.6";
    const std::size_t at = script.find(name) + name.size();
    const std::string style = script.substr(at, script.find(" title", at) - at);
    result.insert(style.empty() ? " lc " + std::to_string(i % 8 + 1) + " dt 1" : style);
  }
  return result;
}

TEST(PlotLook, twenty_curves_look_twenty_ways) {
  Plot plot;
  for (int i = 0; i < 20; ++i) plot.series.push_back({"c" + std::to_string(i), {0, 1}, {0, 1.0 * i}});
  EXPECT_EQ(looks(format_gnuplot(plot, "figure.svg"), 20).size(), 20u);
}

// On white, gnuplot's own yellow has a luminance of 0.85; a line needs a contrast of 2.5 to 1 to be seen on a beamer (WCAG's formula).
TEST(PlotLook, every_colour_is_seen_on_white) {
  Plot plot;
  plot.series = {{"one", {0, 1}, {0, 1}}};
  const std::string script = format_gnuplot(plot, "figure.svg");
  const auto linear = [](int byte) {
    const double c = byte / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  int colours = 0;
  for (std::size_t at = 0; (at = script.find("set linetype ", at)) != std::string::npos; ++at, ++colours) {
    const int rgb = std::stoi(script.substr(script.find('#', at) + 1, 6), nullptr, 16);
    const double luminance =
        0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    EXPECT_GT(1.05 / (luminance + 0.05), 2.5) << script.substr(at, 30);
  }
  EXPECT_EQ(colours, 8);
}

TEST(PlotLook, logarithmic_axes_have_short_numbers) {
  Plot plot;
  plot.series = {{"residual", {0, 1}, {1e-5, 1e3}}};
  EXPECT_EQ(format_gnuplot(plot, "figure.svg").find("set format"), std::string::npos);
  plot.log_y = true;
  EXPECT_NE(format_gnuplot(plot, "figure.svg").find("set format y '%g'"), std::string::npos);
}

TEST(PlotLook, a_constant_but_for_round_off_is_a_line_and_not_its_round_off) {
  Plot plot;
  plot.series = {{"effort", {0, 1, 2}, {10, 10 + 1e-13, 10 - 1e-13}}};
  EXPECT_NE(format_gnuplot(plot, "figure.svg").find("set yrange [9:11]"), std::string::npos);
  plot.series[0].y = {10, 10.1, 9.9};
  EXPECT_EQ(format_gnuplot(plot, "figure.svg").find("yrange"), std::string::npos);
  plot.series[0].y = {0, 0, 0};
  EXPECT_EQ(format_gnuplot(plot, "figure.svg").find("yrange"), std::string::npos);
}

}  // namespace
}  // namespace saltus::plot_look_test
