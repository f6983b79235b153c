// One block of a mixed problem, solved exactly by what its set asks for. `Contact` solves contacts of the
// problem's cone; those of a rolling problem that do not roll are solved as Coulomb's.
#pragma once

#include <limits>
#include <optional>

#include "saltus/solvers/block_law.hpp"
#include "saltus/solvers/local/cascade.hpp"
#include "saltus/solvers/local/local_ball.hpp"

namespace saltus {

template <class C, class Contact>
class LocalMixed {
 public:
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;

  LocalMixed(const Matrix& W, const MixedLaw<C>& law) : a_(W(0, 0)) {
    if (law.kind != SetKind::coulomb) {
      constexpr double kUnlimited = std::numeric_limits<double>::infinity();
      ball_.emplace(W, law.size, law.kind == SetKind::space ? kUnlimited : law.radius);
      a_ = ball_->largest_compliance();
    } else if (law.size > 1) {
      if (C::kRollings == 0 || law.cone.mu_r > 0)
        contact_.emplace(W, law.cone.mu, law.cone.mu_r);
      else
        sliding_.emplace(sliding_part(W), law.cone.mu, 0);
    }
  }

  bool solve(const double* W, const Vector& b, Vector& r) {
    if (contact_) return contact_->solve(W, b, r);
    if (ball_) return ball_->solve(b, r);
    if (sliding_) return solve_sliding(W, b, r);
    r = Vector::Unit(0) * (b[0] < 0 && a_ > 0 ? -b[0] / a_ : 0.0);
    return b[0] >= 0 || a_ > 0;
  }

  double normal_compliance() const { return a_; }
  bool ambiguous() const {
    return (contact_ && contact_->ambiguous()) || (sliding_ && sliding_->ambiguous());
  }

 private:
  using Coulomb = Cone<C::kTangents, 0>;

  static typename Coulomb::Matrix sliding_part(const Matrix& W) {
    return W.template topLeftCorner<Coulomb::kSize, Coulomb::kSize>();
  }

  bool solve_sliding(const double* W, const Vector& b, Vector& r) {
    const typename Coulomb::Matrix part = sliding_part(Eigen::Map<const Matrix>(W));
    typename Coulomb::Vector impulse = r.template head<Coulomb::kSize>();
    const bool solved = sliding_->solve(part.data(), b.template head<Coulomb::kSize>(), impulse);
    r.setZero();
    for (int i = 0; i < Coulomb::kSize; ++i) r[i] = impulse[i];
    return solved;
  }

  double a_;
  std::optional<Contact> contact_;
  std::optional<typename CascadeOf<Coulomb>::Type> sliding_;
  std::optional<LocalBall<C::kSize>> ball_;
};

}  // namespace saltus
