#include "saltus/solvers/local/complementarity.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

// Rows `first`..`first+Part` of an Alart-Curnier or Jean-Moreau function: F = x - P_D(y), the
// disc having radius ratio * n, where n depends on (r_n, u_n) with the given derivatives.
template <class C, int Part>
void add_disc(int first, const typename C::Vector& r, const typename C::Vector& u, double ratio, double n,
              double n_by_r, double n_by_u, double rho, Linearised<C>& out) {
  using Vector = Eigen::Matrix<double, Part, 1>;
  using Matrix = Eigen::Matrix<double, Part, Part>;
  const Vector y = r.template segment<Part>(first) - rho * u.template segment<Part>(first);
  const double length = y.norm(), radius = ratio * n;
  if (length <= radius) {  // inside: F = rho u
    out.value.template segment<Part>(first) = rho * u.template segment<Part>(first);
    out.by_u.template block<Part, Part>(first, first) = rho * Matrix::Identity();
    return;
  }
  const Vector direction = y / length;
  out.value.template segment<Part>(first) = r.template segment<Part>(first) - radius * direction;
  const Matrix turn = (radius / length) * (Matrix::Identity() - direction * direction.transpose());
  out.by_r.template block<Part, Part>(first, first) = Matrix::Identity() - turn;
  out.by_u.template block<Part, Part>(first, first) = rho * turn;
  out.by_r.template block<Part, 1>(first, 0) = -ratio * n_by_r * direction;
  out.by_u.template block<Part, 1>(first, 0) = -ratio * n_by_u * direction;
}

template <class C>
Linearised<C> linearise_discs(bool radius_from_r, const typename C::Vector& r, const typename C::Vector& u,
                              double mu, double mu_r, double rho) {
  Linearised<C> out{C::Vector::Zero(), C::Matrix::Zero(), C::Matrix::Zero()};
  const double y_n = r[0] - rho * u[0];
  const bool closed = y_n > 0;
  out.value[0] = closed ? rho * u[0] : r[0];
  (closed ? out.by_u(0, 0) : out.by_r(0, 0)) = closed ? rho : 1.0;
  const double n = std::max(0.0, radius_from_r ? r[0] : y_n);
  const double n_by_r = n > 0 ? 1.0 : 0.0;
  const double n_by_u = n > 0 && !radius_from_r ? -rho : 0.0;
  add_disc<C, C::kTangents>(1, r, u, mu, n, n_by_r, n_by_u, rho, out);
  if constexpr (C::kRollings > 0)
    add_disc<C, C::kRollings>(1 + C::kTangents, r, u, mu_r, n, n_by_r, n_by_u, rho, out);
  return out;
}

template <class C>
Linearised<C> linearise_natural_map(const typename C::Vector& r, const typename C::Vector& u, double mu,
                                    double mu_r, double rho) {
  const typename C::Vector y = r - rho * de_saxce<C>(u, mu, mu_r);
  const typename C::Matrix slope = projection_jacobian<C>(y, mu, mu_r);
  return {r - project<C>(y, mu, mu_r), C::Matrix::Identity() - slope,
          rho * slope * de_saxce_jacobian<C>(u, mu, mu_r)};
}

template <class Vector>
Vector projected_on_disc(const Vector& y, double radius) {
  const double length = y.norm();
  return length <= radius ? y : Vector(y * (radius / length));
}

}  // namespace

template <class C>
Linearised<C> linearise(Complementarity kind, const typename C::Vector& r, const typename C::Vector& u,
                        double mu, double mu_r, double rho) {
  if (kind == Complementarity::natural_map) return linearise_natural_map<C>(r, u, mu, mu_r, rho);
  return linearise_discs<C>(kind == Complementarity::jean_moreau, r, u, mu, mu_r, rho);
}

template <class C>
typename C::Vector complementarity(Complementarity kind, const typename C::Vector& r,
                                   const typename C::Vector& u, double mu, double mu_r, double rho) {
  if (kind == Complementarity::natural_map)
    return r - project<C>(r - rho * de_saxce<C>(u, mu, mu_r), mu, mu_r);
  const typename C::Vector y = r - rho * u;
  const double n = std::max(0.0, kind == Complementarity::jean_moreau ? r[0] : y[0]);
  typename C::Vector value = r;
  value[0] -= std::max(0.0, y[0]);
  using Tangent = Eigen::Matrix<double, C::kTangents, 1>;
  value.template segment<C::kTangents>(1) -=
      projected_on_disc<Tangent>(y.template segment<C::kTangents>(1), mu * n);
  if constexpr (C::kRollings > 0) {
    using Rolling = Eigen::Matrix<double, C::kRollings, 1>;
    value.template tail<C::kRollings>() -=
        projected_on_disc<Rolling>(y.template tail<C::kRollings>(), mu_r * n);
  }
  return value;
}

template Linearised<Coulomb2> linearise<Coulomb2>(Complementarity, const Coulomb2::Vector&,
                                                  const Coulomb2::Vector&, double, double, double);
template Linearised<Coulomb3> linearise<Coulomb3>(Complementarity, const Coulomb3::Vector&,
                                                  const Coulomb3::Vector&, double, double, double);
template Linearised<Rolling2> linearise<Rolling2>(Complementarity, const Rolling2::Vector&,
                                                  const Rolling2::Vector&, double, double, double);
template Linearised<Rolling3> linearise<Rolling3>(Complementarity, const Rolling3::Vector&,
                                                  const Rolling3::Vector&, double, double, double);
template Coulomb2::Vector complementarity<Coulomb2>(Complementarity, const Coulomb2::Vector&,
                                                    const Coulomb2::Vector&, double, double, double);
template Coulomb3::Vector complementarity<Coulomb3>(Complementarity, const Coulomb3::Vector&,
                                                    const Coulomb3::Vector&, double, double, double);
template Rolling2::Vector complementarity<Rolling2>(Complementarity, const Rolling2::Vector&,
                                                    const Rolling2::Vector&, double, double, double);
template Rolling3::Vector complementarity<Rolling3>(Complementarity, const Rolling3::Vector&,
                                                    const Rolling3::Vector&, double, double, double);

}  // namespace saltus
