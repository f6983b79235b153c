// Part by part (see dof_parts.hpp): a contact feels only the one or two parts it touches, so
// W is the sum over parts of small dense matrices H_p^T A_p H_p, where A_p maps impulses on
// the part to its velocities, bilateral rows respected.
#include <algorithm>
#include <numeric>

#include "saltus/solvers/dof_parts.hpp"
#include "saltus/solvers/part_inverse.hpp"
#include "saltus/solvers/problem.hpp"

namespace saltus {

namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr int kBatch = 64;           // columns solved at once
constexpr std::size_t kPadding = 4;  // doubles after the last block of a BlockMatrix

bool is_symmetric(const Eigen::SparseMatrix<double>& matrix) {
  const Eigen::SparseMatrix<double> transpose = matrix.transpose();
  const Eigen::Index count = matrix.nonZeros();
  return transpose.nonZeros() == count &&
         std::equal(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1,
                    transpose.outerIndexPtr()) &&
         std::equal(matrix.innerIndexPtr(), matrix.innerIndexPtr() + count, transpose.innerIndexPtr()) &&
         std::equal(matrix.valuePtr(), matrix.valuePtr() + count, transpose.valuePtr());
}

// Contacts of each part, ascending.
struct Incidence {
  std::vector<int> begin, contact;
};

Incidence build_incidence(const GlobalProblem& problem, const DofParts& parts) {
  const int block = block_size(problem.cone);
  std::vector<std::pair<int, int>> pairs;  // (part, contact), each once
  std::vector<int> last(static_cast<std::size_t>(parts.count()), -1);
  for (int c = 0; c < problem.contacts(); ++c)
    for (int j = c * block; j < (c + 1) * block; ++j)
      for (Entry it(problem.H, j); it; ++it) {
        const int part = parts.part_of_dof[it.row()];
        if (last[part] == c) continue;
        last[part] = c;
        pairs.emplace_back(part, c);
      }
  Incidence result;
  result.begin.assign(static_cast<std::size_t>(parts.count()) + 1, 0);
  for (const auto& pair : pairs) ++result.begin[pair.first + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<int> next(result.begin.begin(), result.begin.end() - 1);
  result.contact.resize(pairs.size());
  for (const auto& pair : pairs) result.contact[next[pair.first]++] = pair.second;
  return result;
}

// Blocks (c, d) for all contacts c, d that share a part.
BlockMatrix build_pattern(const Incidence& incidence, int contacts, int block) {
  std::vector<std::vector<int>> parts_of(static_cast<std::size_t>(contacts));
  for (std::size_t part = 0; part + 1 < incidence.begin.size(); ++part)
    for (int k = incidence.begin[part]; k < incidence.begin[part + 1]; ++k)
      parts_of[incidence.contact[k]].push_back(static_cast<int>(part));
  BlockMatrix W;
  W.block = block;
  W.rows = contacts;
  W.row_begin.assign(1, 0);
  std::vector<int> seen(static_cast<std::size_t>(contacts), -1);
  for (int c = 0; c < contacts; ++c) {
    const auto first = static_cast<std::ptrdiff_t>(W.column.size());
    W.column.push_back(c);
    seen[c] = c;
    for (const int part : parts_of[c])
      for (int k = incidence.begin[part]; k < incidence.begin[part + 1]; ++k)
        if (const int d = incidence.contact[k]; seen[d] != c) {
          seen[d] = c;
          W.column.push_back(d);
        }
    std::sort(W.column.begin() + first, W.column.end());
    W.row_begin.push_back(static_cast<int>(W.column.size()));
    W.diagonal.push_back(
        static_cast<int>(std::lower_bound(W.column.begin() + first, W.column.end(), c) - W.column.begin()));
  }
  W.value.assign(W.column.size() * block * block + kPadding, 0.0);
  return W;
}

int find_block(const BlockMatrix& W, int row, int column) {
  const auto first = W.column.begin() + W.row_begin[row], last = W.column.begin() + W.row_begin[row + 1];
  return static_cast<int>(std::lower_bound(first, last, column) - W.column.begin());
}

// Adds S, the block matrix of the part's contacts. A symmetric S is read from its lower half
// only and added to both sides, so that W is symmetric to the last bit.
void add_part(const Eigen::MatrixXd& S, const int* contact, int count, bool symmetric, BlockMatrix& W) {
  const int block = W.block;
  for (int b = 0; b < count; ++b)
    for (int a = symmetric ? b : 0; a < count; ++a) {
      double* to = W.block_at(find_block(W, contact[a], contact[b]));
      double* mirror = a != b && symmetric ? W.block_at(find_block(W, contact[b], contact[a])) : nullptr;
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i) {
          const bool upper = symmetric && a == b && i < j;
          const double value = upper ? S(a * block + j, b * block + i) : S(a * block + i, b * block + j);
          to[i + block * j] += value;
          if (mirror) mirror[j + block * i] += value;
        }
    }
}

// Leaves out blocks that came out as zeros: contacts on one body that do not act on each other.
void drop_zero_blocks(BlockMatrix& W) {
  const std::size_t area = std::size_t(W.block) * W.block;
  int kept = 0, first = 0;
  for (int row = 0; row < W.rows; ++row) {
    const int end = W.row_begin[row + 1];
    W.row_begin[row] = kept;
    for (int k = first; k < end; ++k) {
      const double* from = W.block_at(k);
      if (W.column[k] == row)
        W.diagonal[row] = kept;
      else if (std::all_of(from, from + area, [](double x) { return x == 0; }))
        continue;
      if (kept != k) std::copy(from, from + area, W.block_at(kept));
      W.column[kept++] = W.column[k];
    }
    first = end;
  }
  W.row_begin[W.rows] = kept;
  W.column.resize(kept);
  W.value.resize(kept * area);
  W.value.resize(kept * area + kPadding, 0.0);
}

// The columns of H for the contacts of one part, on the rows of that part (bilateral rows: zero).
Eigen::SparseMatrix<double> build_part_H(const GlobalProblem& problem, const DofParts& parts, int part,
                                         const int* contact, int count) {
  const int block = block_size(problem.cone);
  Eigen::SparseMatrix<double> H(parts.dof_count(part) + parts.row_count(part), count * block);
  for (int a = 0; a < count; ++a)
    for (int j = 0; j < block; ++j) {
      H.startVec(a * block + j);
      for (Entry it(problem.H, contact[a] * block + j); it; ++it)
        if (parts.part_of_dof[it.row()] == part)
          H.insertBack(parts.local[it.row()], a * block + j) = it.value();
    }
  H.finalize();
  return H;
}

// f on the degrees of freedom of the part, -c on its bilateral rows.
Eigen::MatrixXd build_part_load(const DofParts& parts, int part, const Eigen::VectorXd& f,
                                const Eigen::VectorXd& c) {
  const int dofs = parts.dof_count(part), rows = parts.row_count(part);
  Eigen::MatrixXd load(dofs + rows, 1);
  for (int i = 0; i < dofs; ++i) load(i, 0) = f[parts.dofs[parts.dof_begin[part] + i]];
  for (int i = 0; i < rows; ++i) load(dofs + i, 0) = -c[parts.rows[parts.row_begin[part] + i]];
  return load;
}

}  // namespace

ContactProblem condense(const GlobalProblem& problem) {
  const int block = block_size(problem.cone);
  const DofParts parts = build_dof_parts(problem);
  const Incidence incidence = build_incidence(problem, parts);
  const bool symmetric = is_symmetric(problem.M);
  ContactProblem local;
  local.cone = problem.cone;
  local.mu = problem.mu;
  local.mu_r = problem.mu_r;
  local.sets = problem.sets;
  local.b = problem.w;
  local.W = build_pattern(incidence, problem.contacts(), block);
  PartInverse inverse(problem, parts);
  Eigen::MatrixXd S, X;
  for (int part = 0; part < parts.count(); ++part) {
    inverse.factor(part, symmetric);
    const int* contact = incidence.contact.data() + incidence.begin[part];
    const int count = incidence.begin[part + 1] - incidence.begin[part];
    if (count == 0) continue;
    const Eigen::SparseMatrix<double> H = build_part_H(problem, parts, part, contact, count);
    S.resize(H.cols(), H.cols());
    for (Eigen::Index j = 0; j < H.cols(); j += kBatch) {
      const Eigen::Index width = std::min<Eigen::Index>(kBatch, H.cols() - j);
      X = H.middleCols(j, width);
      inverse.solve(X);
      S.middleCols(j, width).noalias() = H.transpose() * X;
    }
    add_part(S, contact, count, symmetric, local.W);
    X = build_part_load(parts, part, problem.f, problem.c);
    inverse.solve(X);
    const Eigen::VectorXd free = H.transpose() * X;
    for (int a = 0; a < count; ++a)
      local.b.segment(contact[a] * block, block) += free.segment(a * block, block);
  }
  drop_zero_blocks(local.W);
  return local;
}

GlobalSolution compute_global_solution(const GlobalProblem& problem, const Eigen::VectorXd& r) {
  const DofParts parts = build_dof_parts(problem);
  const bool symmetric = is_symmetric(problem.M);
  const Eigen::VectorXd impulse = problem.H * r + problem.f;
  GlobalSolution solution;
  solution.v.resize(problem.degrees_of_freedom());
  solution.l.resize(problem.bilateral());
  PartInverse inverse(problem, parts);
  for (int part = 0; part < parts.count(); ++part) {
    inverse.factor(part, symmetric);
    Eigen::MatrixXd X = build_part_load(parts, part, impulse, problem.c);
    inverse.solve(X);
    const int dofs = parts.dof_count(part);
    for (int i = 0; i < dofs; ++i) solution.v[parts.dofs[parts.dof_begin[part] + i]] = X(i, 0);
    for (int i = 0; i < parts.row_count(part); ++i)
      solution.l[parts.rows[parts.row_begin[part] + i]] = -X(dofs + i, 0);
  }
  return solution;
}

}  // namespace saltus
