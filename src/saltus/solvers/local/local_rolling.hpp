// One contact with rolling friction: u = W r + b, (r, u) in the law of cone.hpp.
//
// 2D (n, t, w): exact enumeration. Take-off, or each of t and w stuck (zero velocity) or at
// its limit with a sign: nine linear systems, the case of the last solve first (at first, where it is the only
// solution, both stuck).
//
// 3D (n, t, t, w, w): generalised Newton from the last impulse (local_newton.hpp), then nested
// search: rolling is u_w = -l r_w, l >= 0. For a given l the rolling components are
// eliminated, what is left is a Coulomb contact with W' = W_pp - W_pw (W_ww + l I)^-1 W_wp,
// solved exactly, and |r_w| - mu_r r_n changes sign over l: bisection ends always. Where the inner
// contact is ambiguous the sign may jump instead: then the search is nested the other way.
//
// Every answer is verified by the natural map; `solve` returns false, with the bounded candidate
// of least error, when nothing solves.
#pragma once

#include "saltus/solvers/cone.hpp"

namespace saltus {

// What both share: the block in units where its entries are of order 1 (local_error.hpp).
template <class C>
class ScaledBlock {
 public:
  ScaledBlock(const typename C::Matrix& W, double mu, double mu_r);

  double normal_compliance() const { return a_; }
  bool ambiguous() const { return ambiguous_; }  // Painleve: several solutions may exist

 protected:
  double a_, w_, length_;
  typename C::Matrix W_;
  double mu_, mu_r_;
  bool ambiguous_;
};

class LocalRolling2 : public ScaledBlock<Rolling2> {
 public:
  using ConeType = Rolling2;
  using Vector = Rolling2::Vector;
  LocalRolling2(const Rolling2::Matrix& W, double mu, double mu_r);

  // Replaces r by the solution; W, the block given to the constructor, is not needed again.
  bool solve(const double* W, const Vector& b, Vector& r);

 private:
  bool goes_on_sticking(const Vector& b, Vector& r) const;

  Rolling2::Matrix inverse_;  // of the scaled block; not finite where there is none
  int last_case_;
};

class LocalRolling3 : public ScaledBlock<Rolling3> {
 public:
  using ConeType = Rolling3;
  using Vector = Rolling3::Vector;
  using ScaledBlock::ScaledBlock;

  bool solve(const double* W, const Vector& b, Vector& r);
};

}  // namespace saltus
