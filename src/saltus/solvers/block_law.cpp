#include "saltus/solvers/block_law.hpp"

#include <cmath>

namespace saltus {

template <class C>
MixedLaw<C>::MixedLaw(const BlockSet& set, double mu, double mu_r)
    : cone{set.size > 1 ? mu : 0.0, set.size > 1 + C::kTangents ? mu_r : 0.0},
      kind(set.kind),
      size(set.size),
      radius(set.radius) {
  if (kind == SetKind::half_line) kind = SetKind::coulomb;
  if (kind == SetKind::ball && std::isinf(radius)) kind = SetKind::space;
}

template <class C>
typename C::Vector MixedLaw<C>::project(const Vector& z) const {
  if (has_cone()) return cone.project(z);
  Vector p = z;
  set_tail(size, 0.0, p);
  if (kind == SetKind::space) return p;
  const double length = p.norm();
  return length > radius ? Vector(radius / length * p) : p;
}

template <class C>
typename C::Matrix MixedLaw<C>::projection_jacobian(const Vector& z) const {
  if (has_cone()) return cone.projection_jacobian(z);
  Matrix jacobian = Matrix::Identity();
  set_tail(size, 0.0, jacobian.diagonal());
  if (kind == SetKind::space) return jacobian;
  Vector direction = z;
  set_tail(size, 0.0, direction);
  const double length = direction.norm();
  if (length <= radius) return jacobian;
  direction /= length;
  return radius / length * (jacobian - direction * direction.transpose());
}

template struct MixedLaw<Coulomb2>;
template struct MixedLaw<Coulomb3>;
template struct MixedLaw<Rolling2>;
template struct MixedLaw<Rolling3>;

}  // namespace saltus
