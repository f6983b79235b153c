// The bilateral blocks of a system, eliminated exactly: those whose set is the whole space.
//
//     J^T v + s + C l = 0,  v = v' + Mhat^-1 J l   gives   l = -A^-1 (J^T v' + s),   A = J^T Mhat^-1 J + C
//
// A is sparse (two blocks meet where they act on one part) and factored by L D L^T in an order of little fill: for a
// chain or a tree, work in proportion to its length. Rows that others imply are left out where the pivot says so;
// among the multipliers that do the same, the shortest are taken (counted as impulses of the residual).
//
// What the remaining blocks see is a system with fewer freedoms: the parts that bilateral blocks join are a component,
// and Mhat^-1 - Mhat^-1 J A^-1 J^T Mhat^-1 between the degrees of freedom of a component is its mobility.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/math/sparse_ldl.hpp"
#include "saltus/solvers/block_system.hpp"

namespace saltus {

// Keeps its buffers, and its analysis as long as the same blocks tie the same parts: then nothing is allocated.
class Elimination {
 public:
  void build(const BlockSystem& system);
  bool is_analysed(const BlockSystem& system);  // the analysis is that of this system
  // Rows whose pivot is below `dependent` of their own entry of A are implied by others.
  void factor(const BlockSystem& system, double dependent);

  int rows() const { return ldl_.rows(); }
  std::size_t entries() const { return ldl_.entries(0, rows()); }  // of the factor
  bool has_dependent() const { return !ldl_.dependent().empty(); }
  // Those with bilateral blocks come first; every other part is one by itself.
  int components() const { return components_; }
  int component_of(int part) const { return component_of_[part]; }
  // Entries of the factor that a solve of the component reads.
  std::size_t entries(int component) const;

  // Multipliers (into the rows of `r`) that make all bilateral rows hold, their effect added to `velocity` (arranged as
  // system.free). Refined until the sum of squares of what is left of the rows, (m/s)^2, is `enough` or round-off;
  // returns it.
  // `project` takes one such step from multipliers that `velocity` has felt.
  void project(const BlockSystem& system, std::vector<double>& velocity, std::vector<double>& r);
  double enforce(const BlockSystem& system, double enough, std::vector<double>& velocity,
                 std::vector<double>& r);

  // What a unit of the first row of a block that is not bilateral does to that row: by itself, and with what bilateral blocks hold.
  struct Mobility {
    double alone = 0, held = 0;
  };
  Mobility mobility(const BlockSystem& system, const BlockSystem::Block& block);

  // Mobility between the degrees of freedom of some parts of one component, one part after the other: n x n.
  void compute_mobility(const BlockSystem& system, std::span<const int> parts, int n, double* mobility);

 private:
  struct Tie {  // an end of a bilateral block
    int block, end, part;
    int rows;
    std::size_t response;  // Mhat^-1 H in response_: size of the part x rows
  };
  struct Pair {  // of ties at one part: the first one's block is not after the second one's
    int first, second;
    int offset;  // of the first's rows in the columns of the second
  };

  void analyse(const BlockSystem& system);
  void find_components(const BlockSystem& system);
  void sort_blocks(const BlockSystem& system);
  void build_pattern(const BlockSystem& system);
  void compute_responses(const BlockSystem& system);
  void assemble(const BlockSystem& system);
  void build_null_vectors(const BlockSystem& system);
  void find_null(const BlockSystem& system, int component, int row);
  int block_at(int row) const;  // of the system
  double evaluate(const BlockSystem& system, const std::vector<double>& velocity,
                  const std::vector<double>& r, double* rows) const;
  void apply(const BlockSystem& system, const double* rows, std::vector<double>& velocity) const;
  void correct(const BlockSystem& system, std::vector<double>& velocity, std::vector<double>& r);
  void shorten(const BlockSystem& system, std::vector<double>& r) const;
  template <class Visit>
  void each_row(const BlockSystem& system, int component, Visit&& visit) const;
  std::span<const int> ties_at(int part) const {
    return {tie_at_.data() + tie_begin_[part], tie_at_.data() + tie_begin_[part + 1]};
  }

  bool has_analysis_ = false;
  std::vector<int> signature_, asked_;  // of the analysis, of the system at hand
  std::vector<int> blocks_;             // eliminated ones, in order of elimination
  std::vector<int> row_of_;             // first row of A, per block of the system; -1: not eliminated
  std::vector<int> component_of_;
  std::vector<int> row_begin_, block_begin_;  // of each component that has blocks
  int components_ = 0, analysed_parts_ = 0, analysed_components_ = 0;
  DisjointSets sets_;
  std::vector<Tie> ties_;
  std::vector<int> tie_begin_, tie_at_;  // ties of each part
  std::vector<int> tie_of_;              // first one of each block of the system
  std::vector<double> response_;
  std::vector<Pair> pairs_;
  std::vector<int> column_begin_, column_row_;
  std::vector<double> value_;
  SparseLdl ldl_;
  std::vector<double> work_, column_;
  std::vector<double> pushed_,
      row_work_;  // of `mobility`: velocities of a part; rows of A, zero between calls
  std::vector<int> row_list_;
  struct Null {
    int component;
    std::size_t first;
  };
  std::vector<Null> nulls_;
  std::vector<double> null_;
};

}  // namespace saltus
