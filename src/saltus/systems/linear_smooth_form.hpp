// M w = F(t) + M g - C v - K q, with constant matrices: systems/linear_system.hpp.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <vector>

#include "saltus/math/definite_factor.hpp"
#include "saltus/systems/linear_system.hpp"
#include "saltus/systems/smooth_form.hpp"

namespace saltus {

class LinearSmoothForm : public SmoothForm {
 public:
  explicit LinearSmoothForm(const LinearModel& model);

  bool is_linear() const override { return true; }
  bool has_constant_mass() const override { return true; }
  bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                std::span<const double> gravity) override;
  void add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const override;
  void add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                   Eigen::VectorXd& y) const override;
  bool factorise(Operator which, double damping, double stiffness) override;
  void solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override;
  void solve_symmetric(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override {
    solve(which, rhs, x);
  }
  void fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) override;
  bool is_driven(int dof) const override { return free_place_[dof] < 0; }
  void drive(double t, double h, const Eigen::VectorXd& v0, Eigen::VectorXd& v1,
             Eigen::VectorXd& displacement) const override;
  double stored(const Eigen::VectorXd& q) const override;
  double potential(const Eigen::VectorXd& q) const override { return -parts_.gravity.dot(q); }

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  struct Factor {
    double damping = -1, stiffness = -1;
    DefiniteFactor solver;
    KeptColumns columns;  // of A^-1
  };

  const LinearModel& model_;
  std::vector<int> free_place_, free_dofs_;
  std::array<std::unique_ptr<Factor>, kOperators> factors_;
  Eigen::VectorXd work_, reduced_;
};

}  // namespace saltus
