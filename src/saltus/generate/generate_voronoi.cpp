#include "saltus/generate/generate_voronoi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_grid.hpp"

namespace saltus {

namespace {

double furthest(const ConvexCell<2>& cell, const Vec<2>& site) {
  double far2 = 0;
  for (const Vec<2>& x : cell.corners()) far2 = std::max(far2, (x - site).squaredNorm());
  return std::sqrt(far2);
}
double furthest(const ConvexCell<3>& cell, const Vec<3>& site) {
  double far2 = 0;
  for (const auto& face : cell.faces())
    for (const Vec<3>& x : face) far2 = std::max(far2, (x - site).squaredNorm());
  return std::sqrt(far2);
}

// Works in lengths divided by `stretch`, where distances decide.
template <int Dim>
class Voronoi {
 public:
  Voronoi(const Tessellation<Dim>& wanted, SplitMix64& random)
      : wanted_(wanted),
        box_{wanted.low.cwiseQuotient(wanted.stretch), wanted.high.cwiseQuotient(wanted.stretch)},
        spacing_(std::pow((box_.high - box_.low).prod() / static_cast<double>(wanted.count), 1.0 / Dim)) {
    for (std::int64_t i = 0; i < wanted.count; ++i) {
      Vec<Dim> site;
      for (int d = 0; d < Dim; ++d) site[d] = random.uniform(box_.low[d], box_.high[d]);
      sites_.push_back(site);
    }
  }

  std::vector<ConvexCell<Dim>> run() {
    for (int i = 0; i < wanted_.relaxations; ++i) {
      fill_grid();
      std::vector<Vec<Dim>> moved;
      for (std::size_t site = 0; site < sites_.size(); ++site) moved.push_back(cell_of(site, false).centre());
      sites_ = std::move(moved);
    }
    fill_grid();
    std::vector<ConvexCell<Dim>> cells;
    for (std::size_t site = 0; site < sites_.size(); ++site) cells.push_back(cell_of(site, true));
    return cells;
  }

 private:
  void fill_grid() {
    grid_.emplace(box_.low, box_.high, spacing_, sites_.size());
    for (std::size_t i = 0; i < sites_.size(); ++i) grid_->add(static_cast<int>(i), sites_[i]);
  }

  // Cut by the nearest sites first. A site further away than twice the furthest corner cuts nothing more.
  // `final`: in metres and with the joints.
  ConvexCell<Dim> cell_of(std::size_t number, bool final) {
    const Vec<Dim> site = sites_[number];
    ConvexCell<Dim> cell(box_), result(Bounds<Dim>{wanted_.low, wanted_.high});
    double done = 0, within = 2 * spacing_;
    const double diagonal = (box_.high - box_.low).norm();
    while (true) {
      near_.clear();
      grid_->visit_near(site, within, [&](int other) {
        const double distance = (sites_[static_cast<std::size_t>(other)] - site).norm();
        if (static_cast<std::size_t>(other) != number && distance > done && distance <= within)
          near_.emplace_back(distance, other);
      });
      std::sort(near_.begin(), near_.end());
      double needed = 2 * furthest(cell, site);
      for (const auto& [distance, other] : near_) {
        if (distance > needed) break;
        const HalfSpace<Dim> half = between(site, sites_[static_cast<std::size_t>(other)]);
        cell.cut(half);
        if (final) result.cut(in_metres(half));
        needed = 2 * furthest(cell, site);
      }
      if (needed <= within || within >= diagonal) break;
      done = within, within *= 1.5;
    }
    if (final && result.empty())
      throw InputError(wanted_.where, "joint of a tessellation", fmt::format("{}", wanted_.joint),
                       "one that leaves something of the smallest cell: a narrower joint, or relaxations");
    return final ? result : cell;
  }

  static HalfSpace<Dim> between(const Vec<Dim>& site, const Vec<Dim>& other) {
    const Vec<Dim> normal = (other - site).normalized();
    return {normal, normal.dot(0.5 * (site + other))};
  }

  // x = stretch y: n . y <= c is (n/stretch) . x <= c.
  HalfSpace<Dim> in_metres(const HalfSpace<Dim>& half) const {
    const Vec<Dim> normal = half.normal.cwiseQuotient(wanted_.stretch);
    const double length = normal.norm();
    return {normal / length, half.offset / length - 0.5 * wanted_.joint};
  }

  const Tessellation<Dim>& wanted_;
  Bounds<Dim> box_;
  double spacing_;
  std::vector<Vec<Dim>> sites_;
  std::optional<GrainGrid<Dim>> grid_;
  std::vector<std::pair<double, int>> near_;
};

}  // namespace

template <int Dim>
std::vector<ConvexCell<Dim>> build_tessellation(const Tessellation<Dim>& tessellation, SplitMix64& random) {
  return Voronoi<Dim>(tessellation, random).run();
}

template std::vector<ConvexCell<2>> build_tessellation<2>(const Tessellation<2>&, SplitMix64&);
template std::vector<ConvexCell<3>> build_tessellation<3>(const Tessellation<3>&, SplitMix64&);

}  // namespace saltus
