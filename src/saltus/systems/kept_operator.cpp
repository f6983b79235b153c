#include "saltus/systems/kept_operator.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Calls visit(row, column, value) with entries in the order they are stored.
template <class Visit>
void each_entry(const Sparse& matrix, Visit&& visit) {
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator it(matrix, k); it; ++it)
      visit(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
}

}  // namespace

void KeptOperator::analyse(std::span<const int> free, std::span<const OperatorTerm> terms) {
  const auto size = static_cast<int>(free.size());
  std::vector<int> place;  // of each degree of freedom among the free ones; -1
  for (int i = 0; i < size; ++i) {
    place.resize(free[i] + 1, -1);
    place[free[i]] = i;
  }
  const auto find = [&](int dof) { return dof < static_cast<int>(place.size()) ? place[dof] : -1; };
  std::vector<Eigen::Triplet<int>> edges;
  for (int i = 0; i < size; ++i) edges.emplace_back(i, i, 1);
  for (const OperatorTerm& term : terms)
    each_entry(term.matrix, [&](int row, int column, double) {
      const int a = find(row), b = find(column);
      if (a < 0 || b < 0) return;
      edges.emplace_back(a, b, 1), edges.emplace_back(b, a, 1);
    });
  Eigen::SparseMatrix<int> graph(size, size);
  graph.setFromTriplets(edges.begin(), edges.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> sorted;
  Eigen::AMDOrdering<int>()(graph, sorted);
  order_.resize(size);
  for (int i = 0; i < size; ++i) order_[sorted.indices()[i]] = i;

  std::vector<std::vector<int>> rows(size);
  for (const auto& edge : edges)
    if (const int a = order_[edge.row()], b = order_[edge.col()]; a <= b) rows[b].push_back(a);
  begin_.assign(1, 0);
  row_.clear();
  for (std::vector<int>& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    begin_.push_back(static_cast<int>(row_.size()));
  }
  places_.assign(terms.size(), {});
  for (std::size_t t = 0; t < terms.size(); ++t)
    each_entry(terms[t].matrix, [&](int row, int column, double) {
      const int a = find(row), b = find(column);
      if (a < 0 || b < 0) return places_[t].push_back(-1);
      const auto [first, last] = std::minmax(order_[a], order_[b]);
      places_[t].push_back(static_cast<int>(
          std::lower_bound(row_.begin() + begin_[last], row_.begin() + begin_[last + 1], first) -
          row_.begin()));
    });
  ldl_.analyse(begin_, row_);
}

bool KeptOperator::factor(std::span<const int> free, std::span<const OperatorTerm> terms) {
  if (free.empty()) return true;
  if (order_.empty()) analyse(free, terms);
  value_.assign(row_.size(), 0.0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (terms[t].weight == 0) continue;
    std::size_t n = 0;
    each_entry(terms[t].matrix, [&](int row, int column, double value) {
      if (const int at = places_[t][n++]; at >= 0)
        value_[at] += (row == column ? 1 : 0.5) * terms[t].weight * value;
    });
  }
  ldl_.factor(value_, 0);  // a row whose pivot is not positive counts as dependent
  return ldl_.dependent().empty();
}

void KeptOperator::solve(std::span<const int> free, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) {
  x.setZero(rhs.size());
  work_.resize(free.size());
  for (std::size_t i = 0; i < free.size(); ++i) work_[order_[i]] = rhs[free[i]];
  ldl_.solve(0, static_cast<int>(free.size()), work_.data());
  for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = work_[order_[i]];
}

}  // namespace saltus
