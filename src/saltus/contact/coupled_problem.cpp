#include "saltus/contact/coupled_problem.hpp"

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

template <class Vector>
Eigen::VectorXd gather(const Vector& values, const CoupledEnd& end) {
  if (end.dofs.empty()) return values;
  Eigen::VectorXd result(end.dofs.size());
  for (std::size_t i = 0; i < end.dofs.size(); ++i) result[i] = values[end.dofs[i]];
  return result;
}

bool moves(const CoupledPart& part) { return part.inverse.size() > 0 && !part.inverse.isZero(0); }

Eigen::MatrixXd inverse_between(const CoupledPart& part, const CoupledEnd& row, const CoupledEnd& column) {
  if (row.dofs.empty() && column.dofs.empty()) return part.inverse;
  Eigen::MatrixXd result(row.jacobian.rows(), column.jacobian.rows());
  for (Eigen::Index i = 0; i < result.rows(); ++i)
    for (Eigen::Index j = 0; j < result.cols(); ++j)
      result(i, j) =
          part.inverse(row.dofs.empty() ? i : row.dofs[i], column.dofs.empty() ? j : column.dofs[j]);
  return result;
}

Eigen::VectorXd velocity_of(const CoupledProblem& problem, const CoupledBlock& block) {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(block.rows());
  for (const CoupledEnd& end : block.ends)
    u += end.jacobian.transpose() * gather(problem.parts[end.part].velocity, end);
  return u;
}

// Which blocks meet at each part that moves: pairs (block, end).
std::vector<std::vector<std::pair<int, int>>> blocks_at_parts(const CoupledProblem& problem) {
  std::vector<std::vector<std::pair<int, int>>> at(problem.parts.size());
  for (std::size_t b = 0; b < problem.blocks.size(); ++b)
    for (std::size_t e = 0; e < problem.blocks[b].ends.size(); ++e) {
      const int part = problem.blocks[b].ends[e].part;
      if (moves(problem.parts[part])) at[part].emplace_back(static_cast<int>(b), static_cast<int>(e));
    }
  return at;
}

BlockMatrix build_pattern(const CoupledProblem& problem, int width,
                          const std::vector<std::vector<std::pair<int, int>>>& at) {
  BlockMatrix W;
  W.block = width;
  W.rows = static_cast<int>(problem.blocks.size());
  W.row_begin.push_back(0);
  std::vector<int> row;
  for (int b = 0; b < W.rows; ++b) {
    row.assign(1, b);
    for (const CoupledEnd& end : problem.blocks[b].ends)
      for (const auto& [other, unused] : at[end.part]) row.push_back(other);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    W.diagonal.push_back(
        static_cast<int>(W.column.size() + (std::lower_bound(row.begin(), row.end(), b) - row.begin())));
    W.column.insert(W.column.end(), row.begin(), row.end());
    W.row_begin.push_back(static_cast<int>(W.column.size()));
  }
  // Four spare numbers at the end: rows are read four at a time (math/block_matrix.hpp).
  W.value.assign(W.column.size() * width * width + 4, 0.0);
  return W;
}

int find_block(const BlockMatrix& W, int row, int column) {
  const auto begin = W.column.begin() + W.row_begin[row], end = W.column.begin() + W.row_begin[row + 1];
  return static_cast<int>(std::lower_bound(begin, end, column) - W.column.begin());
}

void fill_pairs(const CoupledProblem& problem, const std::vector<std::vector<std::pair<int, int>>>& at,
                BlockMatrix& W) {
  for (std::size_t p = 0; p < at.size(); ++p)
    for (const auto& [i, ei] : at[p])
      for (const auto& [j, ej] : at[p]) {
        const CoupledEnd &row = problem.blocks[i].ends[ei], &column = problem.blocks[j].ends[ej];
        Eigen::Map<Eigen::MatrixXd> block(W.block_at(find_block(W, i, j)), W.block, W.block);
        block.topLeftCorner(problem.blocks[i].rows(), problem.blocks[j].rows()) +=
            row.jacobian.transpose() * inverse_between(problem.parts[p], row, column) * column.jacobian;
      }
}

// Every block in one row: viscous parts couple all.
BlockMatrix dense_pattern(int width, int rows) {
  BlockMatrix W;
  W.block = width;
  W.rows = rows;
  W.row_begin.push_back(0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) W.column.push_back(j);
    W.diagonal.push_back(i * rows + i);
    W.row_begin.push_back((i + 1) * rows);
  }
  W.value.assign(W.column.size() * width * width + 4, 0.0);
  return W;
}

// u = W p + b with p = r - V (u + s), as u = W' r + b'.
void fold_viscous(const CoupledProblem& problem, ContactProblem& canonical) {
  const int width = canonical.W.block;
  const Eigen::MatrixXd W = Eigen::MatrixXd(build_sparse(canonical.W));
  Eigen::VectorXd V = Eigen::VectorXd::Zero(W.rows()), s = V;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const CoupledBlock& block = problem.blocks[b];
    const int tangents = std::min(block.rows() - 1, canonical.W.block == 2 ? 1 : 2);
    if (!(block.viscous > 0)) continue;
    V.segment(b * width + 1, tangents).setConstant(block.viscous);
    if (block.viscous_shift.size() > 0)
      s.segment(b * width + 1, tangents) = block.viscous_shift.segment(1, tangents);
  }
  const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(W.rows(), W.cols()) + W * V.asDiagonal();
  DenseLu lu;
  lu.compute(left);
  Eigen::MatrixXd folded;
  lu.solve(W, folded);
  lu.solve(Eigen::VectorXd(canonical.b - W * V.cwiseProduct(s)), canonical.b);
  canonical.W = dense_pattern(width, canonical.W.rows);
  for (int i = 0; i < canonical.W.rows; ++i)
    for (int j = 0; j < canonical.W.rows; ++j)
      Eigen::Map<Eigen::MatrixXd>(canonical.W.block_at(i * canonical.W.rows + j), width, width) =
          folded.block(i * width, j * width, width, width);
}

int widest(const CoupledProblem& problem) {
  int width = 2;
  for (const CoupledBlock& block : problem.blocks) width = std::max(width, block.rows());
  return width <= 3 ? width : 5;
}

ConeKind cone_of(const CoupledProblem& problem, int width) {
  // A block of three is a contact in space, or one in the plane that rolls.
  bool rolls = false, plane = true;
  for (const CoupledBlock& block : problem.blocks) {
    if (block.set.kind != SetKind::coulomb) continue;
    rolls |= block.mu_r > 0;
    plane &= block.set.size == 2 || (block.set.size == 3 && block.mu_r > 0);
  }
  if (width == 2) return ConeKind::coulomb_2d;
  if (width == 5) return ConeKind::rolling_3d;
  return rolls && plane ? ConeKind::rolling_2d : ConeKind::coulomb_3d;
}

}  // namespace

ContactProblem build_canonical(const CoupledProblem& problem) {
  const int width = widest(problem), count = static_cast<int>(problem.blocks.size());
  const auto at = blocks_at_parts(problem);
  ContactProblem result;
  result.cone = cone_of(problem, width);
  result.W = build_pattern(problem, width, at);
  fill_pairs(problem, at, result.W);
  result.b = Eigen::VectorXd::Zero(width * count);
  for (int b = 0; b < count; ++b)
    result.b.segment(b * width, problem.blocks[b].rows()) = velocity_of(problem, problem.blocks[b]);
  if (std::any_of(problem.blocks.begin(), problem.blocks.end(),
                  [](const CoupledBlock& block) { return block.viscous > 0; }))
    fold_viscous(problem, result);

  Eigen::VectorXd unit = Eigen::VectorXd::Ones(width * count);
  result.mu = Eigen::VectorXd::Zero(count);
  if (is_rolling(result.cone)) result.mu_r = Eigen::VectorXd::Zero(count);
  for (int b = 0; b < count; ++b) {
    const CoupledBlock& block = problem.blocks[b];
    result.b.segment(b * width, block.rows()) += block.shift;
    Eigen::Map<Eigen::MatrixXd> own(result.W.block_at(result.W.diagonal[b]), width, width);
    own.diagonal().head(block.rows()) += block.compliance;
    unit.segment(b * width, block.rows()) = block.unit;
    result.mu[b] = block.mu;
    if (result.mu_r.size() > 0) result.mu_r[b] = block.mu_r / block.unit[block.rows() - 1];
    BlockSet set = block.set;
    set.radius /= problem.mass * block.unit[0];
    result.sets.push_back(set);
  }
  for (int i = 0; i < count; ++i)
    for (int k = result.W.row_begin[i]; k < result.W.row_begin[i + 1]; ++k) {
      Eigen::Map<Eigen::MatrixXd> block(result.W.block_at(k), width, width);
      block = (problem.mass * (unit.segment(i * width, width).asDiagonal() * block *
                               unit.segment(result.W.column[k] * width, width).asDiagonal()))
                  .eval();
    }
  result.b.array() *= unit.array();
  return result;
}

Eigen::VectorXd read_impulses(const CoupledProblem& problem, const ContactProblem& canonical) {
  const int width = canonical.W.block;
  Eigen::VectorXd r = Eigen::VectorXd::Zero(canonical.size());
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const CoupledBlock& block = problem.blocks[b];
    r.segment(b * width, block.rows()) = block.r.cwiseQuotient(block.unit) / problem.mass;
  }
  return r;
}

void write_impulses(const Eigen::VectorXd& r, const ContactProblem& canonical, CoupledProblem& problem) {
  const int width = canonical.W.block;
  Eigen::VectorXd seen;  // unit (u + shift + C r)
  multiply(canonical.W, r, seen);
  seen += canonical.b;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    CoupledBlock& block = problem.blocks[b];
    block.r = problem.mass * r.segment(b * width, block.rows()).cwiseProduct(block.unit);
    block.p = block.r;
    if (block.viscous > 0) {
      Eigen::VectorXd u = seen.segment(b * width, block.rows()).cwiseQuotient(block.unit) - block.shift -
                          block.compliance.cwiseProduct(block.r);
      if (block.viscous_shift.size() > 0) u += block.viscous_shift;
      const int tangents = std::min(block.rows() - 1, width == 2 ? 1 : 2);
      block.p.segment(1, tangents) -= block.viscous * u.segment(1, tangents);
    }
    for (const CoupledEnd& end : block.ends) {
      CoupledPart& part = problem.parts[end.part];
      if (!moves(part)) continue;
      const Eigen::VectorXd impulse = end.jacobian * block.p;
      if (end.dofs.empty())
        part.velocity += part.inverse * impulse;
      else
        for (std::size_t i = 0; i < end.dofs.size(); ++i)
          part.velocity += part.inverse.col(end.dofs[i]) * impulse[i];
    }
  }
  for (CoupledBlock& block : problem.blocks) block.u = velocity_of(problem, block);
}

GlobalProblem build_global(const CoupledProblem& problem) {
  using Triplet = Eigen::Triplet<double>;
  const int width = widest(problem), count = static_cast<int>(problem.blocks.size());
  std::vector<Triplet> M, H;
  std::vector<double> f;
  std::vector<std::vector<int>> place(problem.parts.size());  // of the degrees of freedom that move
  for (std::size_t p = 0; p < problem.parts.size(); ++p) {
    const CoupledPart& part = problem.parts[p];
    std::vector<Eigen::Index> moving;
    place[p].assign(part.velocity.size(), -1);
    for (Eigen::Index i = 0; i < part.velocity.size(); ++i)
      if (part.inverse(i, i) > 0) {
        place[p][i] = static_cast<int>(f.size() + moving.size());
        moving.push_back(i);
      }
    const Eigen::MatrixXd mass = inverse_of(part.inverse(moving, moving));
    const Eigen::VectorXd momentum = mass * part.velocity(moving);
    for (std::size_t i = 0; i < moving.size(); ++i)
      for (std::size_t j = 0; j < moving.size(); ++j)
        if (mass(i, j) != 0) M.emplace_back(place[p][moving[i]], place[p][moving[j]], mass(i, j));
    f.insert(f.end(), momentum.data(), momentum.data() + momentum.size());
  }
  GlobalProblem result;
  result.cone = cone_of(problem, width);
  result.w = Eigen::VectorXd::Zero(width * count);
  result.mu = Eigen::VectorXd::Zero(count);
  if (is_rolling(result.cone)) result.mu_r = Eigen::VectorXd::Zero(count);
  for (int b = 0; b < count; ++b) {
    const CoupledBlock& block = problem.blocks[b];
    if (block.viscous > 0)
      throw InputError(
          "", "a viscous contact in a problem with joints or systems cannot be written in the global form");
    result.w.segment(b * width, block.rows()) = block.shift;
    for (const CoupledEnd& end : block.ends)
      for (Eigen::Index i = 0; i < end.jacobian.rows(); ++i) {
        const Eigen::Index dof = end.dofs.empty() ? i : end.dofs[i];
        const int row = place[end.part][dof];
        for (int k = 0; k < block.rows(); ++k) {
          if (end.jacobian(i, k) == 0) continue;
          if (row >= 0)
            H.emplace_back(row, b * width + k, end.jacobian(i, k));
          else
            result.w[b * width + k] += end.jacobian(i, k) * problem.parts[end.part].velocity[dof];
        }
      }
    for (int k = 0; k < block.rows(); ++k) {
      if (!(block.compliance[k] > 0)) continue;
      const int row = static_cast<int>(f.size());
      f.push_back(0);
      M.emplace_back(row, row, 1 / block.compliance[k]);
      H.emplace_back(row, b * width + k, 1.0);
    }
    result.mu[b] = block.mu;
    if (result.mu_r.size() > 0) result.mu_r[b] = block.mu_r;
    result.sets.push_back(block.set);
  }
  const auto size = static_cast<Eigen::Index>(f.size());
  result.M.resize(size, size);
  result.M.setFromTriplets(M.begin(), M.end());
  result.H.resize(size, width * count);
  result.H.setFromTriplets(H.begin(), H.end());
  result.G.resize(size, 0);
  result.f = Eigen::Map<const Eigen::VectorXd>(f.data(), size);
  return result;
}

}  // namespace saltus
