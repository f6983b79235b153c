// The cones of one block as `ipm` sees them: x = J r + offset and its dual z, both in second-order cones.
//
//   contact     (mu r_n, r_t) and, when it rolls, (mu_r r_n, r_w)
//   ball        (radius, r): the first component does not move, its dual is free
//   space       none: u = 0 is an equation
#pragma once

#include <algorithm>

#include "saltus/solvers/block_law.hpp"
#include "saltus/solvers/direct/second_order_cone.hpp"

namespace saltus {

namespace {  // as interior_point.hpp

// Diagonal that holds a component at zero; everything else is of order one.
constexpr double kRigid = 1e16;
// Diagonal of equations, which W alone may leave singular (a joint given twice). It is in Newton's matrix
// only, not in the residual: it slows convergence in directions that W hardly sees and changes no solution.
constexpr double kProximal = 1e-10;

// A primal and a dual point inside the cone, Newton's direction and what belongs to it.
template <int Size>
struct InteriorPair {
  static constexpr int kSize = Size;
  using Vec = soc::Vec<kSize>;
  using Mat = soc::Mat<kSize>;
  Vec x, z, dx, dz, lambda, target;
  Mat T, T_inverse;

  void update_scaling() {
    T = soc::scaling<kSize>(x, z);
    T_inverse = T.inverse();
    lambda = T * x;
  }
  void set_target(double tau, bool correct) {
    Vec d = -soc::product<kSize>(lambda, lambda);
    if (correct) d -= soc::product<kSize>(T * dx, T_inverse * dz);
    d[0] += tau;
    target = T * soc::divide<kSize>(d, lambda);
  }
  double longest_step() const {
    return std::min(soc::longest_step<kSize>(x, dx), soc::longest_step<kSize>(z, dz));
  }
};

// One cone of a contact: x = (ratio r_n, tail r_part). Without friction (mu = 0) the cone is the
// half line r_n >= 0 and the other components are held at zero: ratio 1, tail 0.
template <int Part>
struct ConePart : InteriorPair<1 + Part> {
  using typename InteriorPair<1 + Part>::Vec;
  double ratio = 1, tail = 1;

  void set_friction(double mu) {
    ratio = mu > 0 ? mu : 1.0;
    tail = mu > 0 ? 1.0 : 0.0;
  }
  template <class Impulse>
  Vec cone_point(const Impulse& r, int first) const {
    Vec value;
    value[0] = ratio * r[0];
    value.template tail<Part>() = tail * r.template segment<Part>(first);
    return value;
  }
  template <class Impulse>
  void set_direction(const Impulse& dr, int first) {
    this->dx = cone_point(dr, first);
    this->dz = this->target - this->T * (this->T * this->dx);
  }
};

// x = (radius, r). Padding stays at zero: nothing moves it.
template <int N>
struct BallPart : InteriorPair<1 + N> {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Segment = Eigen::Ref<Vector>;

  // Shrinks r into the ball. x.z starts as far from zero as that of contacts, whatever the radius.
  void place(double radius, double depth, const Vector& u, Segment r) {
    const double length = r.norm(), longest = radius / (1 + depth);
    if (length > longest) r *= longest / length;
    this->x << radius, r;
    this->z << 0.0, (depth < 1 ? 1.0 : 0.0) * u;
    this->z[0] = this->z.norm() + depth * std::min(1.0, depth / radius);
  }
  void subtract_dual(Segment residual) const { residual -= this->z.template tail<N>(); }
  void add_target(double tau, bool correct, Segment right) {
    this->set_target(tau, correct);
    right += this->target.template tail<N>();
  }
  void set_direction(const Vector& dr) {
    this->dx << 0.0, dr;
    this->dz = this->target - this->T * (this->T * this->dx);
  }
};

// What a block is when it is no contact: nothing to ask where all blocks are contacts.
template <class C>
struct OtherSets {
  using Segment = Eigen::Ref<typename C::Vector>;
  void set_law(const ConeLaw<C>&) {}
  static constexpr bool is_contact() { return true; }
  static ConeLaw<C> friction(const ContactProblem& problem, int c) { return law_of<C>(problem, c); }
  template <class F>
  void for_ball(F&&) {}
  void place_inside(double, const typename C::Vector&, Segment) {}
  void add_curvature(typename C::Matrix&) {}
};

template <class C>
struct OtherSets<Mixed<C>> {
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;

  void set_law(const MixedLaw<C>& own) { law = own; }
  bool is_contact() const { return law.has_cone(); }
  const ConeLaw<C>& friction(const ContactProblem&, int) const { return law.cone; }

  template <class F>
  void for_ball(F&& f) {
    if (law.kind == SetKind::ball && law.radius > 0) f(ball);
  }

  void place_inside(double depth, const Vector& velocity, Eigen::Ref<Vector> r) {
    if (is_contact()) return;
    r = law.project(r).eval();
    Vector u = velocity;
    set_tail(law.size, 0.0, u);
    for_ball([&](auto& own) { own.place(law.radius, depth, u, r); });
  }

  // Of the ball; small for equations, and so large that what cannot move does not.
  void add_curvature(Matrix& curvature) {
    if (is_contact()) return;
    for_ball([&](auto& own) {
      own.update_scaling();
      const auto squared = (own.T * own.T).eval();
      curvature += squared.template bottomRightCorner<C::kSize, C::kSize>();
    });
    if (law.kind == SetKind::space) curvature.diagonal().array() += kProximal;
    const bool is_point = law.kind == SetKind::ball && law.radius == 0;
    set_tail(is_point ? 0 : law.size, kRigid, curvature.diagonal());
  }

  MixedLaw<C> law{BlockSet{}, 0, 0};
  BallPart<C::kSize> ball;
};

}  // namespace

}  // namespace saltus
