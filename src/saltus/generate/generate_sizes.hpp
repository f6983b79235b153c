// Radii of the grains of a sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/generate/generate_random.hpp"

namespace saltus {

struct SizeDistribution {
  enum class Kind {
    list,       // counts[i] grains of radius radii[i], in random order
    uniform,    // `count` grains between radii[0] and radii[1], every radius equally likely
    mass_curve  // `count` grains; grains up to radii[i] make the fraction passing[i] of the mass (or area, in
                // 2D), linear in between, from 0 at the first to 1 at the last
  };
  Kind kind = Kind::uniform;
  std::vector<double> radii;  // m
  std::vector<int> counts;
  std::vector<double> passing;
  std::int64_t count = 0;

  std::int64_t total() const;
};

// Throws InputError (opened by `where`) on radii that are not positive, curves that do not rise, missing
// counts.
void check(const SizeDistribution& sizes, const std::string& where);

// `dimension` is 2 or 3: the mass of a grain goes with this power of its radius.
std::vector<double> draw_radii(const SizeDistribution& sizes, int dimension, SplitMix64& random);

}  // namespace saltus
