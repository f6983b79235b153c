#include "saltus/solvers/elimination.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace saltus {

namespace {

constexpr int kMostRefinements = 4;
constexpr std::size_t kMostNull =
    4'000'000;  // numbers of vectors that move nothing; beyond, any multipliers will do

}  // namespace

bool Elimination::is_analysed(const BlockSystem& system) {
  asked_.clear();
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const BlockSystem::Block& block = system.blocks[b];
    if (block.set.kind != SetKind::space) continue;
    asked_.insert(asked_.end(), {static_cast<int>(b), block.rows(), block.ends});
    for (const BlockSystem::End& end : system.ends_of(block)) asked_.push_back(end.part);
  }
  return has_analysis_ && asked_ == signature_;
}

void Elimination::build(const BlockSystem& system) {
  if (!is_analysed(system)) analyse(system);
  // Parts beyond those that were tied when it was analysed stand alone.
  const int parts = static_cast<int>(system.parts.size());
  component_of_.resize(std::max(parts, analysed_parts_));
  components_ = analysed_components_;
  for (int p = 0; p < parts; ++p)
    if (p >= analysed_parts_ || tie_begin_[p] == tie_begin_[p + 1]) component_of_[p] = components_++;
  compute_responses(system);
  assemble(system);
}

void Elimination::analyse(const BlockSystem& system) {
  signature_ = asked_;
  has_analysis_ = true;
  ties_.clear();
  blocks_.clear();
  tie_of_.assign(system.blocks.size(), -1);
  analysed_parts_ = 0;
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const BlockSystem::Block& block = system.blocks[b];
    if (block.set.kind != SetKind::space) continue;
    blocks_.push_back(static_cast<int>(b));
    tie_of_[b] = static_cast<int>(ties_.size());
    for (int e = 0; e < block.ends; ++e) {
      const int part = system.ends[block.first_end + e].part;
      ties_.push_back({static_cast<int>(b), e, part, block.rows(), 0});
      analysed_parts_ = std::max(analysed_parts_, part + 1);
    }
  }
  tie_begin_.assign(analysed_parts_ + 1, 0);
  for (const Tie& tie : ties_) ++tie_begin_[tie.part + 1];
  std::partial_sum(tie_begin_.begin(), tie_begin_.end(), tie_begin_.begin());
  tie_at_.resize(ties_.size());
  std::vector<int> next(tie_begin_.begin(), tie_begin_.end() - 1);
  for (std::size_t t = 0; t < ties_.size(); ++t) tie_at_[next[ties_[t].part]++] = static_cast<int>(t);
  find_components(system);
  sort_blocks(system);
  build_pattern(system);
  ldl_.analyse(column_begin_, column_row_);
}

void Elimination::find_components(const BlockSystem& system) {
  sets_.reset(analysed_parts_);
  for (const int b : blocks_) {
    const auto ends = system.ends_of(system.blocks[b]);
    for (std::size_t e = 1; e < ends.size(); ++e) sets_.join(ends[0].part, ends[e].part);
  }
  component_of_.assign(analysed_parts_, -1);
  analysed_components_ = 0;
  for (const Tie& tie : ties_) {
    int& of_set = component_of_[sets_.find(tie.part)];
    if (of_set < 0) of_set = analysed_components_++;
    component_of_[tie.part] = of_set;
  }
}

// Approximate minimum degree, component by component; blocks without ends (nothing can move) come last.
void Elimination::sort_blocks(const BlockSystem& system) {
  const int count = static_cast<int>(blocks_.size());
  std::vector<int> place(system.blocks.size(), -1);
  for (int i = 0; i < count; ++i) place[blocks_[i]] = i;
  std::vector<Eigen::Triplet<int>> edges;
  for (int i = 0; i < count; ++i) edges.emplace_back(i, i, 1);
  for (int p = 0; p < analysed_parts_; ++p)
    for (const int s : ties_at(p))
      for (const int t : ties_at(p)) edges.emplace_back(place[ties_[s].block], place[ties_[t].block], 1);
  Eigen::SparseMatrix<int> graph(count, count);
  graph.setFromTriplets(edges.begin(), edges.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  if (count > 0) Eigen::AMDOrdering<int>()(graph, order);
  std::vector<int> sorted;
  for (int i = 0; i < count; ++i) sorted.push_back(blocks_[order.indices()[i]]);
  const auto component = [&](int b) {
    const auto ends = system.ends_of(system.blocks[b]);
    return ends.empty() ? analysed_components_ : component_of_[ends[0].part];
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return component(a) < component(b); });
  blocks_ = std::move(sorted);
  row_of_.assign(system.blocks.size(), -1);
  row_begin_.clear();
  block_begin_.clear();
  int rows = 0;
  const auto open_components = [&](int next, int block) {
    for (; static_cast<int>(row_begin_.size()) <= next; block_begin_.push_back(block))
      row_begin_.push_back(rows);
  };
  for (int i = 0; i < count; ++i) {
    open_components(component(blocks_[i]), i);
    row_of_[blocks_[i]] = rows;
    rows += system.blocks[blocks_[i]].rows();
  }
  open_components(analysed_components_, count);
  work_.resize(rows);
  column_.resize(rows);
}

void Elimination::build_pattern(const BlockSystem& system) {
  column_begin_.assign(1, 0);
  column_row_.clear();
  pairs_.clear();
  std::vector<int> earlier, offset;
  for (const int b : blocks_) {
    const BlockSystem::Block& block = system.blocks[b];
    earlier.clear();
    for (const BlockSystem::End& end : system.ends_of(block))
      for (const int t : ties_at(end.part))
        if (row_of_[ties_[t].block] < row_of_[b]) earlier.push_back(row_of_[ties_[t].block]);
    std::sort(earlier.begin(), earlier.end());
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    const auto rows_at = [&](int row) {  // of the block that begins there
      return system
          .blocks[*std::lower_bound(blocks_.begin(), blocks_.end(), row,
                                    [&](int a, int r) { return row_of_[a] < r; })]
          .rows();
    };
    offset.assign(1, 0);
    for (const int row : earlier) offset.push_back(offset.back() + rows_at(row));
    for (int k = 0; k < block.rows(); ++k) {
      for (std::size_t i = 0; i < earlier.size(); ++i)
        for (int r = earlier[i]; r < earlier[i] + offset[i + 1] - offset[i]; ++r) column_row_.push_back(r);
      for (int r = 0; r <= k; ++r) column_row_.push_back(row_of_[b] + r);
      column_begin_.push_back(static_cast<int>(column_row_.size()));
    }
    for (int t = tie_of_[b]; t < tie_of_[b] + block.ends; ++t) {
      for (const int s : ties_at(ties_[t].part)) {
        const int row = row_of_[ties_[s].block];
        if (row > row_of_[b]) continue;
        const auto found = std::lower_bound(earlier.begin(), earlier.end(), row) - earlier.begin();
        pairs_.push_back({s, t, offset[static_cast<std::size_t>(found)]});
      }
    }
  }
  value_.resize(column_row_.size());
}

void Elimination::compute_responses(const BlockSystem& system) {
  response_.clear();
  for (Tie& tie : ties_) {
    const BlockSystem::End& end = system.ends[system.blocks[tie.block].first_end + tie.end];
    const BlockSystem::Part& part = system.parts[tie.part];
    tie.response = response_.size();
    response_.resize(response_.size() + static_cast<std::size_t>(part.size) * tie.rows, 0.0);
    double* out = response_.data() + tie.response;
    const double* column = system.jacobian.data() + end.jacobian;
    for (int k = 0; k < tie.rows; ++k, column += end.dofs, out += part.size)
      for (int j = 0; j < end.dofs; ++j) {
        const double* inverse =
            system.inverse.data() + part.inverse + static_cast<std::size_t>(system.dof(end, j)) * part.size;
        for (int i = 0; i < part.size; ++i) out[i] += inverse[i] * column[j];
      }
  }
}

void Elimination::assemble(const BlockSystem& system) {
  std::fill(value_.begin(), value_.end(), 0.0);
  for (const Pair& pair : pairs_) {
    const Tie &first = ties_[pair.first], &second = ties_[pair.second];
    const BlockSystem::End& end = system.ends[system.blocks[first.block].first_end + first.end];
    const int size = system.parts[first.part].size, row = row_of_[second.block];
    const bool is_own = first.block == second.block;
    const double* response = response_.data() + second.response;
    for (int j = 0; j < second.rows; ++j, response += size) {
      double* column = value_.data() + column_begin_[row + j] + pair.offset;
      const double* jacobian = system.jacobian.data() + end.jacobian;
      for (int i = 0; i < (is_own ? j + 1 : first.rows); ++i, jacobian += end.dofs)
        for (int d = 0; d < end.dofs; ++d) column[i] += jacobian[d] * response[system.dof(end, d)];
    }
  }
  for (const int b : blocks_)
    for (int k = 0; k < system.blocks[b].rows(); ++k)
      value_[column_begin_[row_of_[b] + k + 1] - 1] += system.compliance[system.blocks[b].first_row + k];
}

void Elimination::factor(const BlockSystem& system, double dependent) {
  ldl_.factor(value_, dependent);
  build_null_vectors(system);
}

std::size_t Elimination::entries(int component) const {
  if (component >= analysed_components_) return 0;
  return ldl_.entries(row_begin_[component], row_begin_[component + 1]);
}

int Elimination::block_at(int row) const {
  return *(
      std::upper_bound(blocks_.begin(), blocks_.end(), row, [&](int r, int b) { return r < row_of_[b]; }) -
      1);
}

// Visits (place among the rows of the component, row of the system).
template <class Visit>
void Elimination::each_row(const BlockSystem& system, int component, Visit&& visit) const {
  for (int i = block_begin_[component]; i < block_begin_[component + 1]; ++i) {
    const BlockSystem::Block& block = system.blocks[blocks_[i]];
    for (int k = 0; k < block.rows(); ++k)
      visit(row_of_[blocks_[i]] + k - row_begin_[component], block.first_row + k);
  }
}

// Multipliers that move nothing, made orthonormal in the units of the residual: one for each row left out.
void Elimination::build_null_vectors(const BlockSystem& system) {
  nulls_.clear();
  null_.clear();
  int component = 0;
  for (const int row : ldl_.dependent()) {
    while (component < analysed_components_ && row >= row_begin_[component + 1]) ++component;
    if (component == analysed_components_ || null_.size() > kMostNull) return;
    find_null(system, component, row);
  }
}

void Elimination::find_null(const BlockSystem& system, int component, int row) {
  const int first = row_begin_[component], last = row_begin_[component + 1], b = block_at(row);
  std::fill(column_.begin() + first, column_.begin() + last, 0.0);
  for (int t = tie_of_[b]; t < tie_of_[b] + system.blocks[b].ends; ++t) {
    const std::size_t size = system.parts[ties_[t].part].size;
    const double* v =
        response_.data() + ties_[t].response + size * static_cast<std::size_t>(row - row_of_[b]);
    for (const int s : ties_at(ties_[t].part))
      system.add_velocity(system.ends[system.blocks[ties_[s].block].first_end + ties_[s].end], ties_[s].rows,
                          v, column_.data() + row_of_[ties_[s].block]);
  }
  ldl_.solve(first, last, column_.data());
  for (int i = first; i < last; ++i) column_[i] = -column_[i];
  column_[row] = 1;
  double* x = column_.data() + first;
  each_row(system, component, [&](int i, int own) { x[i] /= system.unit[own]; });
  const std::size_t rows = last - first;
  const Eigen::Map<Eigen::VectorXd> found(x, static_cast<Eigen::Index>(rows));
  for (int pass = 0; pass < 2; ++pass)
    for (const Null& other : nulls_) {
      if (other.component != component) continue;
      const Eigen::Map<const Eigen::VectorXd> vector(null_.data() + other.first, found.size());
      Eigen::Map<Eigen::VectorXd>(x, found.size()) -= vector.dot(found) * vector;
    }
  const double length = found.norm();
  if (!(length > 0)) return;
  nulls_.push_back({component, null_.size()});
  for (std::size_t i = 0; i < rows; ++i) null_.push_back(x[i] / length);
}

double Elimination::evaluate(const BlockSystem& system, const std::vector<double>& velocity,
                             const std::vector<double>& r, double* rows) const {
  for (const int b : blocks_) {
    const int from = system.blocks[b].first_row;
    for (int k = 0; k < system.blocks[b].rows(); ++k)
      rows[row_of_[b] + k] =
          system.ground[from + k] + system.shift[from + k] + system.compliance[from + k] * r[from + k];
  }
  for (const Tie& tie : ties_)
    system.add_velocity(system.ends[system.blocks[tie.block].first_end + tie.end], tie.rows,
                        velocity.data() + system.parts[tie.part].velocity, rows + row_of_[tie.block]);
  double sum = 0;
  for (const int b : blocks_)
    for (int k = 0; k < system.blocks[b].rows(); ++k)
      sum += std::pow(system.unit[system.blocks[b].first_row + k] * rows[row_of_[b] + k], 2);
  return sum;
}

void Elimination::apply(const BlockSystem& system, const double* rows, std::vector<double>& velocity) const {
  for (const Tie& tie : ties_) {
    const double* response = response_.data() + tie.response;
    const int size = system.parts[tie.part].size;
    double* v = velocity.data() + system.parts[tie.part].velocity;
    for (int k = 0; k < tie.rows; ++k, response += size)
      for (int i = 0; i < size; ++i) v[i] += response[i] * rows[row_of_[tie.block] + k];
  }
}

void Elimination::shorten(const BlockSystem& system, std::vector<double>& r) const {
  for (const Null& null : nulls_) {
    const double* vector = null_.data() + null.first;
    double along = 0;
    each_row(system, null.component, [&](int i, int own) { along += vector[i] * r[own] / system.unit[own]; });
    each_row(system, null.component, [&](int i, int own) { r[own] -= along * vector[i] * system.unit[own]; });
  }
}

void Elimination::project(const BlockSystem& system, std::vector<double>& velocity, std::vector<double>& r) {
  evaluate(system, velocity, r, work_.data());
  correct(system, velocity, r);
}

// By what `evaluate` has left in work_.
void Elimination::correct(const BlockSystem& system, std::vector<double>& velocity, std::vector<double>& r) {
  ldl_.solve(0, rows(), work_.data());
  for (double& x : work_) x = -x;
  apply(system, work_.data(), velocity);
  for (const int b : blocks_)
    for (int k = 0; k < system.blocks[b].rows(); ++k)
      r[system.blocks[b].first_row + k] += work_[row_of_[b] + k];
}

double Elimination::enforce(const BlockSystem& system, double enough, std::vector<double>& velocity,
                            std::vector<double>& r) {
  for (const int b : blocks_)
    std::fill_n(r.begin() + system.blocks[b].first_row, system.blocks[b].rows(), 0.0);
  double before = evaluate(system, velocity, r, work_.data());
  for (int pass = 0; pass < kMostRefinements; ++pass) {
    if (before == 0 || (pass > 0 && before <= enough)) break;
    correct(system, velocity, r);
    const double after = evaluate(system, velocity, r, work_.data());
    const bool gains = after < 0.01 * before;
    before = after;
    if (!gains) break;
  }
  shorten(system, r);
  return before;
}

Elimination::Mobility Elimination::mobility(const BlockSystem& system, const BlockSystem::Block& block) {
  Mobility result;
  result.alone = system.compliance[block.first_row];
  row_work_.resize(work_.size(), 0.0);
  row_list_.clear();
  for (const BlockSystem::End& end : system.ends_of(block)) {
    const BlockSystem::Part& part = system.parts[end.part];
    const double* column = system.jacobian.data() + end.jacobian;
    pushed_.assign(part.size, 0.0);
    for (int j = 0; j < end.dofs; ++j)
      for (int i = 0; i < part.size; ++i)
        pushed_[i] += system.inverse_at(part, i, system.dof(end, j)) * column[j];
    for (const BlockSystem::End& seen : system.ends_of(block))
      if (seen.part == end.part) system.add_velocity(seen, 1, pushed_.data(), &result.alone);
    if (end.part >= analysed_parts_) continue;
    for (const int t : ties_at(end.part)) {
      const Tie& tie = ties_[t];
      const int row = row_of_[tie.block];
      system.add_velocity(system.ends[system.blocks[tie.block].first_end + tie.end], tie.rows, pushed_.data(),
                          row_work_.data() + row);
      for (int k = 0; k < tie.rows; ++k) row_list_.push_back(row + k);
    }
  }
  result.held = result.alone - ldl_.inverse_form(row_list_, row_work_.data());
  return result;
}

void Elimination::compute_mobility(const BlockSystem& system, std::span<const int> parts, int n,
                                   double* mobility) {
  std::fill_n(mobility, static_cast<std::size_t>(n) * n, 0.0);
  double* column = mobility;
  int place = 0;
  for (const int p : parts) {
    const BlockSystem::Part& part = system.parts[p];
    const int component = component_of_[p];
    for (int j = 0; j < part.size; ++j, column += n) {
      for (int i = 0; i < part.size; ++i) column[place + i] += system.inverse_at(part, i, j);
      if (component >= analysed_components_) continue;
      const int first = row_begin_[component], last = row_begin_[component + 1];
      std::fill(work_.begin() + first, work_.begin() + last, 0.0);
      for (const int t : ties_at(p))
        for (int k = 0; k < ties_[t].rows; ++k)
          work_[row_of_[ties_[t].block] + k] +=
              response_[ties_[t].response + static_cast<std::size_t>(k) * part.size + j];
      ldl_.solve(first, last, work_.data());
      double* out = column;
      for (const int q : parts) {
        const int size = system.parts[q].size;
        for (const int t : ties_at(q))
          for (int k = 0; k < ties_[t].rows; ++k) {
            const double x = work_[row_of_[ties_[t].block] + k];
            const double* response =
                response_.data() + ties_[t].response + static_cast<std::size_t>(k) * size;
            for (int i = 0; i < size; ++i) out[i] -= response[i] * x;
          }
        out += size;
      }
    }
    place += part.size;
  }
}

}  // namespace saltus
