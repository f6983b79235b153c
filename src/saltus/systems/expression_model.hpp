// Lagrangian systems by formulas: M of the coordinates, forces of time, coordinates and velocities, functions of
// coordinates and time. Derivatives are those of the formulas, exact.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/math/expression.hpp"
#include "saltus/systems/coordinate_function.hpp"
#include "saltus/systems/lagrangian_model.hpp"
#include "saltus/systems/system_names.hpp"

namespace saltus {

// A formula of the coordinates and t. Throws InputError where the text is wrong, with `where` before it.
class ExpressionFunction : public CoordinateFunction {
 public:
  ExpressionFunction(const std::string& text, const SystemNames& names, const std::string& where = {});
  double value(const Eigen::VectorXd& q, double t) const override;
  double evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                  double& rate) const override;
  bool has_time() const override { return has_time_; }
  std::string text() const override { return expression_.text(); }

 private:
  ExpressionFunction(Expression expression, int size);
  void gather(const Eigen::VectorXd& q, double t) const;

  Expression expression_;
  bool has_time_ = false;
  mutable std::vector<double> variables_, slopes_;  // kept, so that nothing is allocated in a step
};

class ExpressionModel : public LagrangianModel {
 public:
  // The mass by rows (its lower half is not looked at beyond being the mirror of the upper one), a force per
  // coordinate; `where` of each, or none. Throws InputError.
  struct Text {
    std::string text, where;
  };
  ExpressionModel(SystemNames names, const std::vector<std::vector<Text>>& mass,
                  const std::vector<Text>& force);

  int size() const override { return names_.size(); }
  std::string coordinate_name(int i) const override { return names_.coordinates[i]; }
  void fill_mass(const Eigen::VectorXd& q, Eigen::MatrixXd& mass) const override;
  bool has_constant_mass() const override { return constant_mass_; }
  void fill_mass_slopes(const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes) const override;
  void fill_force(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  Eigen::VectorXd& force) const override;
  void fill_force_slopes(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::MatrixXd& by_q,
                         Eigen::MatrixXd& by_v) const override;
  std::string mass_text(int i, int j) const override { return mass_[i * size() + j].text(); }
  std::string force_text(int i) const override { return force_[i].text(); }

 private:
  void gather(double t, const Eigen::VectorXd& q, const Eigen::VectorXd* v) const;

  SystemNames names_;
  std::vector<Expression> mass_, force_;  // n x n of q; n of (q, v, t)
  bool constant_mass_ = true;
  mutable std::vector<double> variables_, slopes_;
};

}  // namespace saltus
