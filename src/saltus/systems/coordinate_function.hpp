// A number that follows from the coordinates of a system, and perhaps from time: a gap, a constraint, a coordinate
// along a tangent, a coordinate of a point. f(q, t), with its exact derivatives.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

class CoordinateFunction {
 public:
  virtual ~CoordinateFunction() = default;

  // Coordinates that it depends on, ascending.
  const std::vector<int>& dofs() const { return dofs_; }
  virtual double value(const Eigen::VectorXd& q, double t) const = 0;
  // df/dq for each of dofs() into `gradient`, which has their number, and df/dt. Returns f.
  virtual double evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                          double& rate) const = 0;
  virtual bool has_time() const { return false; }  // t stands in it
  // As a scene has it; empty: a program's own.
  virtual std::string text() const { return {}; }

 protected:
  explicit CoordinateFunction(std::vector<int> dofs) : dofs_(std::move(dofs)) {}

 private:
  std::vector<int> dofs_;
};

// row . q + offset.
class LinearFunction : public CoordinateFunction {
 public:
  // Degrees of freedom and coefficients, sorted, none twice.
  LinearFunction(const std::vector<std::pair<int, double>>& row, double offset);
  double value(const Eigen::VectorXd& q, double t) const override;
  double evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                  double& rate) const override;

 private:
  std::vector<double> factors_;
  double offset_;
};

// A function of the program: `f(q, t, gradient, rate)` returns the value and fills the derivatives in the coordinates
// `dofs`.
class CallbackFunction : public CoordinateFunction {
 public:
  using Callback =
      std::function<double(const Eigen::VectorXd&, double, Eigen::Ref<Eigen::VectorXd>, double&)>;
  CallbackFunction(std::vector<int> dofs, Callback f)
      : CoordinateFunction(std::move(dofs)), f_(std::move(f)) {}
  double value(const Eigen::VectorXd& q, double t) const override;
  double evaluate(const Eigen::VectorXd& q, double t, Eigen::Ref<Eigen::VectorXd> gradient,
                  double& rate) const override {
    return f_(q, t, gradient, rate);
  }

 private:
  Callback f_;
};

}  // namespace saltus
