// A linear system: M dv/dt + C v + K q = F(t) + M g, with constant matrices. A mechanical oscillator, a bar, a
// mesh of linear elements in small displacements.
//
// Mhat is factored once per weights, and a column of its inverse is kept once a block has asked for it: blocks
// come back at the same degrees of freedom.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

struct LinearModel {
  Eigen::SparseMatrix<double> M, C, K;              // C and K may be empty (0 x 0): none
  Eigen::VectorXd q, v;                             // at the start
  std::vector<std::pair<int, TimeFunction>> force;  // degree of freedom and its force
  std::vector<std::pair<int, Drive>> driven;        // locked or driven ones
  std::vector<int> direction;  // of space, per degree of freedom: gravity acts along it; -1 or empty: none
  std::string where;           // place in the input, opens error messages
};

// Throws InputError: sizes that differ, a matrix that is not symmetric, numbers that are not finite.
void check_model(const LinearModel& model);

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
  SystemEnergy audit() const override;

 private:
  struct Factor;
  void factorise();
  const Eigen::VectorXd& inverse_column(int dof);
  void add_solution(const Eigen::VectorXd& impulse, Eigen::VectorXd& v);  // v += Mhat^-1 impulse, where free
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
  std::unique_ptr<Factor> factor_;                         // of the weights of the last step
  std::vector<std::unique_ptr<Eigen::VectorXd>> columns_;  // of Mhat^-1, where asked for
  // Of the step at hand.
  Eigen::VectorXd free_, q0_, v0_, applied_, weight_, gravity_load_, impulse_, displacement_;
  Eigen::VectorXd permuted_, work_;
  // Impulses of an audit, and the mean velocity they act along; kept for the next one.
  struct Audit {
    Eigen::VectorXd change, momentum, start, drag, spring, path, held;
  };
  mutable Audit audit_;
};

}  // namespace saltus
