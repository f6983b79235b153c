#include "saltus/solvers/cone.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

int block_size(ConeKind kind) {
  return with_cone(kind, [](auto cone) { return decltype(cone)::kSize; });
}

bool is_rolling(ConeKind kind) { return kind == ConeKind::rolling_2d || kind == ConeKind::rolling_3d; }

int space_dimension(ConeKind kind) {
  return kind == ConeKind::coulomb_2d || kind == ConeKind::rolling_2d ? 2 : 3;
}

const char* name(ConeKind kind) {
  switch (kind) {
    case ConeKind::coulomb_2d: return "2D";
    case ConeKind::rolling_2d: return "2D rolling";
    case ConeKind::rolling_3d: return "3D rolling";
    case ConeKind::coulomb_3d: break;
  }
  return "3D";
}

namespace {

// The normal component of the projection and which of the two discs it presses on.
struct Foot {
  double n;
  bool on_tangent, on_rolling;
};

// Above this normal component a disc of the given ratio holds a vector of length z.
double release(double z, double ratio) { return z > 0 ? z / ratio : 0.0; }

// Minimises (n - z_n)^2 + (|z_t| - mu n)_+^2 + (|z_w| - mu_r n)_+^2 over n >= 0. The
// derivative is increasing and piecewise linear: its signs at the two kinks tell the piece of
// the root, and round-off at a kink only picks a neighbour that agrees there.
Foot find_foot(double zn, double zt, double zw, double mu, double mu_r, bool rolls) {
  const double n_t = release(zt, mu), n_w = rolls ? release(zw, mu_r) : 0.0;
  if (zn >= std::max(n_t, n_w)) return {zn, false, false};
  if (n_t >= n_w && n_w - zn - mu * (zt - mu * n_w) <= 0)
    return {std::max(0.0, (zn + mu * zt) / (1 + mu * mu)), true, false};
  if (n_w >= n_t && n_t - zn - mu_r * (zw - mu_r * n_t) <= 0)
    return {std::max(0.0, (zn + mu_r * zw) / (1 + mu_r * mu_r)), false, true};
  return {std::max(0.0, (zn + mu * zt + mu_r * zw) / (1 + mu * mu + mu_r * mu_r)), true, rolls};
}

template <class C>
Foot find_foot(const typename C::Vector& z, double mu, double mu_r) {
  const double zt = z.template segment<C::kTangents>(1).norm();
  const double zw = C::kRollings ? z.template tail<C::kRollings>().norm() : 0.0;
  return find_foot(z[0], zt, zw, mu, mu_r, C::kRollings > 0);
}

// Rows of the Jacobian that belong to one disc |p| <= radius_per_n * n; dn is the row of n.
template <int Size, int Part>
void fill_disc(const Eigen::Matrix<double, Part, 1>& z, double n, double ratio, int first,
               Eigen::Matrix<double, Size, Size>& jacobian) {
  const double length = z.norm();
  if (length == 0) return;
  const Eigen::Matrix<double, Part, 1> direction = z / length;
  jacobian.template middleRows<Part>(first) = ratio * direction * jacobian.row(0);
  jacobian.template block<Part, Part>(first, first) +=
      (ratio * n / length) *
      (Eigen::Matrix<double, Part, Part>::Identity() - direction * direction.transpose());
}

}  // namespace

template <class C>
typename C::Vector project(const typename C::Vector& z, double mu, double mu_r) {
  const Foot foot = find_foot<C>(z, mu, mu_r);
  typename C::Vector p = z;
  p[0] = foot.n;
  if (foot.n == 0) return C::Vector::Zero();
  if (foot.on_tangent) {
    auto t = p.template segment<C::kTangents>(1);
    const double length = t.norm();
    t *= length > 0 ? mu * foot.n / length : 0.0;
  }
  if constexpr (C::kRollings > 0) {
    if (foot.on_rolling) {
      auto w = p.template tail<C::kRollings>();
      const double length = w.norm();
      w *= length > 0 ? mu_r * foot.n / length : 0.0;
    }
  }
  return p;
}

template <class C>
typename C::Matrix projection_jacobian(const typename C::Vector& z, double mu, double mu_r) {
  const Foot foot = find_foot<C>(z, mu, mu_r);
  typename C::Matrix jacobian = C::Matrix::Zero();
  if (foot.n == 0) return jacobian;
  jacobian(0, 0) = 1;
  double scale = 1;
  const Eigen::Matrix<double, C::kTangents, 1> t = z.template segment<C::kTangents>(1);
  if (foot.on_tangent) {
    scale += mu * mu;
    const double length = t.norm();
    if (length > 0) jacobian.row(0).template segment<C::kTangents>(1) = mu * t.transpose() / length;
  } else {
    jacobian.template block<C::kTangents, C::kTangents>(1, 1).setIdentity();
  }
  if constexpr (C::kRollings > 0) {
    const Eigen::Matrix<double, C::kRollings, 1> w = z.template tail<C::kRollings>();
    if (foot.on_rolling) {
      scale += mu_r * mu_r;
      const double length = w.norm();
      if (length > 0) jacobian.row(0).template tail<C::kRollings>() = mu_r * w.transpose() / length;
    } else {
      jacobian.template bottomRightCorner<C::kRollings, C::kRollings>().setIdentity();
    }
    jacobian.row(0) /= scale;
    if (foot.on_rolling) fill_disc<C::kSize, C::kRollings>(w, foot.n, mu_r, 1 + C::kTangents, jacobian);
  } else {
    jacobian.row(0) /= scale;
  }
  if (foot.on_tangent) fill_disc<C::kSize, C::kTangents>(t, foot.n, mu, 1, jacobian);
  return jacobian;
}

template <class C>
typename C::Vector de_saxce(const typename C::Vector& u, double mu, double mu_r) {
  typename C::Vector shifted = u;
  shifted[0] += mu * u.template segment<C::kTangents>(1).norm();
  if constexpr (C::kRollings > 0) shifted[0] += mu_r * u.template tail<C::kRollings>().norm();
  return shifted;
}

template <class C>
typename C::Matrix de_saxce_jacobian(const typename C::Vector& u, double mu, double mu_r) {
  typename C::Matrix jacobian = C::Matrix::Identity();
  const auto t = u.template segment<C::kTangents>(1);
  if (const double slip = t.norm(); slip > 0)
    jacobian.template block<1, C::kTangents>(0, 1) = mu / slip * t.transpose();
  if constexpr (C::kRollings > 0) {
    const auto w = u.template tail<C::kRollings>();
    if (const double spin = w.norm(); spin > 0)
      jacobian.template block<1, C::kRollings>(0, 1 + C::kTangents) = mu_r / spin * w.transpose();
  }
  return jacobian;
}

template Coulomb2::Vector project<Coulomb2>(const Coulomb2::Vector&, double, double);
template Coulomb3::Vector project<Coulomb3>(const Coulomb3::Vector&, double, double);
template Rolling2::Vector project<Rolling2>(const Rolling2::Vector&, double, double);
template Rolling3::Vector project<Rolling3>(const Rolling3::Vector&, double, double);
template Coulomb2::Matrix projection_jacobian<Coulomb2>(const Coulomb2::Vector&, double, double);
template Coulomb3::Matrix projection_jacobian<Coulomb3>(const Coulomb3::Vector&, double, double);
template Rolling2::Matrix projection_jacobian<Rolling2>(const Rolling2::Vector&, double, double);
template Rolling3::Matrix projection_jacobian<Rolling3>(const Rolling3::Vector&, double, double);
template Coulomb2::Vector de_saxce<Coulomb2>(const Coulomb2::Vector&, double, double);
template Coulomb3::Vector de_saxce<Coulomb3>(const Coulomb3::Vector&, double, double);
template Rolling2::Vector de_saxce<Rolling2>(const Rolling2::Vector&, double, double);
template Rolling3::Vector de_saxce<Rolling3>(const Rolling3::Vector&, double, double);
template Coulomb2::Matrix de_saxce_jacobian<Coulomb2>(const Coulomb2::Vector&, double, double);
template Coulomb3::Matrix de_saxce_jacobian<Coulomb3>(const Coulomb3::Vector&, double, double);
template Rolling2::Matrix de_saxce_jacobian<Rolling2>(const Rolling2::Vector&, double, double);
template Rolling3::Matrix de_saxce_jacobian<Rolling3>(const Rolling3::Vector&, double, double);

}  // namespace saltus
