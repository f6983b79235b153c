#include "saltus/generate/generate_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

bool increases(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

void check_mass_curve(const SizeDistribution& sizes, const std::string& where) {
  const auto& p = sizes.passing;
  if (sizes.radii.size() < 2 || p.size() != sizes.radii.size())
    throw InputError(where, "points of a mass curve",
                     fmt::format("{} radii, {} passing", sizes.radii.size(), p.size()),
                     "two or more of each, as many of one as of the other");
  if (!increases(sizes.radii)) throw InputError(where, "radii of a mass curve must increase");
  const bool rises = p.front() == 0 && p.back() == 1 && std::is_sorted(p.begin(), p.end());
  if (!rises)
    throw InputError(where, "passing of a mass curve", fmt::format("{}", fmt::join(p, ", ")),
                     "0 rising to 1");
}

// Integral of r^-dimension from a to b: the number of grains per mass, up to a constant.
double number_weight(double a, double b, int dimension) {
  return dimension == 2 ? 1 / a - 1 / b : 0.5 * (1 / (a * a) - 1 / (b * b));
}

// The radius below which the fraction u of the grains between a and b lies, for numbers that go with
// r^-dimension.
double invert_number(double a, double b, double u, int dimension) {
  const double w = u * number_weight(a, b, dimension);
  return dimension == 2 ? 1 / (1 / a - w) : 1 / std::sqrt(1 / (a * a) - 2 * w);
}

std::vector<double> draw_mass_curve(const SizeDistribution& sizes, int dimension, SplitMix64& random) {
  const std::size_t segments = sizes.radii.size() - 1;
  std::vector<double> below(segments + 1, 0);  // cumulated number of grains
  for (std::size_t i = 0; i < segments; ++i) {
    const double a = sizes.radii[i], b = sizes.radii[i + 1];
    const double mass_per_radius = (sizes.passing[i + 1] - sizes.passing[i]) / (b - a);
    below[i + 1] = below[i] + mass_per_radius * number_weight(a, b, dimension);
  }
  std::vector<double> radii;
  for (std::int64_t k = 0; k < sizes.count; ++k) {
    const double wanted = random.uniform() * below.back();
    std::size_t i = 0;
    while (i + 1 < segments && wanted >= below[i + 1]) ++i;
    const double u = (wanted - below[i]) / (below[i + 1] - below[i]);
    radii.push_back(invert_number(sizes.radii[i], sizes.radii[i + 1], u, dimension));
  }
  return radii;
}

}  // namespace

std::int64_t SizeDistribution::total() const {
  return kind == Kind::list ? std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) : count;
}

void check(const SizeDistribution& sizes, const std::string& where) {
  for (const double r : sizes.radii)
    if (!(r > 0) || !std::isfinite(r))
      throw InputError(where, "radius of a grain", fmt::format("{}", r), "a finite number above 0");
  if (sizes.total() < 1)
    throw InputError(where, "number of grains", fmt::format("{}", sizes.total()), "1 or more");
  switch (sizes.kind) {
    case SizeDistribution::Kind::list:
      if (sizes.radii.size() != sizes.counts.size())
        throw InputError(where, "counts of the radii", fmt::format("{}", sizes.counts.size()),
                         fmt::format("one for each of the {} radii", sizes.radii.size()));
      break;
    case SizeDistribution::Kind::uniform:
      if (sizes.radii.size() != 2 || sizes.radii[0] > sizes.radii[1])
        throw InputError(where, "radii of a uniform distribution",
                         fmt::format("{}", fmt::join(sizes.radii, ", ")), "[smallest, largest]");
      break;
    case SizeDistribution::Kind::mass_curve: check_mass_curve(sizes, where); break;
  }
}

std::vector<double> draw_radii(const SizeDistribution& sizes, int dimension, SplitMix64& random) {
  if (sizes.kind == SizeDistribution::Kind::mass_curve) return draw_mass_curve(sizes, dimension, random);
  std::vector<double> radii;
  if (sizes.kind == SizeDistribution::Kind::uniform) {
    for (std::int64_t k = 0; k < sizes.count; ++k)
      radii.push_back(random.uniform(sizes.radii[0], sizes.radii[1]));
    return radii;
  }
  for (std::size_t i = 0; i < sizes.radii.size(); ++i)
    radii.insert(radii.end(), sizes.counts[i], sizes.radii[i]);
  for (std::size_t k = radii.size(); k > 1; --k) std::swap(radii[k - 1], radii[random.below(k)]);
  return radii;
}

}  // namespace saltus
