// What a solver asks of the law of one block, whatever its set: the projection, De Saxce's term and their
// derivatives. A problem whose blocks are all contacts of its cone has laws of the type ConeLaw, where all is
// known when compiling; a mixed one (`sets` not empty) has MixedLaw, which looks at the set of the block.
//
// Solvers are templates on the kind of block B: a Cone, or Mixed<Cone>. `with_blocks` is the one place where
// a problem becomes such a type.
#pragma once

#include "saltus/solvers/problem.hpp"

namespace saltus {

// Padding of a block's vector. A loop: compilers take Eigen's tail of a size unknown to them for an overflow.
template <class Vector>
void set_tail(int first, double value, Vector&& x) {
  for (int i = first; i < static_cast<int>(x.size()); ++i) x[i] = value;
}

template <class C>
struct ConeLaw {
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;
  double mu = 0, mu_r = 0;

  Vector project(const Vector& z) const { return saltus::project<C>(z, mu, mu_r); }
  Matrix projection_jacobian(const Vector& z) const { return saltus::projection_jacobian<C>(z, mu, mu_r); }
  Vector de_saxce(const Vector& u) const { return saltus::de_saxce<C>(u, mu, mu_r); }
  Matrix de_saxce_jacobian(const Vector& u) const { return saltus::de_saxce_jacobian<C>(u, mu, mu_r); }
};

// A half line is Coulomb's cone without friction, an infinite ball the whole space: three kinds are left.
template <class C>
struct MixedLaw {
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;
  ConeLaw<C> cone;  // of a coulomb block
  SetKind kind = SetKind::coulomb;
  int size = C::kSize;
  double radius = 0;

  MixedLaw(const BlockSet& set, double mu, double mu_r);

  bool has_cone() const { return kind == SetKind::coulomb; }
  Vector project(const Vector& z) const;
  Matrix projection_jacobian(const Vector& z) const;
  Vector de_saxce(const Vector& u) const { return has_cone() ? cone.de_saxce(u) : u; }
  Matrix de_saxce_jacobian(const Vector& u) const {
    return has_cone() ? cone.de_saxce_jacobian(u) : Matrix(Matrix::Identity());
  }
};

// Blocks as large as those of the cone C, which is Mixed<C>::Plain.
template <class C>
struct Mixed : C {};

template <class B>
struct LawOf {
  using Type = ConeLaw<B>;
  static Type of(const ContactProblem& problem, int c) { return {problem.mu[c], problem.rolling(c)}; }
};
template <class C>
struct LawOf<Mixed<C>> {
  using Type = MixedLaw<C>;
  static Type of(const ContactProblem& problem, int c) {
    return {problem.sets[c], problem.mu[c], problem.rolling(c)};
  }
};

template <class B>
typename LawOf<B>::Type law_of(const ContactProblem& problem, int c) {
  return LawOf<B>::of(problem, c);
}

// Calls f(B{}) with the kind of blocks the problem has.
template <class F>
decltype(auto) with_blocks(const ContactProblem& problem, F&& f) {
  return with_cone(problem.cone, [&](auto cone) {
    if (problem.is_mixed()) return f(Mixed<decltype(cone)>{});
    return f(cone);
  });
}

}  // namespace saltus
