// The inner loop of a sweep: b_c + sum of W_cj r_j over the other contacts j.
//
// Blocks are read straight from the BlockMatrix, column by column, four numbers at a time: a
// column of a 3 x 3 block is read with one number of the next column, which lands in a lane that
// is thrown away (the matrix is padded at its end for this).
#pragma once

#include <cstddef>
#include <cstring>

#include "saltus/math/block_matrix.hpp"
#include "saltus/solvers/cone.hpp"

namespace saltus::kernel {

using Four = double __attribute__((vector_size(32)));

inline Four load_four(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Calls add(block, r_j) for the blocks of a row except the diagonal one, without a branch.
template <int Block, class Add>
inline void for_each_neighbour(const BlockMatrix& W, int row, const double* r, Add&& add) {
  const int diagonal = W.diagonal[row], last = W.row_begin[row + 1] - 1;
  for (int k = W.row_begin[row]; k < last; ++k) {
    const int position = k + (k >= diagonal);
    add(W.value.data() + std::size_t(position) * (Block * Block),
        r + std::ptrdiff_t(W.column[position]) * Block);
  }
}

template <class C>
inline typename C::Vector sum_neighbours(const BlockMatrix& W, int row, const double* r, const double* b) {
  constexpr int kBlock = C::kSize;
  using Vector = typename C::Vector;
  const double* own = b + std::ptrdiff_t(row) * kBlock;
  if constexpr (kBlock == 2) {
    Four sum = {own[0], own[1], 0, 0};
    for_each_neighbour<2>(W, row, r, [&](const double* block, const double* x) {
      sum += load_four(block) * Four{x[0], x[0], x[1], x[1]};
    });
    return {sum[0] + sum[2], sum[1] + sum[3]};
  } else if constexpr (kBlock == 3) {
    Four even = {own[0], own[1], own[2], 0}, odd = {}, third = {};
    for_each_neighbour<3>(W, row, r, [&](const double* block, const double* x) {
      even += load_four(block) * x[0];
      odd += load_four(block + 3) * x[1];
      third += load_four(block + 6) * x[2];
    });
    even += odd + third;
    return {even[0], even[1], even[2]};
  } else {
    Vector sum = Eigen::Map<const Vector>(own);
    for_each_neighbour<kBlock>(W, row, r, [&](const double* block, const double* x) {
      sum.noalias() += Eigen::Map<const typename C::Matrix>(block) * Eigen::Map<const Vector>(x);
    });
    return sum;
  }
}

}  // namespace saltus::kernel
