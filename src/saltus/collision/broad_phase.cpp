#include "saltus/collision/broad_phase.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"

namespace saltus {

namespace {

using Cell = std::int64_t;

constexpr std::int64_t kEntriesPerChunk = 256;

Cell cell_of(double x, double size) {
  return static_cast<Cell>(std::floor(std::clamp(x / size, -4e18, 4e18)));
}

template <int Dim>
std::uint64_t key_of(int level, const Cell* cell) {
  // Scrambled first, or level and cell numbers would cancel in the xor.
  std::uint64_t key = (static_cast<std::uint64_t>(level) + 1) * 0xbf58476d1ce4e5b9u;
  for (int k = 0; k < Dim; ++k) {
    key = (key ^ static_cast<std::uint64_t>(cell[k])) * 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
  }
  return key;
}

}  // namespace

template <int Dim>
void BroadPhase<Dim>::build_entries(std::span<const Bounds<Dim>> boxes, std::span<const int> bodies,
                                    const Vec<Dim>& period) {
  finest_ = 1e300;
  for (const int body : bodies) finest_ = std::min(finest_, (boxes[body].high - boxes[body].low).maxCoeff());
  // A point among large boxes must not call for endless levels: 2^40 in size is enough for any scene.
  double largest = 0;
  for (const int body : bodies) largest = std::max(largest, (boxes[body].high - boxes[body].low).maxCoeff());
  finest_ = std::max({finest_, largest * std::ldexp(1.0, -40), 1e-200});
  make_room(bodies.size(), entries_);
  entries_.resize(bodies.size());
  parallel_for(static_cast<std::int64_t>(bodies.size()), kEntriesPerChunk,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   entries_[i] = build_entry(boxes[bodies[i]], bodies[i], period);
               });
  level_used_.clear();
  for (const Entry& e : entries_) {
    if (e.level >= static_cast<int>(level_used_.size()))
      level_used_.resize(static_cast<std::size_t>(e.level) + 1, 0);
    level_used_[e.level] = 1;
  }
}

template <int Dim>
typename BroadPhase<Dim>::Entry BroadPhase<Dim>::build_entry(const Bounds<Dim>& box, int body,
                                                             const Vec<Dim>& period) const {
  Entry e{box, IntVec<Dim>::Zero(), body, 0, 0};
  Vec<Dim> centre = (e.box.low + e.box.high) / 2;
  for (int k = 0; k < Dim; ++k) {
    if (!(period(k) > 0)) continue;
    e.wrap(k) = static_cast<int>(std::floor(centre(k) / period(k)));
    const double move = e.wrap(k) * period(k);
    e.box.low(k) -= move, e.box.high(k) -= move, centre(k) -= move;
  }
  double size = finest_;
  for (const double width = (e.box.high - e.box.low).maxCoeff(); size < width; size *= 2) ++e.level;
  Cell cell[Dim];
  for (int k = 0; k < Dim; ++k) cell[k] = cell_of(centre(k), size);
  e.cell = key_of<Dim>(e.level, cell);
  return e;
}

template <int Dim>
void BroadPhase<Dim>::build_table() {
  std::size_t buckets = 16;
  while (buckets < 2 * entries_.size()) buckets *= 2;
  mask_ = buckets - 1;
  bucket_begin_.assign(buckets + 1, 0);
  for (const Entry& e : entries_) ++bucket_begin_[(e.cell & mask_) + 1];
  for (std::size_t k = 0; k < buckets; ++k) bucket_begin_[k + 1] += bucket_begin_[k];
  items_.resize(entries_.size());
  // Filling from the back turns ends into beginnings without a second array.
  for (int i = static_cast<int>(entries_.size()) - 1; i >= 0; --i) {
    items_[--bucket_begin_[(entries_[i].cell & mask_) + 1]] = {entries_[i].cell, i};
  }
  bucket_begin_.erase(bucket_begin_.begin());
  bucket_begin_.push_back(static_cast<int>(entries_.size()));
}

template <int Dim>
void BroadPhase<Dim>::query_cell(int entry, const Bounds<Dim>& box, const IntVec<Dim>& image,
                                 std::uint64_t cell, bool same_level,
                                 std::vector<BodyPair<Dim>>& pairs) const {
  const Entry& e = entries_[entry];
  for (int k = bucket_begin_[cell & mask_]; k < bucket_begin_[(cell & mask_) + 1]; ++k) {
    if (items_[k].cell != cell) continue;
    const int other = items_[k].entry;
    // On one level each of the two would find the other; a box is no partner of itself.
    if (same_level && other <= entry) continue;
    const Entry& f = entries_[other];
    if (!box.overlaps(f.box)) continue;
    BodyPair<Dim> pair{e.body, f.body, e.wrap - image - f.wrap};
    if (pair.a > pair.b) std::swap(pair.a, pair.b), pair.image = -pair.image;
    pairs.push_back(pair);
  }
}

template <int Dim>
void BroadPhase<Dim>::query(int entry, const IntVec<Dim>& image, const Vec<Dim>& period,
                            std::vector<BodyPair<Dim>>& pairs) const {
  const Entry& e = entries_[entry];
  const Vec<Dim> move = image.template cast<double>().cwiseProduct(period);
  const Bounds<Dim> box{e.box.low + move, e.box.high + move};
  double size = std::ldexp(finest_, e.level);
  for (int level = e.level; level < static_cast<int>(level_used_.size()); ++level, size *= 2) {
    if (!level_used_[level]) continue;
    Cell low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, cell[3];
    for (int k = 0; k < Dim; ++k) {
      low[k] = cell_of(box.low(k) - size / 2, size);
      high[k] = cell_of(box.high(k) + size / 2, size);
    }
    for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
      for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1]) {
        for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
          query_cell(entry, box, image, key_of<Dim>(level, cell), level == e.level, pairs);
        }
      }
    }
  }
}

template <int Dim>
void BroadPhase<Dim>::query_images(int entry, double half, const Vec<Dim>& period,
                                   std::vector<BodyPair<Dim>>& pairs) const {
  int begin[3] = {0, 0, 0}, end[3] = {0, 0, 0};
  for (int k = 0; k < Dim; ++k) {
    if (!(period(k) > 0)) continue;
    begin[k] = -static_cast<int>(std::floor((entries_[entry].box.high(k) + half) / period(k)));
    end[k] = static_cast<int>(std::floor((period(k) + half - entries_[entry].box.low(k)) / period(k)));
  }
  for (int x = begin[0]; x <= end[0]; ++x) {
    for (int y = begin[1]; y <= end[1]; ++y) {
      for (int z = begin[2]; z <= end[2]; ++z) {
        IntVec<Dim> image;
        image(0) = x, image(1) = y;
        if constexpr (Dim == 3) image(2) = z;
        query(entry, image, period, pairs);
      }
    }
  }
}

template <int Dim>
void BroadPhase<Dim>::find_pairs(std::span<const Bounds<Dim>> boxes, std::span<const int> bodies,
                                 const Vec<Dim>& period, std::vector<BodyPair<Dim>>& pairs) {
  if (bodies.empty()) return;
  build_entries(boxes, bodies, period);
  build_table();
  double half = 0;  // how far boxes reach beyond the first period
  for (const Entry& e : entries_) half = std::max(half, (e.box.high - e.box.low).maxCoeff() / 2);
  append_in_waves(static_cast<std::int64_t>(entries_.size()), kEntriesPerChunk, waves_, pairs,
                  [&](std::int64_t begin, std::int64_t end, std::vector<BodyPair<Dim>>& found) {
                    for (std::int64_t i = begin; i < end; ++i)
                      query_images(static_cast<int>(i), half, period, found);
                  });
  release_if_large(entries_);
  release_if_large(items_);
}

template class BroadPhase<2>;
template class BroadPhase<3>;

}  // namespace saltus
