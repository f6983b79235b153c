#include "saltus/generate/generate_sample.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

template <int Dim>
void require_room(const SampleBox<Dim>& box, double largest, int directions) {
  for (int d = 0; d < directions; ++d) {
    const double side = box.high[d] - box.low[d];
    if (!(side >= 2 * largest))
      throw InputError(box.where, "side of the box of a sample", fmt::format("{}", side),
                       fmt::format("the largest diameter, {}, or more", 2 * largest));
  }
}

}  // namespace

template <int Dim>
std::vector<Grain<Dim>> place_on_lattice(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                         double spacing, double jitter, SplitMix64& random) {
  const double largest = *std::max_element(radii.begin(), radii.end());
  const double pitch = spacing * 2 * largest;
  require_room(box, pitch / 2, Dim - 1);
  IntVec<Dim> count;
  for (int d = 0; d < Dim - 1; ++d) {
    // A box made for a whole number of sites must not lose one to round-off.
    const double sites = std::floor((box.high[d] - box.low[d]) / pitch * (1 + 1e-12));
    count[d] = static_cast<int>(std::min(sites, static_cast<double>(radii.size())));
  }
  count[Dim - 1] = std::numeric_limits<int>::max();

  std::vector<Grain<Dim>> grains;
  IntVec<Dim> site = IntVec<Dim>::Zero();
  for (const double radius : radii) {
    Grain<Dim> grain{box.low, radius};
    const double room = std::max(0.0, pitch / 2 - radius);
    for (int d = 0; d < Dim; ++d)
      grain.position[d] += (site[d] + 0.5) * pitch + jitter * room * random.uniform(-1, 1);
    grains.push_back(grain);
    for (int d = 0; d < Dim && ++site[d] == count[d]; ++d) site[d] = 0;
  }
  return grains;
}

template <int Dim>
std::vector<Grain<Dim>> place_at_random(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                        SplitMix64& random) {
  constexpr int kTries = 5000;  // per grain
  const double largest = *std::max_element(radii.begin(), radii.end());
  require_room(box, largest, Dim);
  std::vector<int> order(radii.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return radii[a] > radii[b]; });

  std::vector<Grain<Dim>> grains(radii.size());
  GrainGrid<Dim> grid(box.low, box.high, 2 * largest, radii.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    Grain<Dim>& grain = grains[order[k]];
    grain.radius = radii[order[k]];
    bool placed = false;
    for (int attempt = 0; attempt < kTries && !placed; ++attempt) {
      for (int d = 0; d < Dim; ++d)
        grain.position[d] = random.uniform(box.low[d] + grain.radius, box.high[d] - grain.radius);
      const double way = (grain.position - 0.5 * (box.low + box.high)).norm();
      if (box.outer > 0 && (way < box.inner + grain.radius || way > box.outer - grain.radius)) continue;
      placed = true;
      grid.visit_near(grain.position, grain.radius + largest, [&](int other) {
        const double touching = grain.radius + grains[other].radius;
        if ((grain.position - grains[other].position).squaredNorm() < touching * touching) placed = false;
      });
    }
    if (!placed)
      throw InputError(box.where, "grains placed at random do not fit",
                       fmt::format("{} of {} in the box", k, radii.size()),
                       "a larger box, fewer grains, or layout = \"growth\"");
    grid.add(order[k], grain.position);
  }
  return grains;
}

template <int Dim>
double compute_worst_overlap(const std::vector<Grain<Dim>>& grains, const SampleBox<Dim>& box, bool closed) {
  double largest = 0, worst = -std::numeric_limits<double>::infinity();
  Vec<Dim> high = box.high;
  for (const Grain<Dim>& g : grains) largest = std::max(largest, g.radius), high = high.cwiseMax(g.position);
  GrainGrid<Dim> grid(box.low, high, 2 * largest, grains.size());
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Grain<Dim>& g = grains[i];
    for (int d = 0; d < Dim; ++d) {
      worst = std::max(worst, (box.low[d] + g.radius - g.position[d]) / g.radius);
      if (d + 1 < Dim || closed) worst = std::max(worst, (g.position[d] + g.radius - box.high[d]) / g.radius);
    }
    grid.visit_near(g.position, g.radius + largest, [&](int j) {
      const double overlap = g.radius + grains[j].radius - (g.position - grains[j].position).norm();
      worst = std::max(worst, overlap / std::min(g.radius, grains[j].radius));
    });
    grid.add(static_cast<int>(i), g.position);
  }
  return worst;
}

template std::vector<Grain<2>> place_on_lattice(const std::vector<double>&, const SampleBox<2>&, double,
                                                double, SplitMix64&);
template std::vector<Grain<3>> place_on_lattice(const std::vector<double>&, const SampleBox<3>&, double,
                                                double, SplitMix64&);
template std::vector<Grain<2>> place_at_random(const std::vector<double>&, const SampleBox<2>&, SplitMix64&);
template std::vector<Grain<3>> place_at_random(const std::vector<double>&, const SampleBox<3>&, SplitMix64&);
template double compute_worst_overlap(const std::vector<Grain<2>>&, const SampleBox<2>&, bool);
template double compute_worst_overlap(const std::vector<Grain<3>>&, const SampleBox<3>&, bool);

}  // namespace saltus
