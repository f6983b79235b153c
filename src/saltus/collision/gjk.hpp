// Distance between the cores of two pieces.
//
// Gilbert, Johnson and Keerthi (IEEE J. Robot. Autom. 4, 1988): the point of the Minkowski difference
// B - A nearest to the origin, over a sequence of simplices. Every sub-simplex with the newest point
// is tried, the nearest valid one is kept: slower than walking Voronoi regions, but no rounded
// sign can lead it astray.
#pragma once

#include <limits>

#include "saltus/collision/piece.hpp"

namespace saltus {

template <int Dim>
struct Distance {
  bool overlap = false;              // the cores meet; nothing else is then set
  Vec<Dim> on_a = Vec<Dim>::Zero();  // nearest points
  Vec<Dim> on_b = Vec<Dim>::Zero();
  double value = 0;
};

// Of cores farther apart than `far` only a bound is sure: `value` is then above `far` and not above the
// distance.
template <int Dim>
Distance<Dim> compute_distance(const Piece<Dim>& a, const Piece<Dim>& b,
                               double far = std::numeric_limits<double>::infinity());

}  // namespace saltus
