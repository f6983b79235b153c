// M(q) w = F(t, q, v) - C v - K q - convective terms, of systems/lagrangian_system.hpp:
//
//     (dM/dt v)_i - 1/2 v.dM/dq_i v
//
// The derivative of M(q) w in q is left out of the tangent K: O(h^2) of it counts in a step.
#pragma once

#include <array>

#include "saltus/math/dense_factor.hpp"
#include "saltus/systems/lagrangian_system.hpp"
#include "saltus/systems/smooth_form.hpp"

namespace saltus {

class LagrangianSmoothForm : public SmoothForm {
 public:
  explicit LagrangianSmoothForm(const LagrangianSystem& system);

  bool is_linear() const override { return false; }
  bool has_constant_mass() const override { return model_.has_constant_mass(); }
  bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                std::span<const double> gravity) override;
  void add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const override;
  void add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                   Eigen::VectorXd& y) const override;
  bool factorise(Operator which, double damping, double stiffness) override;
  void solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override;
  void solve_symmetric(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override;
  void fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) override;
  double stored(const Eigen::VectorXd& q) const override;
  double potential(const Eigen::VectorXd&) const override { return 0; }

 private:
  void fill_tangents(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  const LagrangianSystem& system_;
  const LagrangianModel& model_;
  Eigen::MatrixXd mass_, by_q_, by_v_, whole_;
  std::vector<Eigen::MatrixXd> slopes_;
  Eigen::VectorXd work_;
  struct Factor {
    DenseLu lu;
    Eigen::MatrixXd inverse;  // of the symmetric part
  };
  std::array<Factor, kOperators> factors_;
  DenseCholesky cholesky_;
};

}  // namespace saltus
