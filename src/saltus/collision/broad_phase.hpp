// Pairs of boxes that meet, in time linear in their number for any mix of sizes.
//
// A hierarchy of grids whose cells double from level to level: a box lives in the one cell that holds its
// centre, on the level where cells are just larger than the box, and looks for partners on its own
// level and the coarser ones. Cells are kept in a hash table, so space costs nothing.
// With periods, images of a box are looked up as well.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/geometry/bounds.hpp"

namespace saltus {

template <int Dim>
struct BodyPair {
  int a = 0, b = 0;                         // a < b
  IntVec<Dim> image = IntVec<Dim>::Zero();  // b + image * period is near a
};

template <int Dim>
class BroadPhase {
 public:
  // Appends each pair of different boxes that meet, once per image, in no special order. `bodies` are the
  // indices of the boxes to use; period 0 means none. Boxes must be finite; one that is wider than a period
  // costs as many images as it meets.
  void find_pairs(std::span<const Bounds<Dim>> boxes, std::span<const int> bodies, const Vec<Dim>& period,
                  std::vector<BodyPair<Dim>>& pairs);

 private:
  struct Item {
    std::uint64_t cell;
    int entry;
  };
  struct Entry {  // a box brought into the first period
    Bounds<Dim> box;
    IntVec<Dim> wrap;
    int body, level;
    std::uint64_t cell;
  };

  void build_entries(std::span<const Bounds<Dim>> boxes, std::span<const int> bodies, const Vec<Dim>& period);
  Entry build_entry(const Bounds<Dim>& box, int body, const Vec<Dim>& period) const;
  void build_table();
  void query_images(int entry, double half, const Vec<Dim>& period, std::vector<BodyPair<Dim>>& pairs) const;
  void query(int entry, const IntVec<Dim>& image, const Vec<Dim>& period,
             std::vector<BodyPair<Dim>>& pairs) const;
  void query_cell(int entry, const Bounds<Dim>& box, const IntVec<Dim>& image, std::uint64_t cell,
                  bool same_level, std::vector<BodyPair<Dim>>& pairs) const;

  double finest_ = 1;  // size of the cells of level 0
  std::vector<Entry> entries_;
  std::vector<char> level_used_;
  std::vector<int> bucket_begin_;
  std::vector<Item> items_;
  std::vector<std::vector<BodyPair<Dim>>> waves_;
  std::uint64_t mask_ = 0;
};

}  // namespace saltus
