#include "saltus/fem/block_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "saltus/base/input_error.hpp"

namespace saltus {

template <int Dim>
BlockPattern::BlockPattern(const SolidMesh<Dim>& mesh, const std::string& where) : dim_(Dim) {
  const int nodes = static_cast<int>(mesh.nodes.size()), elements = static_cast<int>(mesh.elements.size());
  std::vector<int> first(nodes + 1, 0), around(mesh.connectivity.size());  // elements around each node
  for (const int node : mesh.connectivity) ++first[node + 1];
  for (int i = 0; i < nodes; ++i) first[i + 1] += first[i];
  std::vector<int> next(first.begin(), first.end() - 1);
  for (int e = 0; e < elements; ++e)
    for (const int node : mesh.nodes_of(mesh.elements[e])) around[next[node]++] = e;

  start_.assign(1, 0);
  std::vector<int> seen(nodes, -1);
  std::vector<int> column;
  std::int64_t entries = 0;
  for (int node = 0; node < nodes; ++node) {
    column.clear();
    for (int k = first[node]; k < first[node + 1]; ++k)
      for (const int other : mesh.nodes_of(mesh.elements[around[k]]))
        if (seen[other] != node) {
          seen[other] = node;
          column.push_back(other);
        }
    std::sort(column.begin(), column.end());
    rows_.insert(rows_.end(), column.begin(), column.end());
    entries += static_cast<std::int64_t>(Dim * Dim) * static_cast<std::int64_t>(column.size());
    if (entries > std::numeric_limits<int>::max())
      throw InputError(where, "mesh too large: its matrix has more entries than can be counted", {},
                       "fewer nodes");
    start_.push_back(static_cast<int>(rows_.size()));
  }

  first_place_.reserve(elements + 1);
  for (const auto& element : mesh.elements) {
    first_place_.push_back(places_.size());
    const auto own = mesh.nodes_of(element);
    for (const int b : own)
      for (const int a : own) {
        const auto begin = rows_.begin() + start_[b], end = rows_.begin() + start_[b + 1];
        const auto rank = static_cast<int>(std::lower_bound(begin, end, a) - begin);
        places_.push_back(Dim * (Dim * start_[b] + rank));
      }
  }
}

Eigen::SparseMatrix<double> BlockPattern::zero_matrix() const {
  const int nodes = static_cast<int>(start_.size()) - 1;
  Eigen::SparseMatrix<double> matrix(dim_ * nodes, dim_ * nodes);
  matrix.resizeNonZeros(static_cast<Eigen::Index>(dim_) * dim_ * static_cast<Eigen::Index>(rows_.size()));
  int place = 0;
  for (int node = 0; node < nodes; ++node)
    for (int j = 0; j < dim_; ++j) {
      matrix.outerIndexPtr()[dim_ * node + j] = place;
      for (int k = start_[node]; k < start_[node + 1]; ++k)
        for (int i = 0; i < dim_; ++i) matrix.innerIndexPtr()[place++] = dim_ * rows_[k] + i;
    }
  matrix.outerIndexPtr()[dim_ * nodes] = place;
  std::fill(matrix.valuePtr(), matrix.valuePtr() + place, 0.0);
  return matrix;
}

template BlockPattern::BlockPattern(const SolidMesh<2>&, const std::string&);
template BlockPattern::BlockPattern(const SolidMesh<3>&, const std::string&);

}  // namespace saltus
