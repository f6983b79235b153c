// A Lagrangian system by the trapezoidal rule on accelerations, as the Moreau-Jean schemes of Siconos have it:
//
//     M(q_1) (v_1 - v) = h ((1-theta) F(t, q, v) + theta F(t+h, q_1, v_1)) + P,    q_1 = q + h (theta v_1 + (1-theta) v)
//
// F is all of the right side: the terms that a mass M(q) brings (centrifugal, Coriolis) stand in it, nothing is derived. Use
// LagrangianSystem unless this very rule is wanted: it derives them and keeps energy.
//
// The equation is solved by Newton's method from (q + h v, v) on, with the matrix M - h theta dF/dv - (h theta)^2 dF/dq,
// which need not be symmetric. Blocks take part in each of its turns: they see v_1 = v_free + Mhat^-1 P with that matrix,
// and have their Jacobians where it was taken. It ends once the residual is within a tolerance, which may be loose.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>

#include "saltus/math/dense_factor.hpp"
#include "saltus/systems/lagrangian_model.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

class TrapezoidalSystem : public System {
 public:
  // Throws InputError: sizes that differ, M that cannot be solved with.
  TrapezoidalSystem(std::shared_ptr<const LagrangianModel> model, Eigen::VectorXd q, Eigen::VectorXd v,
                    double tolerance, std::string where);

  int degrees_of_freedom() const override { return static_cast<int>(q_.size()); }
  const Eigen::VectorXd& coordinates() const override { return q_; }
  const Eigen::VectorXd& velocity() const override { return v_; }
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { q_ = q, v_ = v; }

  void predict(const StepWeights& weights, double t, std::span<const double> gravity) override;
  const Eigen::VectorXd& free_velocity() const override { return free_; }
  Eigen::MatrixXd inverse_between(std::span<const int> dofs) override;
  bool is_linear() const override { return false; }
  double relinearise(const Eigen::VectorXd& impulse) override;
  const Eigen::VectorXd* linearised_at() const override { return &place_; }
  void correct(const Eigen::VectorXd& impulse) override;
  void solve_metric(bool by_mass, Eigen::VectorXd& x) override;
  void displace(const Eigen::VectorXd& d) override { q_ += d, moved_ += d; }
  // Adds up to round-off, and to the residual that Newton's method may leave.
  SystemEnergy audit() const override;
  std::string trouble() const override { return trouble_; }
  // Its forces hold what other systems derive: schemes that ask for M and F apart refuse it when a scene is read.
  std::unique_ptr<SmoothForm> smooth_form() const override;

 private:
  void evaluate();   // the residual at (place_, end_)
  void linearise();  // about (place_, end_)

  std::shared_ptr<const LagrangianModel> model_;
  double tolerance_;
  std::string where_;
  Eigen::VectorXd q_, v_, moved_;
  std::string trouble_;

  // Of the step at hand.
  StepWeights weights_;
  double time_ = 0;
  Eigen::VectorXd q0_, v0_, force0_, force_, place_, end_, residual_, free_, impulse_;
  Eigen::MatrixXd mass_, by_q_, by_v_, tangent_, inverse_;
  DenseLu lu_;
};

}  // namespace saltus
