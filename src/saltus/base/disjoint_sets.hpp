// Numbers 0..n-1 joined into sets (union-find, paths halved). Keeps its memory: a second `reset` to no more
// numbers allocates nothing.
#pragma once

#include <numeric>
#include <vector>

namespace saltus {

class DisjointSets {
 public:
  void reset(int count) {
    parent_.resize(static_cast<std::size_t>(count));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The smaller number represents the union: sets met in ascending order are met first at their own number.
  void join(int i, int j) {
    i = find(i), j = find(j);
    parent_[i < j ? j : i] = i < j ? i : j;
  }

 private:
  std::vector<int> parent_;
};

// Counting sort of 0..n-1 by set: those of set s are sorted[begin[s]] up to sorted[begin[s + 1]], ascending.
// Numbers of a negative set are left out.
inline void sort_by_set(const std::vector<int>& set, int count, std::vector<int>& begin,
                        std::vector<int>& sorted) {
  begin.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const int s : set)
    if (s >= 0) ++begin[s];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  sorted.resize(static_cast<std::size_t>(begin[count]));
  // From the ends down: when all are placed, begin[s] is where set s begins.
  for (int i = static_cast<int>(set.size()) - 1; i >= 0; --i)
    if (set[i] >= 0) sorted[--begin[set[i]]] = i;
}

}  // namespace saltus
