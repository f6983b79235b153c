// Linear elasticity in axes that turn with the element.
//
//     R of F = R U, F the mean gradient of the element, x the nodes about their centre:
//     d = R^T x - X,  energy d^T K d/2,  force = its derivative, with that of R
//
// With y = R^T dx, b_a the mean gradient of N_a and M = (tr U I - U)^-1 the axes turn by omega = Omega y = M sum b_a x y_a,
// so that dd = D y, D = I + Y Omega; the local force is D^T K d, and its change D^T K D y plus terms that the forces bring.
// Moments balance exactly, and the tangent is symmetric.
#pragma once

#include <Eigen/LU>

#include "saltus/fem/element.hpp"
#include "saltus/fem/spectral.hpp"

namespace saltus {

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

template <class Row>
Eigen::Vector3d in_space(const Row& row) {
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  for (int i = 0; i < row.size(); ++i) v[i] = row[i];
  return v;
}

// F in space of a mean gradient.
template <ElementKind K>
Eigen::Matrix3d mean_deformation(const typename ElementTypes<K>::Nodal& gradients,
                                 const typename ElementTypes<K>::Nodal& u) {
  constexpr int Dim = ElementTypes<K>::kDim;
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
  F.topLeftCorner<Dim, Dim>() += u.transpose().lazyProduct(gradients);
  return F;
}

// [v_a]x of every node, one above the other.
template <ElementKind K>
Eigen::Matrix<double, ElementTypes<K>::kDofs, 3> cross_stack(const typename ElementTypes<K>::Nodal& v) {
  constexpr int Dim = ElementTypes<K>::kDim, N = ElementTypes<K>::kNodes;
  Eigen::Matrix<double, ElementTypes<K>::kDofs, 3> stack;
  for (int a = 0; a < N; ++a) {
    const Eigen::Matrix3d own = cross_matrix(in_space(v.row(a)));
    for (int i = 0; i < Dim; ++i) stack.row(a + N * i) = own.row(i);
  }
  return stack;
}

// T S T^T, T the rotation of every node.
template <ElementKind K>
void turn(const Eigen::Matrix3d& R, typename ElementTypes<K>::Square& S) {
  constexpr int Dim = ElementTypes<K>::kDim, N = ElementTypes<K>::kNodes;
  using Rows = Eigen::Matrix<double, N, ElementTypes<K>::kDofs>;
  for (int side = 0; side < 2; ++side) {
    std::array<Rows, Dim> old;
    for (int i = 0; i < Dim; ++i) old[i] = S.template middleRows<N>(i * N);
    for (int i = 0; i < Dim; ++i) {
      auto row = S.template middleRows<N>(i * N);
      row = R(i, 0) * old[0];
      for (int k = 1; k < Dim; ++k) row += R(i, k) * old[k];
    }
    S.transposeInPlace();
  }
}

// out.tangent holds the stiffness K in the axes of the start.
template <ElementKind K>
void corotate(const typename ElementTypes<K>::Nodal& X, const typename ElementTypes<K>::Nodal& u,
              const typename ElementTypes<K>::Nodal& gradients, bool want_tangent, ElementResult<K>& out) {
  using T = ElementTypes<K>;
  using Vector = typename T::Vector;
  using Nodal = typename T::Nodal;
  constexpr int Dim = T::kDim, N = T::kNodes;
  const Eigen::Matrix3d F = mean_deformation<K>(gradients, u);
  if (!(F.determinant() > 0)) {
    out.trouble = ElementTrouble::inside_out;
    return;
  }
  const Eigen::Matrix3d R = rotation_of(F), U = R.transpose() * F;
  const auto plane = R.topLeftCorner<Dim, Dim>();
  const Nodal start = X.rowwise() - X.colwise().mean(), moved = u.rowwise() - u.colwise().mean();
  const Nodal y = (start + moved).lazyProduct(plane);  // R^T x, row by row
  // d from displacements, not from the difference of two positions: no digits lost where the strain is small.
  const Nodal d =
      moved.lazyProduct(plane) + start.lazyProduct(plane - Eigen::Matrix<double, Dim, Dim>::Identity());
  Nodal g;
  Eigen::Map<Vector>(g.data()) = out.tangent.lazyProduct(Eigen::Map<const Vector>(d.data()));
  out.energy.elastic = 0.5 * g.cwiseProduct(d).sum();

  const Eigen::Matrix3d M = (U.trace() * Eigen::Matrix3d::Identity() - U).inverse();
  const auto Y = cross_stack<K>(y);
  const Eigen::Matrix<double, 3, T::kDofs> Omega = (-M).lazyProduct(cross_stack<K>(gradients).transpose());
  const Eigen::Vector3d moment = -Y.transpose().lazyProduct(Eigen::Map<const Vector>(g.data()));
  Nodal local = g;
  Eigen::Map<Vector>(local.data()) -= Omega.transpose().lazyProduct(moment);
  out.force = local.lazyProduct(plane.transpose());
  if (!want_tangent) return;

  const Eigen::Vector3d mu = M * moment, U_mu = U * mu;
  Eigen::Matrix<double, 3, T::kDofs> W = (-cross_matrix(U_mu)).lazyProduct(Omega);
  for (int a = 0; a < N; ++a) {
    const Eigen::Vector3d b = in_space(gradients.row(a));
    const Eigen::Matrix3d Z = mu * b.transpose() - b.dot(mu) * Eigen::Matrix3d::Identity();
    for (int i = 0; i < Dim; ++i) W.col(a + N * i) += Z.col(i);
  }
  const Eigen::Matrix<double, T::kDofs, 3> KY = out.tangent.lazyProduct(Y), G = cross_stack<K>(g);
  const Eigen::Matrix3d YKY = Y.transpose().lazyProduct(KY), GY = G.transpose().lazyProduct(Y);
  // Omega^T (...) + (...) Omega: K Y Omega and its transpose, the turned forces, the change of the moment and of M.
  W += KY.transpose() - G.transpose() + Eigen::Matrix3d(YKY - GY).lazyProduct(Omega);
  const Eigen::Matrix<double, T::kDofs, 3> right = KY - cross_stack<K>(local);
  out.tangent += Omega.transpose().lazyProduct(W) + right.lazyProduct(Omega);
  turn<K>(R, out.tangent);
}

}  // namespace saltus
