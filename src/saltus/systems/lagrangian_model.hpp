// What a Lagrangian system of a few coordinates q is made of: the mass matrix of its kinetic energy 1/2 v.M(q)v, and
// forces F(t, q, v), with their first derivatives. Derive from it, or fill a CallbackModel; scenes have an
// ExpressionModel (systems/expression_model.hpp).
//
// Matrices and vectors come in with the size of the system; what they hold is replaced.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace saltus {

class LagrangianModel {
 public:
  virtual ~LagrangianModel() = default;

  virtual int size() const = 0;
  virtual std::string coordinate_name(int i) const { return std::string("q").append(std::to_string(i)); }

  // Symmetric, positive definite.
  virtual void fill_mass(const Eigen::VectorXd& q, Eigen::MatrixXd& mass) const = 0;
  // slopes[k] = dM/dq_k. Not asked for where M is constant.
  virtual bool has_constant_mass() const { return false; }
  virtual void fill_mass_slopes(const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes) const = 0;

  virtual void fill_force(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          Eigen::VectorXd& force) const = 0;
  // dF/dq and dF/dv. A step needs them to converge, not to be right: zero is allowed for forces that are soft in the
  // sense h^2 |dF/dq|, h |dF/dv| << |M|.
  virtual void fill_force_slopes(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::MatrixXd& by_q, Eigen::MatrixXd& by_v) const = 0;

  // The formula of an entry as a scene has it, for messages; empty: a program's own.
  virtual std::string mass_text(int, int) const { return {}; }
  virtual std::string force_text(int) const { return {}; }
};

// A model by functions of a program.
struct CallbackModel : LagrangianModel {
  int coordinates = 0;
  std::function<void(const Eigen::VectorXd& q, Eigen::MatrixXd& mass)> mass;
  std::function<void(const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes)>
      mass_slopes;  // none: M is constant
  std::function<void(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& force)>
      force;
  std::function<void(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::MatrixXd& by_q,
                     Eigen::MatrixXd& by_v)>
      force_slopes;  // none: taken for zero

  int size() const override { return coordinates; }
  void fill_mass(const Eigen::VectorXd& q, Eigen::MatrixXd& m) const override { mass(q, m); }
  bool has_constant_mass() const override { return !mass_slopes; }
  void fill_mass_slopes(const Eigen::VectorXd& q, std::vector<Eigen::MatrixXd>& slopes) const override {
    if (mass_slopes) mass_slopes(q, slopes);
  }
  void fill_force(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  Eigen::VectorXd& f) const override {
    f.setZero();
    if (force) force(t, q, v, f);
  }
  void fill_force_slopes(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::MatrixXd& by_q,
                         Eigen::MatrixXd& by_v) const override {
    by_q.setZero(), by_v.setZero();
    if (force_slopes) force_slopes(t, q, v, by_q, by_v);
  }
};

}  // namespace saltus
