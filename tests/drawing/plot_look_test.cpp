// How curves look: what gnuplot is told.
#include <gtest/gtest.h>

#include <set>

#include "saltus/drawing/plot.hpp"

namespace saltus::plot_look_test {
namespace {

// Colour and dash of each curve: the place of those that are left to gnuplot, which has eight colours.
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
