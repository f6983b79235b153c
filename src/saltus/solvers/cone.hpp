// The cones of the contact laws and their projections.
//
// A contact block is (n, t...) or, with rolling friction, (n, t..., w...): the normal
// component first. The set of admissible impulses is
//
//     K(mu, mu_r) = { r : |r_t| <= mu r_n  and  |r_w| <= mu_r r_n }
//
// and De Saxce's change of variable makes Coulomb's law a complementarity on it:
//
//     K  contains r,   K*  contains u + (mu |u_t| + mu_r |u_w|) n,   orthogonal.
#pragma once

#include <Eigen/Core>

namespace saltus {

enum class ConeKind { coulomb_2d, coulomb_3d, rolling_2d, rolling_3d };

template <int Tangents, int Rollings>
struct Cone {
  using Plain = Cone;
  static constexpr int kTangents = Tangents;
  static constexpr int kRollings = Rollings;
  static constexpr int kSize = 1 + Tangents + Rollings;
  using Vector = Eigen::Matrix<double, kSize, 1>;
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
};
using Coulomb2 = Cone<1, 0>;
using Coulomb3 = Cone<2, 0>;
using Rolling2 = Cone<1, 1>;
using Rolling3 = Cone<2, 2>;

// Calls f(C{}) with the cone type of `kind`: the one place where run-time kinds become types.
template <class F>
decltype(auto) with_cone(ConeKind kind, F&& f) {
  switch (kind) {
    case ConeKind::coulomb_2d: return f(Coulomb2{});
    case ConeKind::rolling_2d: return f(Rolling2{});
    case ConeKind::rolling_3d: return f(Rolling3{});
    case ConeKind::coulomb_3d: break;
  }
  return f(Coulomb3{});
}

int block_size(ConeKind kind);
bool is_rolling(ConeKind kind);
int space_dimension(ConeKind kind);  // 2 or 3
const char* name(ConeKind kind);

// Euclidean projection on K(mu, mu_r). Closed form: the projection minimises a convex
// piecewise quadratic function of the normal component alone.
template <class C>
typename C::Vector project(const typename C::Vector& z, double mu, double mu_r);

// An element of the generalised Jacobian of `project` at z.
template <class C>
typename C::Matrix projection_jacobian(const typename C::Vector& z, double mu, double mu_r);

// u + (mu |u_t| + mu_r |u_w|) n
template <class C>
typename C::Vector de_saxce(const typename C::Vector& u, double mu, double mu_r);

// Its derivative, I + N with N of one row: the inverse is I - N. Zero slip counts as no slope.
template <class C>
typename C::Matrix de_saxce_jacobian(const typename C::Vector& u, double mu, double mu_r);

}  // namespace saltus
