// L D L^T of a sparse symmetric semidefinite matrix, row by row of L, in the order it is given.
//
// A row whose pivot is no more than `dependent` of its diagonal entry says what rows before it said: it is left out,
// that is, its unknown stays zero. Rows that no entry ties together never meet: a range of rows that is closed in
// this sense (a component) is solved by itself.
//
// The analysis depends on the pattern alone and is kept, as is all memory. Source of the method: T. A. Davis,
// Algorithm 849, ACM TOMS 31 (2005): the elimination tree tells the pattern of each row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace saltus {

class SparseLdl {
 public:
  // Column k has rows row[begin[k]] up to row[begin[k + 1]], ascending, none beyond the last: k itself.
  void analyse(std::span<const int> begin, std::span<const int> row);
  // `value` at the places of `row`.
  void factor(std::span<const double> value, double dependent);
  // x := A^-1 x in rows first to last (a union of components); zero in rows that are left out.
  void solve(int first, int last, double* x) const;

  // x . A^-1 x for an x that is zero but at `nonzero`: only rows above these in the elimination tree are read. Leaves x all zero.
  double inverse_form(std::span<const int> nonzero, double* x);

  int rows() const { return static_cast<int>(parent_.size()); }
  std::span<const int> dependent() const { return dependent_; }  // rows left out, ascending
  std::size_t entries(int first, int last) const { return begin_[last] - begin_[first]; }  // of L

 private:
  std::vector<int> column_begin_, column_row_;  // of A
  std::vector<int> parent_;                     // of the elimination tree; -1: a root
  std::vector<std::size_t> begin_;              // of the columns of L
  std::vector<int> row_;
  std::vector<double> value_, inverse_pivot_;  // 0: left out
  std::vector<int> dependent_;
  std::vector<int> seen_, path_, filled_;
  std::vector<double> sum_;
};

}  // namespace saltus
