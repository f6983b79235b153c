// Points of an element, and what force and tangent get from each. Included by the kernels alone.
#pragma once

#include <Eigen/LU>
#include <numbers>

#include "saltus/fem/element.hpp"

namespace saltus {

template <ElementKind K>
ElementTable<K>::ElementTable(const Quadrature<T::kDim>& rule) {
  for (const auto& p : rule) rows.push_back({T::Shape::values(p.at), T::Shape::gradients(p.at), p.weight});
}
template <ElementKind K>
const ElementTable<K>& ElementTable<K>::stiffness() {
  static const ElementTable table(stiffness_rule<T::kDim>(K));
  return table;
}
template <ElementKind K>
const ElementTable<K>& ElementTable<K>::mass() {
  static const ElementTable table(mass_rule<T::kDim>(K));
  return table;
}

template <ElementKind K>
bool place_point(const BodyLaw& body, const typename ElementTable<K>::Row& row,
                 const typename ElementTypes<K>::Nodal& X, ElementPoint<K>& point) {
  constexpr int Dim = ElementTypes<K>::kDim;
  const Eigen::Matrix<double, Dim, Dim> jacobian = X.transpose().lazyProduct(row.gradients);
  const double determinant = jacobian.determinant();
  if (!(determinant > 0)) return false;
  point.gradients = row.gradients.lazyProduct(jacobian.inverse());
  point.volume = row.weight * determinant;
  if constexpr (Dim == 2) {
    if (!body.axisymmetric()) {
      point.volume *= body.thickness;
    } else {
      point.radius = row.values.dot(X.col(0));
      if (!(point.radius > 0)) return false;
      point.volume *= 2 * std::numbers::pi * point.radius;
      point.hoop = row.values / point.radius;
    }
  }
  return true;
}

template <ElementKind K>
Eigen::Matrix3d gradient_at(const BodyLaw& body, const ElementPoint<K>& point,
                            const typename ElementTypes<K>::Nodal& u) {
  constexpr int Dim = ElementTypes<K>::kDim;
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  H.topLeftCorner<Dim, Dim>() = u.transpose().lazyProduct(point.gradients);
  if constexpr (Dim == 2)
    if (body.axisymmetric()) H(2, 2) = point.hoop.dot(u.col(0));
  return H;
}

// Gamma^T P.
template <ElementKind K>
typename ElementTypes<K>::Nodal spread(const BodyLaw& body, const ElementPoint<K>& point,
                                       const Eigen::Matrix3d& P) {
  constexpr int Dim = ElementTypes<K>::kDim;
  typename ElementTypes<K>::Nodal f = point.gradients.lazyProduct(P.topLeftCorner<Dim, Dim>().transpose());
  if constexpr (Dim == 2)
    if (body.axisymmetric()) f.col(0) += P(2, 2) * point.hoop;
  return f;
}

// tangent += w Gamma^T A Gamma, block by block of two directions.
template <ElementKind K>
void add_tangent(const BodyLaw& body, const ElementPoint<K>& point, double w, const Matrix9& A,
                 typename ElementTypes<K>::Square& tangent) {
  constexpr int Dim = ElementTypes<K>::kDim, N = ElementTypes<K>::kNodes;
  const auto& G = point.gradients;
  for (int j = 0; j < Dim; ++j)
    for (int i = 0; i < Dim; ++i) {
      Eigen::Matrix<double, Dim, Dim> a;  // A(i I, j J)
      for (int J = 0; J < Dim; ++J)
        for (int I = 0; I < Dim; ++I) a(I, J) = w * A(i + 3 * I, j + 3 * J);
      typename ElementTypes<K>::Nodal Ga = G.lazyProduct(a);
      if constexpr (Dim == 2)
        if (body.axisymmetric() && i == 0)
          for (int J = 0; J < 2; ++J) Ga.col(J) += w * A(8, j + 3 * J) * point.hoop;
      tangent.template block<N, N>(i * N, j * N) += Ga.lazyProduct(G.transpose());
      if constexpr (Dim == 2)
        if (body.axisymmetric() && j == 0) {
          typename ElementTypes<K>::Scalars left = w * (A(i, 8) * G.col(0) + A(i + 3, 8) * G.col(1));
          if (i == 0) left += w * A(8, 8) * point.hoop;
          tangent.template block<N, N>(i * N, 0) += left.lazyProduct(point.hoop.transpose());
        }
    }
}

// The same for isotropic elasticity: lambda g_i g_j^T + mu g_j g_i^T + delta_ij mu sum_k g_k g_k^T, g_i the derivatives
// of all shape functions in direction i.
template <ElementKind K>
void add_isotropic_tangent(const BodyLaw& body, const ElementPoint<K>& point, double w,
                           const ElasticModuli& moduli, typename ElementTypes<K>::Square& tangent) {
  constexpr int Dim = ElementTypes<K>::kDim, N = ElementTypes<K>::kNodes;
  const auto& G = point.gradients;
  const double lambda = w * moduli.lambda, mu = w * moduli.mu;
  const Eigen::Matrix<double, N, N> gram = mu * G.lazyProduct(G.transpose());
  for (int j = 0; j < Dim; ++j)
    for (int i = 0; i < Dim; ++i) {
      auto block = tangent.template block<N, N>(i * N, j * N);
      block += (lambda * G.col(i)).lazyProduct(G.col(j).transpose()) +
               (mu * G.col(j)).lazyProduct(G.col(i).transpose());
      if (i == j) block += gram;
    }
  if constexpr (Dim == 2)
    if (body.axisymmetric()) {
      const auto& hoop = point.hoop;
      tangent.template block<N, N>(0, 0) += ((lambda + 2 * mu) * hoop).lazyProduct(hoop.transpose());
      for (int i = 0; i < 2; ++i) {
        const Eigen::Matrix<double, N, N> side = (lambda * G.col(i)).lazyProduct(hoop.transpose());
        tangent.template block<N, N>(i * N, 0) += side;
        tangent.template block<N, N>(0, i * N) += side.transpose();
      }
    }
}

}  // namespace saltus
