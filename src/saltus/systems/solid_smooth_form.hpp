// M w = F(t) + M g - C v - f(q) of a deformable body that is not linear (systems/solid_system.hpp).
//
// Materials go from the last accepted point to the one that is evaluated, in the time between the two; `accept` makes that the end of
// the step. f is then a function of q alone, and what a viscous material takes for its velocity is the mean one of the step.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "saltus/systems/kept_operator.hpp"
#include "saltus/systems/smooth_form.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {

template <int Dim>
class SolidSmoothForm : public SmoothForm {
 public:
  // Refers to the models.
  SolidSmoothForm(const SolidModel<Dim>& model, const LinearModel& linear,
                  std::shared_ptr<InternalForces> elements);

  bool is_linear() const override { return false; }
  bool has_constant_mass() const override { return true; }
  bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                std::span<const double> gravity) override;
  void accept() override;
  void add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const override;
  void add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                   Eigen::VectorXd& y) const override;
  // The symmetric part; where K makes it indefinite, without K.
  bool factorise(Operator which, double damping, double stiffness) override;
  void solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override {
    factors_[which].solve(free_dofs_, rhs, x);
  }
  void solve_symmetric(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override {
    factors_[which].solve(free_dofs_, rhs, x);
  }
  void fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) override;
  bool is_driven(int dof) const override { return free_place_[dof] < 0; }
  void drive(double t, double h, const Eigen::VectorXd& v0, Eigen::VectorXd& v1,
             Eigen::VectorXd& displacement) const override;
  // Of the last accepted point, or else of the one before.
  double stored(const Eigen::VectorXd& q) const override { return q == end_ ? end_stored_ : start_stored_; }
  double potential(const Eigen::VectorXd& q) const override { return -parts_.gravity.dot(q); }
  SmoothLosses losses() const override { return losses_; }

 private:
  const SolidModel<Dim>& model_;
  const LinearModel& linear_;
  std::shared_ptr<InternalForces> elements_;
  std::vector<int> free_place_, free_dofs_;
  std::optional<double> accepted_time_;
  double time_ = 0;  // of the last evaluated point
  Eigen::VectorXd point_, end_;
  double start_stored_ = 0, end_stored_ = 0;
  SmoothLosses losses_;
  std::array<KeptOperator, kOperators> factors_;
  std::array<bool, kOperators> has_mass_{};  // the factor is that of M, which stays
  Eigen::VectorXd work_, column_;
};

extern template class SolidSmoothForm<2>;
extern template class SolidSmoothForm<3>;

}  // namespace saltus
