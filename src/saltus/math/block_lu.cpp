#include "saltus/math/block_lu.hpp"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace saltus {

namespace {

using Panel = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// For each node in elimination order, its neighbours in the symmetric closure of the pattern
// that come before it, or after it. May list one twice.
class Neighbours {
 public:
  Neighbours(const BlockMatrix& pattern, const std::vector<int>& rank, bool later)
      : begin_(pattern.rows + 1, 0) {
    const auto visit = [&](auto&& use) {
      for (int row = 0; row < pattern.rows; ++row)
        for (int p = pattern.row_begin[row]; p < pattern.row_begin[row + 1]; ++p) {
          const auto [low, high] = std::minmax({rank[row], rank[pattern.column[p]]});
          if (low != high) use(later ? low : high, later ? high : low);
        }
    };
    visit([&](int node, int) { ++begin_[node + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    other_.resize(begin_.back());
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    visit([&](int node, int other) { other_[next[node]++] = other; });
  }
  int rows() const { return static_cast<int>(begin_.size()) - 1; }
  std::span<const int> of(int node) const {
    return {other_.data() + begin_[node], static_cast<std::size_t>(begin_[node + 1] - begin_[node])};
  }

 private:
  std::vector<int> begin_, other_;
};

std::vector<int> compute_order(const BlockMatrix& pattern) {
  std::vector<Eigen::Triplet<int>> edges;
  edges.reserve(pattern.column.size());
  for (int row = 0; row < pattern.rows; ++row)
    for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k)
      edges.emplace_back(row, pattern.column[k], 1);
  Eigen::SparseMatrix<int> graph(pattern.rows, pattern.rows);
  graph.setFromTriplets(edges.begin(), edges.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  const auto& indices = permutation.indices();
  return {indices.data(), indices.data() + indices.size()};
}

// Elimination tree: parent[k] is the first row below the diagonal of column k of the factor.
// Liu's algorithm: each row climbs from its entries to the roots of what is known so far,
// shortening the paths it took.
std::vector<int> compute_parents(const Neighbours& earlier) {
  const int n = earlier.rows();
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k)
    for (const int start : earlier.of(k))
      for (int node = start; node != -1 && node != k;) {
        const int up = ancestor[node];
        ancestor[node] = k;
        if (up == -1) parent[node] = k;
        node = up;
      }
  return parent;
}

// Rows below the diagonal of each column of the factor, sorted: the column's own neighbours and
// what its children in the tree leave.
std::vector<std::vector<int>> compute_structure(const Neighbours& later, const std::vector<int>& parent) {
  const int n = later.rows();
  std::vector<std::vector<int>> structure(n), children(n);
  std::vector<int> seen(n, -1);
  for (int k = 0; k < n; ++k) {
    auto& rows = structure[k];
    seen[k] = k;
    const auto add = [&](int row) {
      if (seen[row] == k) return;
      seen[row] = k;
      rows.push_back(row);
    };
    for (const int row : later.of(k)) add(row);
    for (const int child : children[k])
      for (const int row : structure[child]) add(row);
    std::sort(rows.begin(), rows.end());
    if (parent[k] >= 0) children[parent[k]].push_back(k);
  }
  return structure;
}

std::vector<int> compute_postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> head(n, -1), next(n, -1), result, stack;
  for (int k = n - 1; k >= 0; --k)
    if (parent[k] >= 0) next[k] = head[parent[k]], head[parent[k]] = k;
  result.reserve(n);
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int top = stack.back();
      if (head[top] >= 0) {
        stack.push_back(head[top]);
        head[top] = next[head[top]];
      } else {
        result.push_back(top);
        stack.pop_back();
      }
    }
  }
  return result;
}

// Merging a child front into its parent is worth it when it stores few zeros for the
// larger, faster front that results.
bool worth_merging(int child_pivots, int child_rows, int parent_pivots, int parent_rows) {
  const double zeros = double(child_pivots) * (parent_pivots + parent_rows - child_rows);
  const int pivots = child_pivots + parent_pivots;
  const double total = double(pivots) * (pivots + parent_rows);
  return zeros <= 0.12 * total || (pivots <= 8 && zeros <= 0.35 * total);
}

}  // namespace

void BlockLu::analyse(const BlockMatrix& pattern) {
  block_ = pattern.block;
  rows_count_ = pattern.rows;
  order_ = compute_order(pattern);
  rank_.resize(order_.size());
  const auto compute_rank = [&] {
    for (int k = 0; k < rows_count_; ++k) rank_[order_[k]] = k;
  };
  compute_rank();
  std::vector<int> postordered;
  postordered.reserve(order_.size());
  for (const int k : compute_postorder(compute_parents(Neighbours(pattern, rank_, false))))
    postordered.push_back(order_[k]);
  order_ = std::move(postordered);
  compute_rank();
  const std::vector<int> parent = compute_parents(Neighbours(pattern, rank_, false));
  build_fronts(compute_structure(Neighbours(pattern, rank_, true), parent), parent);
  assign_entries(pattern);
  assign_storage();
}

// Columns are in postorder: a front is a run of columns, and merging a front with the one
// just before it (its last child) keeps that true.
void BlockLu::build_fronts(const std::vector<std::vector<int>>& structure, const std::vector<int>& parent) {
  struct Run {
    int first, last;
  };
  std::vector<Run> runs;
  for (int k = 0; k < rows_count_; ++k) {
    Run run{k, k + 1};
    while (!runs.empty() && parent[runs.back().last - 1] == k) {
      const Run& child = runs.back();
      const int child_rows = static_cast<int>(structure[child.last - 1].size());
      if (!worth_merging(child.last - child.first, child_rows, k + 1 - run.first,
                         static_cast<int>(structure[k].size())))
        break;
      run.first = child.first;
      runs.pop_back();
    }
    runs.push_back(run);
  }
  fronts_.clear();
  rows_.clear();
  front_of_.assign(rows_count_, -1);
  int scalars = 0;
  for (const Run& run : runs) {
    Front front{};
    front.pivots = run.last - run.first;
    front.first_row = static_cast<int>(rows_.size());
    for (int k = run.first; k < run.last; ++k) {
      rows_.push_back(k);
      front_of_[k] = static_cast<int>(fronts_.size());
    }
    rows_.insert(rows_.end(), structure[run.last - 1].begin(), structure[run.last - 1].end());
    front.rows = static_cast<int>(rows_.size()) - front.first_row;
    front.first_scalar = scalars;
    scalars += front.pivots * block_;
    fronts_.push_back(front);
  }
  std::vector<std::vector<int>> children(fronts_.size());
  child_place_.assign(rows_.size(), -1);
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    if (front.rows == front.pivots) continue;
    const int* below = rows_.data() + front.first_row + front.pivots;
    const int above = front_of_[*below];
    children[above].push_back(static_cast<int>(f));
    const auto begin = rows_.begin() + fronts_[above].first_row;
    const auto end = begin + fronts_[above].rows;
    for (int i = front.pivots; i < front.rows; ++i)
      child_place_[front.first_row + i] =
          static_cast<int>(std::lower_bound(begin, end, rows_[front.first_row + i]) - begin);
  }
  children_.clear();
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    fronts_[f].first_child = static_cast<int>(children_.size());
    fronts_[f].children = static_cast<int>(children[f].size());
    children_.insert(children_.end(), children[f].begin(), children[f].end());
  }
}

void BlockLu::assign_entries(const BlockMatrix& pattern) {
  std::vector<std::vector<Entry>> by_front(fronts_.size());
  for (int row = 0; row < rows_count_; ++row)
    for (int p = pattern.row_begin[row]; p < pattern.row_begin[row + 1]; ++p) {
      const int i = rank_[row], j = rank_[pattern.column[p]];
      const int f = front_of_[std::min(i, j)];
      const auto begin = rows_.begin() + fronts_[f].first_row;
      const auto end = begin + fronts_[f].rows;
      by_front[f].push_back({p, static_cast<int>(std::lower_bound(begin, end, i) - begin),
                             static_cast<int>(std::lower_bound(begin, end, j) - begin)});
    }
  entries_.clear();
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    fronts_[f].first_entry = static_cast<int>(entries_.size());
    fronts_[f].entries = static_cast<int>(by_front[f].size());
    entries_.insert(entries_.end(), by_front[f].begin(), by_front[f].end());
  }
}

void BlockLu::assign_storage() {
  std::size_t factor = 0, update = 0, largest = 0;
  std::size_t largest_rows = 0;
  flops_ = 0;
  for (Front& front : fronts_) {
    const std::size_t n = std::size_t(front.rows) * block_, k = std::size_t(front.pivots) * block_, m = n - k;
    front.factor = factor;
    factor += k * n + m * k;
    front.update = update;
    update += m * m;
    largest = std::max(largest, n * n);
    largest_rows = std::max(largest_rows, n);
    flops_ += 2.0 / 3.0 * double(k * k * k) + 2.0 * double(k * k * m) + 2.0 * double(k * m * m);
  }
  factor_.resize(factor);
  update_.resize(update);
  work_.resize(largest);
  pivot_.resize(std::size_t(rows_count_) * block_);
  permuted_.resize(std::ptrdiff_t(rows_count_) * block_);
  gathered_.resize(static_cast<std::ptrdiff_t>(largest_rows));
}

bool BlockLu::eliminate(const Front& front, const AlignedVector& values) {
  const int n = front.rows * block_, k = front.pivots * block_, m = n - k;
  Panel whole(work_.data(), n, n, Eigen::OuterStride<>(n));
  whole.setZero();
  for (int e = front.first_entry; e < front.first_entry + front.entries; ++e) {
    const Entry& entry = entries_[e];
    const double* source = values.data() + std::size_t(entry.position) * block_ * block_;
    double* target = work_.data() + std::size_t(entry.column) * block_ * n + std::size_t(entry.row) * block_;
    for (int j = 0; j < block_; ++j)
      for (int i = 0; i < block_; ++i) target[std::size_t(j) * n + i] += source[j * block_ + i];
  }
  for (int c = 0; c < front.children; ++c) {
    const Front& child = fronts_[children_[front.first_child + c]];
    const int below = child.rows - child.pivots, size = below * block_;
    const int* place = child_place_.data() + child.first_row + child.pivots;
    const double* source = update_.data() + child.update;
    for (int j = 0; j < below; ++j)
      for (int jj = 0; jj < block_; ++jj, source += size) {
        double* column = work_.data() + std::size_t(place[j] * block_ + jj) * n;
        for (int i = 0; i < below; ++i)
          for (int ii = 0; ii < block_; ++ii) column[place[i] * block_ + ii] += source[i * block_ + ii];
      }
  }
  auto corner = whole.topLeftCorner(k, k);
  auto right = whole.topRightCorner(k, m);
  int exchanges = 0;
  Eigen::Map<Eigen::VectorXi> pivots(pivot_.data() + front.first_scalar, k);
  const auto zero_pivot = [&] {
    Eigen::Ref<Eigen::MatrixXd> reference(corner);
    return Eigen::internal::partial_lu_impl<double, Eigen::ColMajor, int>::blocked_lu(
        k, k, reference.data(), n, pivots.data(), exchanges);
  }();
  if (zero_pivot >= 0 || !corner.diagonal().allFinite()) return false;
  for (int i = 0; i < k; ++i)
    if (pivots[i] != i) right.row(i).swap(right.row(pivots[i]));
  double* store = factor_.data() + front.factor;
  Panel upper(store, k, n, Eigen::OuterStride<>(k));
  upper.leftCols(k) = corner;
  if (m == 0) return true;
  auto below = whole.bottomLeftCorner(m, k);
  corner.triangularView<Eigen::UnitLower>().solveInPlace(right);
  corner.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(below);
  upper.rightCols(m) = right;
  Panel(store + std::size_t(k) * n, m, k, Eigen::OuterStride<>(m)) = below;
  Panel schur(update_.data() + front.update, m, m, Eigen::OuterStride<>(m));
  schur = whole.bottomRightCorner(m, m);
  if (k <= 8 && m <= 24)
    schur.noalias() -= below.lazyProduct(right);
  else
    schur.noalias() -= below * right;
  return true;
}

bool BlockLu::factor(const AlignedVector& values) {
  for (const Front& front : fronts_)
    if (!eliminate(front, values)) return false;
  return true;
}

void BlockLu::solve(Eigen::VectorXd& x) {
  for (int row = 0; row < rows_count_; ++row)
    permuted_.segment(std::ptrdiff_t(rank_[row]) * block_, block_) =
        x.segment(std::ptrdiff_t(row) * block_, block_);
  for (const Front& front : fronts_) {
    const int n = front.rows * block_, k = front.pivots * block_, m = n - k;
    const double* store = factor_.data() + front.factor;
    Eigen::Map<const Eigen::MatrixXd> corner(store, k, k);
    auto head = permuted_.segment(front.first_scalar, k);
    for (int i = 0; i < k; ++i) std::swap(head[i], head[pivot_[front.first_scalar + i]]);
    corner.triangularView<Eigen::UnitLower>().solveInPlace(head);
    if (m == 0) continue;
    auto part = gathered_.head(m);
    part.noalias() = Eigen::Map<const Eigen::MatrixXd>(store + std::size_t(k) * n, m, k) * head;
    for (int i = front.pivots; i < front.rows; ++i)
      permuted_.segment(std::ptrdiff_t(rows_[front.first_row + i]) * block_, block_) -=
          part.segment((i - front.pivots) * block_, block_);
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int n = front->rows * block_, k = front->pivots * block_, m = n - k;
    const double* store = factor_.data() + front->factor;
    auto head = permuted_.segment(front->first_scalar, k);
    if (m > 0) {
      auto part = gathered_.head(m);
      for (int i = front->pivots; i < front->rows; ++i)
        part.segment((i - front->pivots) * block_, block_) =
            permuted_.segment(std::ptrdiff_t(rows_[front->first_row + i]) * block_, block_);
      head.noalias() -= Eigen::Map<const Eigen::MatrixXd>(store + std::size_t(k) * k, k, m) * part;
    }
    Eigen::Map<const Eigen::MatrixXd>(store, k, k).triangularView<Eigen::Upper>().solveInPlace(head);
  }
  for (int row = 0; row < rows_count_; ++row)
    x.segment(std::ptrdiff_t(row) * block_, block_) =
        permuted_.segment(std::ptrdiff_t(rank_[row]) * block_, block_);
}

}  // namespace saltus
