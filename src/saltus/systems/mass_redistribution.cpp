#include "saltus/systems/mass_redistribution.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/math/definite_factor.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Columns 1, x, y (z) of the nodes, about their middle and in units of their extent.
template <int Dim>
Eigen::MatrixXd build_modes(const std::vector<Eigen::Matrix<double, Dim, 1>>& nodes) {
  Eigen::Matrix<double, Dim, 1> low = nodes[0], high = low;
  for (const auto& x : nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const double extent = (high - low).norm();
  Eigen::MatrixXd modes(static_cast<Eigen::Index>(nodes.size()), Dim + 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    modes(static_cast<Eigen::Index>(i), 0) = 1;
    modes.row(static_cast<Eigen::Index>(i)).template tail<Dim>() = (nodes[i] - 0.5 * (low + high)) / extent;
  }
  return modes;
}

}  // namespace

template <int Dim>
Sparse redistribute_mass(const Sparse& M, const std::vector<Eigen::Matrix<double, Dim, 1>>& nodes,
                         const std::vector<int>& massless, const std::string& where) {
  const auto count = static_cast<Eigen::Index>(nodes.size());
  std::vector<char> is_bare(nodes.size(), 0);
  for (const int node : massless) is_bare[node] = 1;
  const Eigen::MatrixXd modes = build_modes<Dim>(nodes);
  std::vector<Eigen::Triplet<double>> kept;
  std::vector<std::pair<int, int>> pairs;  // of modes: what they make of the mass is to stay
  for (int a = 0; a <= Dim; ++a)
    for (int b = a; b <= Dim; ++b) pairs.emplace_back(a, b);
  const auto size = static_cast<Eigen::Index>(pairs.size());
  Eigen::VectorXd missing = Eigen::VectorXd::Zero(size), row(size);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
  const auto fill = [&](Eigen::Index i, Eigen::Index j) {
    for (Eigen::Index k = 0; k < size; ++k)
      row[k] = 0.5 * (modes(i, pairs[k].first) * modes(j, pairs[k].second) +
                      modes(i, pairs[k].second) * modes(j, pairs[k].first));
  };
  for (Eigen::Index node = 0; node < count; ++node)
    for (Sparse::InnerIterator it(M, Dim * node); it; ++it) {
      const Eigen::Index i = it.row() / Dim;
      fill(i, node);
      if (is_bare[i] || is_bare[node]) {
        missing += it.value() * row;
      } else {
        gram += row * row.transpose();
        kept.emplace_back(i, node, it.value());
      }
    }
  if (kept.empty())
    throw InputError(where, "mass of contact nodes to be given to others",
                     fmt::format("all {} nodes touch", count), "nodes that do not touch");
  // Of nodes on one line moments depend on each other: the smallest answer.
  DenseLeastNorm factor_of_gram;
  factor_of_gram.compute(gram);
  const Eigen::VectorXd weights = factor_of_gram.solved(missing);
  Sparse scalar(count, count);
  for (auto& entry : kept) {
    fill(entry.row(), entry.col());
    entry = {entry.row(), entry.col(), entry.value() + row.dot(weights)};
  }
  std::vector<Eigen::Triplet<double>> bare, entries;
  for (Eigen::Index node = 0; node < count; ++node)
    if (is_bare[node]) bare.emplace_back(node, node, 1.0);
  bare.insert(bare.end(), kept.begin(), kept.end());
  scalar.setFromTriplets(bare.begin(), bare.end());
  DefiniteFactor factor;
  factor.analyse(scalar);
  if (!factor.factor(scalar, 0))
    throw InputError(
        where, "mass of contact nodes to be given to others",
        fmt::format("{} of {} nodes touch, what is left is not positive definite", massless.size(), count),
        "a finer mesh, or fewer sides that touch");
  for (const auto& entry : kept)
    for (int d = 0; d < Dim; ++d)
      entries.emplace_back(Dim * entry.row() + d, Dim * entry.col() + d, entry.value());
  Sparse result(M.rows(), M.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

template Sparse redistribute_mass<2>(const Sparse&, const std::vector<Eigen::Vector2d>&,
                                     const std::vector<int>&, const std::string&);
template Sparse redistribute_mass<3>(const Sparse&, const std::vector<Eigen::Vector3d>&,
                                     const std::vector<int>&, const std::string&);

}  // namespace saltus
