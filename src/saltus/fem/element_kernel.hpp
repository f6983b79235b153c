// The bodies of evaluate_element. Included by the files that instantiate it, one per kind of element (element_*.cpp).
#pragma once

#include <array>
#include <cmath>

#include "saltus/fem/corotation.hpp"
#include "saltus/fem/element_points.hpp"

namespace saltus {

inline void add_energy(const MaterialEnergies& density, double volume, MaterialEnergies& sum) {
  sum.elastic += volume * density.elastic;
  sum.hardening += volume * density.hardening;
  sum.plastic += volume * density.plastic;
  sum.viscous += volume * density.viscous;
}

inline MaterialStep step_of_point(const MaterialStep& step, int count, int point) {
  MaterialStep own = step;
  own.before += point * count;
  own.after += point * count;
  return own;
}

inline Eigen::Matrix3d isotropic_stress(const ElasticModuli& moduli, const Eigen::Matrix3d& H) {
  Eigen::Matrix3d stress = moduli.mu * (H + H.transpose());
  stress.diagonal().array() += moduli.lambda * H.trace();
  return stress;
}

// No mean over the element.
template <ElementKind K>
void evaluate_points(const BodyLaw& body, const ElementLaw& law, const typename ElementTypes<K>::Nodal& X,
                     const typename ElementTypes<K>::Nodal& u, const MaterialStep& step,
                     ElementResult<K>& out) {
  const PointLaw point_law = body.point_law();
  ElementPoint<K> point;
  PointResponse response;
  for (int p = 0; p < ElementTypes<K>::kPoints; ++p) {
    if (!place_point<K>(body, ElementTable<K>::stiffness().rows[p], X, point)) {
      out.trouble = ElementTrouble::inside_out;
      return;
    }
    const Eigen::Matrix3d H = gradient_at<K>(body, point, u);
    if (law.linear) {
      const Eigen::Matrix3d stress = isotropic_stress(law.moduli, H);
      out.force += point.volume * spread<K>(body, point, stress);
      out.energy.elastic += 0.5 * point.volume * stress.cwiseProduct(H).sum();
      if (step.want_tangent) add_isotropic_tangent<K>(body, point, point.volume, law.moduli, out.tangent);
      continue;
    }
    if (!point_law.respond(*law.material, H, step_of_point(step, law.internal_count, p), response)) {
      out.trouble = ElementTrouble::no_answer;
      return;
    }
    out.force += point.volume * spread<K>(body, point, response.stress);
    add_energy(response.energy, point.volume, out.energy);
    if (step.want_tangent) add_tangent<K>(body, point, point.volume, response.tangent, out.tangent);
  }
}

// H that the material sees where the volume has changed by J at a point and by theta in the mean.
inline Eigen::Matrix3d dilated_gradient(bool finite, const Eigen::Matrix3d& H, double J, double theta) {
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  if (finite) return std::cbrt(theta / J) * (one + H) - one;
  return H + (theta - J) / 3 * one;
}

// What mean dilatation knows of a point: F or I, how its volume changes with each degree of freedom.
template <ElementKind K>
struct DilatedPoint {
  using T = ElementTypes<K>;
  ElementPoint<K> at;
  Eigen::Matrix3d H, F;           // F is I in small strain
  double J = 1;                   // small strain: 1 + tr H
  typename T::Nodal volume_rate;  // d ln J/dq; small strain: d tr H/dq
};

// The second derivative of ln J is minus this: tr(F^-1 dF F^-1 dF) = sum n_a(j) n_b(i), n = F^-T grad N.
template <ElementKind K>
void add_turned(const BodyLaw& body, const DilatedPoint<K>& p, double w,
                typename ElementTypes<K>::Square& tangent) {
  constexpr int Dim = ElementTypes<K>::kDim, N = ElementTypes<K>::kNodes;
  typename ElementTypes<K>::Nodal n = p.volume_rate;
  typename ElementTypes<K>::Scalars hoop;
  if constexpr (Dim == 2)
    if (body.axisymmetric()) {
      hoop = p.at.hoop / p.F(2, 2);
      n.col(0) -= hoop;
      tangent.template block<N, N>(0, 0) += (w * hoop).lazyProduct(hoop.transpose());
    }
  for (int j = 0; j < Dim; ++j)
    for (int i = 0; i < Dim; ++i)
      tangent.template block<N, N>(i * N, j * N) += (w * n.col(j)).lazyProduct(n.col(i).transpose());
}

template <ElementKind K>
void evaluate_mean_dilatation(const BodyLaw& body, const ElementLaw& law,
                              const typename ElementTypes<K>::Nodal& X,
                              const typename ElementTypes<K>::Nodal& u, const MaterialStep& step,
                              ElementResult<K>& out) {
  using T = ElementTypes<K>;
  using Vector = typename T::Vector;
  const auto flat = [](const typename T::Nodal& n) { return Eigen::Map<const Vector>(n.data()); };
  const bool finite = body.kinematics == Kinematics::finite;
  const PointLaw point_law = body.point_law();

  std::array<DilatedPoint<K>, T::kPoints> points;
  double volume = 0, theta = 0;  // theta: mean of J
  Vector mean = Vector::Zero();  // d ln theta/dq
  for (int p = 0; p < T::kPoints; ++p) {
    DilatedPoint<K>& own = points[p];
    if (!place_point<K>(body, ElementTable<K>::stiffness().rows[p], X, own.at)) {
      out.trouble = ElementTrouble::inside_out;
      return;
    }
    own.H = gradient_at<K>(body, own.at, u);
    own.F.setIdentity();
    own.J = 1 + own.H.trace();
    if (finite) {
      own.F += own.H;
      own.J = own.F.determinant();
      if (!(own.J > 0)) {
        out.trouble = ElementTrouble::inside_out;
        return;
      }
    }
    own.volume_rate = spread<K>(body, own.at, own.F.inverse().transpose());
    volume += own.at.volume;
    theta += own.at.volume * own.J;
    mean += own.at.volume * (finite ? own.J : 1) * flat(own.volume_rate);
  }
  mean /= finite ? theta : volume;
  theta /= volume;

  PointResponse response;
  double pressure = 0;  // integral of P : F/3
  for (int p = 0; p < T::kPoints; ++p) {
    const DilatedPoint<K>& own = points[p];
    const double w = own.at.volume, s = finite ? std::cbrt(theta / own.J) : 1;
    const Eigen::Matrix3d H = dilated_gradient(finite, own.H, own.J, theta);
    if (!point_law.respond(*law.material, H, step_of_point(step, law.internal_count, p), response)) {
      out.trouble = ElementTrouble::no_answer;
      return;
    }
    add_energy(response.energy, w, out.energy);
    // d(s F) = s (dF + F c/3), c = d ln theta - d ln J
    const Vector c = mean - flat(own.volume_rate);
    const double trace = s * response.stress.cwiseProduct(own.F).sum() / 3;
    const typename T::Nodal direct = spread<K>(body, own.at, s * response.stress);
    out.force += w * direct;
    Eigen::Map<Vector>(out.force.data()) += w * trace * c;
    pressure += w * trace;
    if (!step.want_tangent) continue;

    add_tangent<K>(body, own.at, w * s * s, response.tangent, out.tangent);
    const Eigen::Map<const Vector9> f(own.F.data());
    Eigen::Matrix3d right, left;
    Eigen::Map<Vector9>(right.data()) = response.tangent.lazyProduct(f);
    Eigen::Map<Vector9>(left.data()) = response.tangent.transpose().lazyProduct(f);
    const double both = s * s * f.dot(Eigen::Map<const Vector9>(right.data())) / 9;
    Vector on_right = s * s / 3 * flat(spread<K>(body, own.at, right));
    Vector on_left = s * s / 3 * flat(spread<K>(body, own.at, left));
    if (finite) {
      on_right += flat(direct) / 3;
      on_left += flat(direct) / 3;
      add_turned<K>(body, own, w * trace, out.tangent);
    }
    out.tangent += (w * on_right).lazyProduct(c.transpose()) + (w * c).lazyProduct(on_left.transpose()) +
                   (w * (both + (finite ? trace / 3 : 0)) * c).lazyProduct(c.transpose());
  }
  if (!step.want_tangent || !finite) return;
  // pressure times the second derivative of ln theta
  for (const DilatedPoint<K>& own : points) {
    const double share = pressure * own.at.volume * own.J / (theta * volume);
    const auto rate = flat(own.volume_rate);
    out.tangent += (share * rate).lazyProduct(rate.transpose());
    add_turned<K>(body, own, -share, out.tangent);
  }
  out.tangent -= (pressure * mean).lazyProduct(mean.transpose());
}

// Without the turning of corotational elements.
template <ElementKind K>
void evaluate_unturned(const BodyLaw& body, const ElementLaw& law, const typename ElementTypes<K>::Nodal& X,
                       const typename ElementTypes<K>::Nodal& u, const MaterialStep& step,
                       ElementResult<K>& out) {
  if constexpr (ElementTypes<K>::kMeanDilatation)
    if (law.mean_dilatation) return evaluate_mean_dilatation<K>(body, law, X, u, step, out);
  evaluate_points<K>(body, law, X, u, step, out);
}

// Mean over the volume.
template <ElementKind K>
typename ElementTypes<K>::Nodal mean_gradients(const BodyLaw& body,
                                               const typename ElementTypes<K>::Nodal& X) {
  using Nodal = typename ElementTypes<K>::Nodal;
  Nodal mean = Nodal::Zero();
  double volume = 0;
  ElementPoint<K> point;
  for (const auto& row : ElementTable<K>::stiffness().rows) {
    if (!place_point<K>(body, row, X, point)) continue;
    mean += point.volume * point.gradients;
    volume += point.volume;
  }
  return mean / volume;
}

template <ElementKind K>
void evaluate_element(const BodyLaw& body, const ElementLaw& law, const typename ElementTypes<K>::Nodal& X,
                      const typename ElementTypes<K>::Nodal& u, const MaterialStep& step,
                      ElementResult<K>& out) {
  out.force.setZero();
  out.energy = {};
  out.trouble = ElementTrouble::none;
  const bool corotational = body.kinematics == Kinematics::corotational;
  if (step.want_tangent || corotational) out.tangent.setZero();
  if (!corotational) return evaluate_unturned<K>(body, law, X, u, step, out);
  MaterialStep stiffness = step;
  stiffness.want_tangent = true;
  evaluate_unturned<K>(body, law, X, ElementTypes<K>::Nodal::Zero(), stiffness, out);
  if (out.trouble == ElementTrouble::none)
    corotate<K>(X, u, mean_gradients<K>(body, X), step.want_tangent, out);
}

}  // namespace saltus
