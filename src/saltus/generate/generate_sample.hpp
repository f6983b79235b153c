// Grains (disks or spheres) of given radii placed in a box without overlaps. The last axis points up.
// All are deterministic; they throw InputError (opened by `where`) when the grains do not fit.
#pragma once

#include <string>
#include <vector>

#include "saltus/generate/generate_grid.hpp"
#include "saltus/generate/generate_random.hpp"

namespace saltus {

template <int Dim>
struct SampleBox {
  Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Ones();
  std::string where;
  // At random only: wholly between these distances from the middle of the box; 0: the box is all there is.
  double inner = 0, outer = 0;
};

// A square or cubic lattice filled from below, row by row, with a pitch of `spacing` (1 or more) times the
// largest diameter; each grain is moved off its site by up to the free space in every direction, times
// `jitter` (0 to 1). The lattice may grow higher than the box: the grains are to fall.
template <int Dim>
std::vector<Grain<Dim>> place_on_lattice(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                         double spacing, double jitter, SplitMix64& random);

// One after the other at random, the largest first, where there is room (random sequential addition: up to
// about 0.5 of the area, 0.35 of the volume). Grains come in the order of `radii`.
template <int Dim>
std::vector<Grain<Dim>> place_at_random(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                        SplitMix64& random);

// As dense as growing makes it: all radii are multiplied by one factor, which grows, with the overlaps
// relaxed at each stage, until the grains are jammed in the box (the idea of Lubachevsky and Stillinger 1990
// without the dynamics). About 0.8 of the area, 0.6 of the volume. Radii are relative: the factor is the
// result.
template <int Dim>
std::vector<Grain<Dim>> place_by_growth(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                        SplitMix64& random);

// Dropped one by one at random over the base of the box, each rolling down to rest on those before (after
// Visscher and Bolsterli 1972; the rolling is a descent in small moves). About 0.77 of the area, 0.5 of the
// volume. The pile may grow higher than the box.
template <int Dim>
std::vector<Grain<Dim>> place_by_deposit(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                         SplitMix64& random);

// Largest overlap of two grains or of a grain and a side of the box (the top only if `closed`), as a fraction
// of the smaller radius; 0 or less: none.
template <int Dim>
double compute_worst_overlap(const std::vector<Grain<Dim>>& grains, const SampleBox<Dim>& box, bool closed);

}  // namespace saltus
