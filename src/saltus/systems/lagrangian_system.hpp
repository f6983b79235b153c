// A system of a few coordinates with a kinetic energy 1/2 v.M(q)v and forces of any kind:
//
//     d/dt (M(q) v) - 1/2 grad_q (v.M(q)v) = F(t, q, v) - C v - K q + P
//
// The convective terms of M(q) are derived from dM/dq. A step, with q_1 = q + h u, u = theta v_1 + (1-theta) v the
// velocity that displaces, and q_theta, v_theta, t_theta the instant k+theta:
//
//     M(q_1) v_1 - M(q) v = h G + h (F - C v_theta - K q_theta)(t_theta, q_theta, v_theta) + P
//
// G is the discrete gradient of 1/2 v.M v in q (O. Gonzalez 1996, about the middle of q and q_1): the gradient of
// 1/2 v.M v_1 there, and along u, in coordinates that M depends on, what makes h u.G = 1/2 v.(M(q_1) - M(q)) v_1. Then the change of kinetic energy is
// the work of the forces and of P on u, to round-off, plus (1/2 - theta)(v_1 - v).(M v|_1 - M v|_0): zero for theta
// = 1/2, whatever the step. What is not exact at theta = 1/2 is the work of F itself: that of a potential is missed by
// O(h^3) in a step, without drift (K is exact). A coordinate that neither M nor F depends on keeps its momentum, to
// round-off. Order two on smooth motion with theta = 1/2, with blocks too.
//
// The equation is solved to round-off by Newton's method (the second derivatives of M, of order h^2, are left out of its
// matrix), without blocks in `predict` and with their impulse in `correct`. Blocks see v_1 = v_free + Mhat^-1 P with
// Mhat the symmetric part of that matrix; `relinearise` moves v_free until this holds at the solution.
#pragma once

#include <memory>
#include <string>

#include "saltus/math/dense_factor.hpp"
#include "saltus/systems/lagrangian_model.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

class LagrangianSystem : public System {
 public:
  struct Start {
    Eigen::VectorXd q, v;
    Eigen::MatrixXd C = {}, K = {};  // symmetric; 0 x 0: none
    double time = 0;
    std::string name = {}, where = {};  // for messages
  };
  // Throws InputError: sizes that differ, M or F that is not finite at the start, M that is not positive definite there.
  LagrangianSystem(std::shared_ptr<const LagrangianModel> model, Start start);

  const LagrangianModel& model() const { return *model_; }
  const Eigen::MatrixXd& damping() const { return C_; }  // 0 x 0: none
  const Eigen::MatrixXd& stiffness() const { return K_; }
  int degrees_of_freedom() const override { return static_cast<int>(q_.size()); }
  const Eigen::VectorXd& coordinates() const override { return q_; }
  const Eigen::VectorXd& velocity() const override { return v_; }
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { q_ = q, v_ = v; }

  void predict(const StepWeights& weights, double t, std::span<const double> gravity) override;
  const Eigen::VectorXd& free_velocity() const override { return free_; }
  Eigen::MatrixXd inverse_between(std::span<const int> dofs) override;
  bool is_linear() const override { return false; }
  double relinearise(const Eigen::VectorXd& impulse) override;
  void correct(const Eigen::VectorXd& impulse) override;
  void solve_metric(bool by_mass, Eigen::VectorXd& x) override;
  void displace(const Eigen::VectorXd& d) override { q_ += d, moved_ += d; }
  SystemEnergy audit() const override;
  std::string trouble() const override { return trouble_; }
  std::unique_ptr<SmoothForm> smooth_form() const override;
  // `what`, with the name of the system and a point: that of its state, or this one.
  std::string describe(const std::string& what) const { return describe_point(what, time_, q_); }
  std::string describe_point(const std::string& what, double t, const Eigen::VectorXd& q) const;

 private:
  // Everything of the equation at an end velocity; `residual_` is left side less right side, without P.
  void evaluate(const Eigen::VectorXd& v1);
  void fill_convective(const Eigen::VectorXd& v1);
  void fill_tangent(const Eigen::VectorXd& v1);
  // Solves the equation with P = impulse from `v1` on. False: trouble_ says why.
  bool solve(const Eigen::VectorXd& impulse, Eigen::VectorXd& v1);
  bool is_balanced(const Eigen::VectorXd& impulse, const Eigen::VectorXd& v1);
  void factorise();
  bool has(const Eigen::MatrixXd& matrix) const { return matrix.size() > 0; }
  std::string find_not_finite() const;

  std::shared_ptr<const LagrangianModel> model_;
  Eigen::MatrixXd C_, K_;
  std::string name_, where_;
  Eigen::VectorXd q_, v_;
  std::string trouble_;  // why the last step was not made

  // Of the step at hand.
  StepWeights weights_;
  double time_ = 0;
  Eigen::VectorXd q0_, v0_, momentum0_, free_, impulse_;
  Eigen::VectorXd moved_;  // since `correct`
  Eigen::MatrixXd mass0_, inverse_;
  // At the end velocity that was last evaluated.
  Eigen::VectorXd q1_, path_, q_theta_, v_theta_, q_middle_, force_, drag_, spring_, convective_, momentum1_,
      residual_;
  Eigen::MatrixXd mass1_, tangent_, by_q_, by_v_;
  std::vector<Eigen::MatrixXd> slopes_, slopes_end_;
  Eigen::VectorXd correction_, direction_, work_, next_, end_, expected_;
  DenseCholesky cholesky_;
  DenseLu lu_;
};

}  // namespace saltus
