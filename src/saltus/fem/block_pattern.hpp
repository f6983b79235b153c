// The sparse matrix of a mesh: one Dim x Dim block for every two nodes of one element, and where in its values
// each element adds.
//
// Compressed by columns. Blocks of a column of nodes stand in the order of their rows; entry (i, j) of the block whose first
// entry has place p is at p + j stride + i, with the stride of its column of nodes.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

class BlockPattern {
 public:
  BlockPattern() = default;
  // Throws InputError, opened by `where`: more entries than an int counts.
  template <int Dim>
  BlockPattern(const SolidMesh<Dim>& mesh, const std::string& where);

  Eigen::SparseMatrix<double> zero_matrix() const;  // all entries there, 0
  int stride(int node) const { return dim_ * (start_[node + 1] - start_[node]); }
  // The places of element e, that of nodes a and b at a + N b.
  const int* places(int element) const { return places_.data() + first_place_[element]; }

 private:
  int dim_ = 0;
  std::vector<int> start_;  // of the blocks of each column of nodes
  std::vector<int> rows_;   // nodes
  std::vector<std::size_t> first_place_;
  std::vector<int> places_;
};

}  // namespace saltus
