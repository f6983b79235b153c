// Balls in cells of one size, to find the neighbours of a place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
struct Grain {
  Vec<Dim> position = Vec<Dim>::Zero();
  double radius = 0;
};

template <int Dim>
class GrainGrid {
 public:
  // Cells of at least `cell`, and few enough for `expected` grains; what lies outside of the box counts to
  // the cells at its border.
  GrainGrid(const Vec<Dim>& low, const Vec<Dim>& high, double cell, std::size_t expected) : low_(low) {
    double size = cell;
    const Vec<Dim> extent = high - low;
    const double budget = 8.0 * static_cast<double>(expected) + 64;
    while ((extent / size).array().max(1).prod() > budget) size *= 1.5;
    size_ = size;
    std::size_t total = 1;
    for (int d = 0; d < Dim; ++d) {
      count_[d] = std::max(1, static_cast<int>(std::min(extent[d] / size, budget)));
      total *= static_cast<std::size_t>(count_[d]);
    }
    cells_.resize(total);
  }

  void clear() {
    for (auto& cell : cells_) cell.clear();
  }
  void add(int grain, const Vec<Dim>& x) { cells_[index(cell_of(x))].push_back(grain); }

  // Calls visit(grain) for all grains whose centre is within `distance` of x, and some others.
  template <class Visit>
  void visit_near(const Vec<Dim>& x, double distance, Visit&& visit) const {
    const IntVec<Dim> first = cell_of(x - Vec<Dim>::Constant(distance)),
                      last = cell_of(x + Vec<Dim>::Constant(distance));
    IntVec<Dim> c = first;
    while (true) {
      for (const int grain : cells_[index(c)]) visit(grain);
      int d = 0;
      while (d < Dim && c[d] == last[d]) c[d] = first[d], ++d;
      if (d == Dim) return;
      ++c[d];
    }
  }

 private:
  IntVec<Dim> cell_of(const Vec<Dim>& x) const {
    IntVec<Dim> c;
    for (int d = 0; d < Dim; ++d) {
      const double cell = std::floor((x[d] - low_[d]) / size_);  // not a number for infinite places: cell 0
      c[d] = cell > 0 ? static_cast<int>(std::min(cell, count_[d] - 1.0)) : 0;
    }
    return c;
  }
  std::size_t index(const IntVec<Dim>& c) const {
    std::size_t i = 0;
    for (int d = Dim - 1; d >= 0; --d)
      i = i * static_cast<std::size_t>(count_[d]) + static_cast<std::size_t>(c[d]);
    return i;
  }

  Vec<Dim> low_;
  double size_ = 1;
  IntVec<Dim> count_;
  std::vector<std::vector<int>> cells_;
};

}  // namespace saltus
