#include "saltus/drawing/performance_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace saltus {

namespace {

// Sizes in pixels; the legend stands to the right of the frame.
constexpr double kLeft = 70, kTop = 50, kWidth = 560, kHeight = 340, kPictureWidth = 830,
                 kPictureHeight = 460;
constexpr double kLegendX = kLeft + kWidth + 24;

struct Stroke {
  const char* colour;
  const char* dashes;
};
// Colours that colour-blind readers tell apart (Okabe and Ito), and dashes for prints without any.
constexpr std::array<Stroke, 7> kStrokes{{{"#0072B2", "none"},
                                          {"#D55E00", "7 3"},
                                          {"#009E73", "2 3"},
                                          {"#CC79A7", "10 3 2 3"},
                                          {"#E69F00", "none"},
                                          {"#56B4E9", "7 3"},
                                          {"#000000", "2 3"}}};

std::string escape(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" fill=\"none\"/>\n", x1, y1, x2,
                     y2, colour);
}

// Maps (tau, rho) to the picture.
struct PlotArea {
  double decades;
  double x(double tau) const { return kLeft + kWidth * std::log10(tau) / decades; }
  double y(double rho) const { return kTop + kHeight * (1 - rho); }
};

// Up to the first of 10, 20, 50, 100, ... that leaves room right of the largest ratio.
PlotArea fit_area(const std::vector<std::vector<double>>& ratios) {
  double largest = 1;
  for (const auto& of_solver : ratios)
    if (!of_solver.empty()) largest = std::max(largest, of_solver.back());
  for (double decade = 10;; decade *= 10)
    for (const double digit : {1.0, 2.0, 5.0})
      if (1.2 * largest <= digit * decade) return {std::log10(digit * decade)};
}

std::string format_axes(const PlotArea& area, const std::string& title) {
  std::string svg = text_at(kLeft + kWidth / 2, kTop - 18, "middle", title);
  for (int fifth = 0; fifth <= 5; ++fifth) {
    const double y = area.y(fifth / 5.0);
    svg += line(kLeft, y, kLeft + kWidth, y, "#dddddd");
    svg += text_at(kLeft - 8, y + 4, "end", fmt::format("{:.1f}", fifth / 5.0));
  }
  const bool is_wide = area.decades > 3;  // then only powers of ten have room for a number
  const double right = kLeft + kWidth + 1;
  for (double decade = 1; area.x(decade) <= right; decade *= 10)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double x = area.x(digit * decade);
      if (x > right) break;
      svg += line(x, kTop, x, kTop + kHeight, digit == 1 ? "#cccccc" : "#eeeeee");
      if (digit == 1 || !is_wide)
        svg += text_at(x, kTop + kHeight + 18, "middle", fmt::format("{:g}", digit * decade));
    }
  svg += text_at(kLeft + kWidth / 2, kTop + kHeight + 42, "middle", "factor of the best solver's time, tau");
  svg += fmt::format("<g transform=\"translate(20 {:.1f}) rotate(-90)\">{}</g>\n", kTop + kHeight / 2,
                     text_at(0, 0, "middle", "fraction of problems solved within it"));
  return svg + fmt::format(
                   "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444444\"/>\n",
                   kLeft, kTop, kWidth, kHeight);
}

std::string format_curve(const PlotArea& area, const std::vector<double>& ratios, std::size_t problems,
                         const Stroke& stroke) {
  std::string path = fmt::format("M{:.1f} {:.1f}", area.x(1), area.y(0));
  for (std::size_t i = 0; i < ratios.size(); ++i)
    path += fmt::format("H{:.1f}V{:.1f}", area.x(ratios[i]), area.y(double(i + 1) / double(problems)));
  return fmt::format(
      "<path d=\"{}H{:.1f}\" stroke=\"{}\" stroke-dasharray=\"{}\" stroke-width=\"2\" fill=\"none\"/>\n",
      path, kLeft + kWidth, stroke.colour, stroke.dashes);
}

std::string format_legend_entry(std::size_t place, const std::string& solver, std::size_t solved,
                                std::size_t problems, const Stroke& stroke) {
  const double y = kTop + 12 + 24 * double(place);
  return fmt::format(
             "<path d=\"M{:.1f} {:.1f}h34\" stroke=\"{}\" stroke-dasharray=\"{}\" stroke-width=\"2\"/>\n",
             kLegendX, y, stroke.colour, stroke.dashes) +
         text_at(kLegendX + 42, y + 4, "start", fmt::format("{} ({} of {})", solver, solved, problems));
}

}  // namespace

std::vector<double> compute_ratios(const PerformanceProfile& profile, std::size_t solver) {
  std::vector<double> ratios;
  for (std::size_t problem = 0; problem < profile.cost[solver].size(); ++problem) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& cost : profile.cost) best = std::min(best, cost[problem]);
    const double cost = profile.cost[solver][problem];
    if (std::isfinite(cost)) ratios.push_back(cost / best);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

std::string format_svg(const PerformanceProfile& profile) {
  std::vector<std::vector<double>> ratios;
  for (std::size_t solver = 0; solver < profile.solvers.size(); ++solver)
    ratios.push_back(compute_ratios(profile, solver));
  std::vector<std::size_t> order(ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ratios[a].size() > ratios[b].size(); });

  const std::size_t problems = profile.cost.empty() ? 0 : profile.cost.front().size();
  const PlotArea area = fit_area(ratios);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kPictureWidth, kPictureHeight);
  svg += format_axes(area, profile.title);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t solver = order[place];
    const Stroke& stroke = kStrokes[solver % kStrokes.size()];
    svg += format_curve(area, ratios[solver], problems, stroke);
    svg += format_legend_entry(place, profile.solvers[solver], ratios[solver].size(), problems, stroke);
  }
  return svg + "</svg>\n";
}

}  // namespace saltus
