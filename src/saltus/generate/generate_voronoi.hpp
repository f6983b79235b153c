// Voronoi tessellation of a box: the cell of a site holds the places that no other site is nearer to. Cells
// are convex and fill the box; seeds decide them on every machine alike.
#pragma once

#include <cstdint>
#include <string>

#include "saltus/generate/generate_random.hpp"
#include "saltus/geometry/convex_cell.hpp"

namespace saltus {

template <int Dim>
struct Tessellation {
  Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Ones();
  std::int64_t count = 10;  // cells
  // Lloyd's iterations: each moves every site to the centre of its cell. 0: sites at random, some cells small
  // and thin; 10 and more: cells of like size.
  int relaxations = 0;
  // Cells longer by these factors along the axes than they would be.
  Vec<Dim> stretch = Vec<Dim>::Ones();
  double joint = 0;  // m, between neighbours; half of it is taken off every inner side
  std::string where;
};

// One cell per site. InputError (opened by `where`) when a joint leaves nothing of a cell.
template <int Dim>
std::vector<ConvexCell<Dim>> build_tessellation(const Tessellation<Dim>& tessellation, SplitMix64& random);

}  // namespace saltus
