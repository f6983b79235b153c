#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/parallel.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

// Diagonal of the consistent mass, scaled to the whole.
Eigen::VectorXd lump(const Eigen::MatrixXd& products) {
  return products.diagonal() * (products.sum() / products.trace());
}

}  // namespace

template <int Dim>
Eigen::SparseMatrix<double> Continuum<Dim>::mass(MassKind kind) const {
  const ElementBatch<Dim> all = batch();
  Eigen::MatrixXd products;
  Eigen::VectorXd weights;
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) {
    const auto& element = mesh_.elements[e];
    element_ops<Dim>(element.kind).mass(all, e, products, weights);
    products *= materials_[element.material].density;
    if (kind == MassKind::lumped) products = lump(products).asDiagonal().toDenseMatrix();
    const auto own = mesh_.nodes_of(element);
    for (int b = 0; b < products.cols(); ++b)
      for (int a = 0; a < products.rows(); ++a)
        if (kind == MassKind::consistent || a == b)
          for (int i = 0; i < Dim; ++i)
            entries.emplace_back(Dim * own[a] + i, Dim * own[b] + i, products(a, b));
  }
  Eigen::SparseMatrix<double> whole(degrees_of_freedom(), degrees_of_freedom());
  whole.setFromTriplets(entries.begin(), entries.end());
  return whole;
}

template <int Dim>
Eigen::VectorXd Continuum<Dim>::volume_weights() const {
  const ElementBatch<Dim> all = batch();
  Eigen::MatrixXd products;
  Eigen::VectorXd weights, sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mesh_.nodes.size()));
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) {
    element_ops<Dim>(mesh_.elements[e].kind).mass(all, e, products, weights);
    const auto own = mesh_.nodes_of(mesh_.elements[e]);
    for (int a = 0; a < weights.size(); ++a) sum[own[a]] += weights[a];
  }
  return sum;
}

template <int Dim>
double Continuum<Dim>::volume() const {
  return volume_weights().sum();
}

template <int Dim>
std::vector<double> Continuum<Dim>::fastest_modes(const Eigen::VectorXd& q, double duration) const {
  ElementBatch<Dim> all = accepted_batch();
  all.q = q.data();
  all.duration = duration;
  all.before = accepted_.data();
  all.want_tangent = true;
  std::vector<double> modes(mesh_.elements.size(), std::numeric_limits<double>::infinity());
  parallel_for(static_cast<std::int64_t>(mesh_.elements.size()), 64, [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXd tangent, products;
    Eigen::VectorXd weights;
    std::vector<double> after(tried_.size() + 1);  // by element, as elements write it
    for (int e = static_cast<int>(begin); e < end; ++e) {
      const auto& element = mesh_.elements[e];
      const ElementOps<Dim>& ops = element_ops<Dim>(element.kind);
      ElementBatch<Dim> own = all;
      own.after = after.data();
      if (!ops.tangent(own, e, tangent)) continue;
      ops.mass(all, e, products, weights);
      const Eigen::VectorXd root =
          (materials_[element.material].density * lump(products)).cwiseSqrt().cwiseInverse();
      const Eigen::VectorXd scale = root.replicate(Dim, 1);
      tangent = (0.5 * scale.asDiagonal() * (tangent + tangent.transpose()) * scale.asDiagonal()).eval();
      const Eigen::VectorXd squares = symmetric_eigenvalues(tangent);
      if (squares.size() > 0) modes[e] = squares.maxCoeff();
    }
  });
  return modes;
}

template <int Dim>
double Continuum<Dim>::critical_step(const Eigen::VectorXd& q, double duration) const {
  double largest = 0;
  for (const double mode : fastest_modes(q, duration)) largest = std::max(largest, mode);
  return largest > 0 ? 2 / std::sqrt(largest) : std::numeric_limits<double>::infinity();
}

template <int Dim>
Eigen::VectorXd Continuum<Dim>::stable_mass(const Eigen::VectorXd& q, double h) const {
  const std::vector<double> modes = fastest_modes(q, 0.5 * h);
  const ElementBatch<Dim> all = batch();
  Eigen::MatrixXd products;
  Eigen::VectorXd weights, diagonal = Eigen::VectorXd::Zero(degrees_of_freedom());
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) {
    const double stable = 0.25 * h * h * modes[e];  // of its own density: at most 1
    if (!std::isfinite(stable)) return {};
    element_ops<Dim>(mesh_.elements[e].kind).mass(all, e, products, weights);
    const Eigen::VectorXd own =
        std::max(1.0, stable) * materials_[mesh_.elements[e].material].density * lump(products);
    const auto nodes = mesh_.nodes_of(mesh_.elements[e]);
    for (int a = 0; a < own.size(); ++a) diagonal.segment<Dim>(Dim * nodes[a]).array() += own[a];
  }
  return diagonal;
}

template Eigen::SparseMatrix<double> Continuum<2>::mass(MassKind) const;
template Eigen::SparseMatrix<double> Continuum<3>::mass(MassKind) const;
template Eigen::VectorXd Continuum<2>::volume_weights() const;
template Eigen::VectorXd Continuum<3>::volume_weights() const;
template double Continuum<2>::volume() const;
template double Continuum<3>::volume() const;
template std::vector<double> Continuum<2>::fastest_modes(const Eigen::VectorXd&, double) const;
template std::vector<double> Continuum<3>::fastest_modes(const Eigen::VectorXd&, double) const;
template double Continuum<2>::critical_step(const Eigen::VectorXd&, double) const;
template double Continuum<3>::critical_step(const Eigen::VectorXd&, double) const;
template Eigen::VectorXd Continuum<2>::stable_mass(const Eigen::VectorXd&, double) const;
template Eigen::VectorXd Continuum<3>::stable_mass(const Eigen::VectorXd&, double) const;

}  // namespace saltus
