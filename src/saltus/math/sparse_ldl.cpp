#include "saltus/math/sparse_ldl.hpp"

#include <algorithm>

namespace saltus {

void SparseLdl::analyse(std::span<const int> begin, std::span<const int> row) {
  const int n = static_cast<int>(begin.size()) - 1;
  column_begin_.assign(begin.begin(), begin.end());
  column_row_.assign(row.begin(), row.end());
  parent_.assign(n, -1);
  seen_.assign(n, -1);
  filled_.assign(n, 0);
  path_.resize(n);
  for (int k = 0; k < n; ++k) {
    seen_[k] = k;
    for (int p = begin[k]; p < begin[k + 1]; ++p)
      for (int i = row[p]; seen_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++filled_[i];
        seen_[i] = k;
      }
  }
  begin_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) begin_[k + 1] = begin_[k] + filled_[k];
  row_.resize(begin_[n]);
  value_.resize(begin_[n]);
  inverse_pivot_.resize(n);
  sum_.assign(n, 0);
}

// Row k of L solves L y = a_k with the rows above it: y in the order of the tree, from each entry up to k.
void SparseLdl::factor(std::span<const double> value, double dependent) {
  const int n = rows();
  dependent_.clear();
  for (int k = 0; k < n; ++k) {
    seen_[k] = k;
    filled_[k] = 0;
    int top = n;
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) {
      sum_[column_row_[p]] += value[p];
      int length = 0;
      for (int i = column_row_[p]; seen_[i] != k; i = parent_[i]) {
        path_[length++] = i;
        seen_[i] = k;
      }
      while (length > 0) path_[--top] = path_[--length];
    }
    const double diagonal = sum_[k];
    double pivot = diagonal;
    sum_[k] = 0;
    for (; top < n; ++top) {
      const int i = path_[top];
      const double y = sum_[i], entry = y * inverse_pivot_[i];
      sum_[i] = 0;
      std::size_t p = begin_[i];
      const std::size_t end = p + filled_[i];
      for (; p < end; ++p) sum_[row_[p]] -= value_[p] * y;
      pivot -= entry * y;
      row_[p] = k;
      value_[p] = entry;
      ++filled_[i];
    }
    const bool is_free = pivot > dependent * diagonal;
    inverse_pivot_[k] = is_free ? 1 / pivot : 0;
    if (!is_free) dependent_.push_back(k);
  }
}

void SparseLdl::solve(int first, int last, double* x) const {
  for (int k = first; k < last; ++k) {
    if (inverse_pivot_[k] == 0) x[k] = 0;
    for (std::size_t p = begin_[k]; p < begin_[k + 1]; ++p) x[row_[p]] -= value_[p] * x[k];
  }
  for (int k = first; k < last; ++k) x[k] *= inverse_pivot_[k];
  for (int k = last - 1; k >= first; --k) {
    for (std::size_t p = begin_[k]; p < begin_[k + 1]; ++p) x[k] -= value_[p] * x[row_[p]];
    if (inverse_pivot_[k] == 0) x[k] = 0;
  }
}

double SparseLdl::inverse_form(std::span<const int> nonzero, double* x) {
  int count = 0;
  for (const int from : nonzero)
    for (int i = from; i >= 0 && seen_[i] != -2; i = parent_[i]) {
      seen_[i] = -2;
      path_[count++] = i;
    }
  // Mostly it is one way up the tree.
  if (!std::is_sorted(path_.begin(), path_.begin() + count)) std::sort(path_.begin(), path_.begin() + count);
  double form = 0;
  for (int k = 0; k < count; ++k) {
    const int i = path_[k];
    const double y = inverse_pivot_[i] == 0 ? 0 : x[i];
    x[i] = 0;
    seen_[i] = -1;
    for (std::size_t p = begin_[i]; p < begin_[i + 1]; ++p) x[row_[p]] -= value_[p] * y;
    form += y * y * inverse_pivot_[i];
  }
  return form;
}

}  // namespace saltus
