// A system as the equation M(q) w = f(t, q, v) of its accelerations: what schemes that carry accelerations ask for
// (schemes/generalized_alpha.hpp). A form is made from a system and keeps no state of the motion but the point where it was
// evaluated last: M, f and the tangents C = -df/dv, K = -df/dq are those of that point.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

namespace saltus {

// f by kind, N. The convective terms of M(q) are part of f and none of these: their work is the change of M in v.Mv/2.
struct SmoothForces {
  Eigen::VectorXd gravity, applied, drag, spring;
};

// What materials dissipated in the last accepted step, and hold of plastic flow at its end, J.
struct SmoothLosses {
  double plastic = 0, viscous = 0, hardening = 0;
};

class SmoothForm {
 public:
  // Operators A = M + damping C + stiffness K that are kept side by side.
  enum Operator { smooth, position, velocity, plain };
  static constexpr int kOperators = 4;

  virtual ~SmoothForm() = default;

  virtual bool is_linear() const = 0;
  virtual bool has_constant_mass() const = 0;
  // False: something is not finite; `trouble` says what.
  virtual bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        std::span<const double> gravity) = 0;
  // The last evaluated point is the end of a step: what remembers goes on from there.
  virtual void accept() {}
  virtual SmoothLosses losses() const { return {}; }
  const Eigen::VectorXd& force() const { return force_; }
  const SmoothForces& parts() const { return parts_; }
  // y += factor M x;   y += (damping C + stiffness K) x.
  virtual void add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const = 0;
  virtual void add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                           Eigen::VectorXd& y) const = 0;
  // Of the point of the last `evaluate`. Linear ones keep what they have while the weights are the same. False: singular.
  virtual bool factorise(Operator which, double damping, double stiffness) = 0;
  // A^-1 of all of A, and of its symmetric part as blocks see it; zero where driven.
  virtual void solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) = 0;
  virtual void solve_symmetric(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) = 0;
  // A^-1 between these degrees of freedom: rows and columns in their order. The matrix keeps its memory.
  virtual void fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) = 0;

  virtual bool is_driven(int) const { return false; }
  // Velocities and displacements of driven coordinates in the step from t to t + h; others are left alone.
  virtual void drive(double, double, const Eigen::VectorXd&, Eigen::VectorXd&, Eigen::VectorXd&) const {}

  virtual double stored(
      const Eigen::VectorXd& q) const = 0;  // J, in springs, at the start or the end of the last step
  virtual double potential(const Eigen::VectorXd& q) const = 0;
  const std::string& trouble() const { return trouble_; }

 protected:
  Eigen::VectorXd force_;
  SmoothForces parts_;
  std::string trouble_;
};

}  // namespace saltus
