// A linear system: M dv/dt + C v + K q = F(t) + M g, with constant matrices. A mechanical oscillator, a bar, a
// mesh of linear elements in small displacements.
//
// Mhat is factored once per weights; columns of its inverse are kept (kept_columns.hpp).
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/systems/kept_columns.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// A force that many degrees of freedom share: each gets its share of the value, N per unit of it.
struct SharedForce {
  std::vector<std::pair<int, double>> shares;
  TimeFunction value;
};

struct LinearModel {
  Eigen::SparseMatrix<double> M, C, K;              // C and K may be empty (0 x 0): none
  Eigen::VectorXd q, v;                             // at the start
  std::vector<std::pair<int, TimeFunction>> force;  // degree of freedom and its force
  std::vector<SharedForce> shared;
  std::vector<std::pair<int, Drive>> driven;  // locked or driven ones
  std::vector<int> direction;  // of space, per degree of freedom: gravity acts along it; -1 or empty: none
  std::vector<int> surface;    // degrees of freedom where blocks act as a rule; empty: not known
  std::string where;           // place in the input, opens error messages
};

// Throws InputError: sizes that differ, a matrix that is not symmetric, numbers that are not finite.
void check_model(const LinearModel& model);

// The rows and columns of a matrix that `place` gives one in the result (of that size), -1: none.
Eigen::SparseMatrix<double> keep_placed(const Eigen::SparseMatrix<double>& whole,
                                        const std::vector<int>& place, Eigen::Index size);

class LinearSystem : public System {
 public:
  explicit LinearSystem(LinearModel model);
  ~LinearSystem() override;

  const LinearModel& model() const { return model_; }
  int degrees_of_freedom() const override { return static_cast<int>(q_.size()); }
  const Eigen::VectorXd& coordinates() const override { return q_; }
  const Eigen::VectorXd& velocity() const override { return v_; }
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { q_ = q, v_ = v; }

  // Throws InputError when Mhat is not positive definite.
  void predict(const StepWeights& weights, double t, std::span<const double> gravity) override;
  const Eigen::VectorXd& free_velocity() const override { return free_; }
  Eigen::MatrixXd inverse_between(std::span<const int> dofs) override;
  void fill_inverse(std::span<const int> dofs, Eigen::MatrixXd& inverse) override;
  void correct(const Eigen::VectorXd& impulse) override;
  // Of a degree of freedom without mass Mhat tells how far it goes.
  void solve_metric(bool by_mass, Eigen::VectorXd& x) override;
  void displace(const Eigen::VectorXd& d) override { q_ += d, moved_ += d; }
  SystemEnergy audit() const override;
  Eigen::VectorXd support_force() const override;
  bool is_driven(int dof) const override { return is_driven_[static_cast<std::size_t>(dof)] != 0; }
  std::unique_ptr<SmoothForm> smooth_form() const override;

 private:
  struct Factor;
  void factorise();
  std::unique_ptr<Factor> build_factor(const Eigen::SparseMatrix<double>& whole) const;
  // v += Mhat^-1 impulse, where free; with the matrix of the factor.
  void add_solution(const Factor& factor, const Eigen::VectorXd& impulse, Eigen::VectorXd& v);
  void add_solution(const Eigen::VectorXd& impulse, Eigen::VectorXd& v) {
    add_solution(*factor_, impulse, v);
  }
  void fill_loads(double t, std::span<const double> gravity);
  void drive(double t);
  // Impulses of C and K in a step with this change of velocity.
  void add_drag(const Eigen::VectorXd& change, Eigen::VectorXd& impulse) const;
  void add_spring(const Eigen::VectorXd& change, Eigen::VectorXd& impulse) const;
  void fill_audit() const;

  LinearModel model_;
  Eigen::VectorXd q_, v_;
  std::vector<char> is_driven_;
  std::vector<int> free_place_;  // of a degree of freedom among the free ones; -1: driven
  std::vector<int> free_dofs_;
  StepWeights weights_;
  std::unique_ptr<Factor> factor_;  // of the weights of the last step
  KeptColumns columns_;             // of Mhat^-1
  // Of the step at hand.
  Eigen::VectorXd free_, q0_, v0_, applied_, weight_, gravity_load_, impulse_, displacement_;
  Eigen::VectorXd moved_;  // since `correct`
  Eigen::VectorXd permuted_, work_;
  // Impulses of an audit, and the mean velocity they act along; kept for the next one.
  struct Audit {
    Eigen::VectorXd change, momentum, start, drag, spring, path, held;
  };
  mutable Audit audit_;
};

}  // namespace saltus
