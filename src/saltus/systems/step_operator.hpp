// Mhat = mass M + damping C + stiffness K of a body whose tangent K changes: its pattern and order are found once, its factors made
// anew as often as one likes. On the degrees of freedom that are free; where they are driven nothing moves.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "saltus/math/definite_factor.hpp"
#include "saltus/math/general_factor.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

class StepOperator {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  // M and C are those of the model, which has to stay; of K the pattern is looked at.
  StepOperator(const LinearModel& model, const Sparse& tangent, const std::vector<char>& is_driven);

  // Of K the symmetric part. False: not positive definite.
  bool factorise(double mass, double damping, double stiffness, const Sparse& tangent,
                 DefiniteFactor& factor);
  // The same of a body that only its contacts hold, with springs where they are, which change the matrix of Newton's method and
  // nothing of what it converges to: along the impulse of each node (so many entries), as stiff as the node itself or more; where that
  // does not suffice, or no impulse is known yet, in all directions of all nodes, a part of that. As weak as suffices. False: none does.
  bool factorise_held(double mass, double damping, double stiffness, const Sparse& tangent,
                      const Eigen::VectorXd& impulse, int entries, DefiniteFactor& factor);
  // All of K, and of what else hangs on q (`others`, whose places do not change): symmetric or not. False: its symmetric part is
  // not positive definite, and a step by it may lead to an equilibrium that does not hold.
  bool factorise(double mass, double damping, double stiffness, const Sparse& tangent,
                 std::span<const Eigen::Triplet<double>> others, GeneralFactor& factor);
  // v += factor^-1 impulse
  void add_solution(const DefiniteFactor& factor, const Eigen::VectorXd& impulse, Eigen::VectorXd& v);
  void add_solution(const GeneralFactor& factor, const Eigen::VectorXd& impulse, Eigen::VectorXd& v);
  Eigen::MatrixXd inverse_between(const DefiniteFactor& factor, std::span<const int> dofs);
  // y += Mhat x, as last factorised.
  void add_product(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;

 private:
  std::vector<int> locate(const Sparse& matrix) const;
  void gather(const Eigen::VectorXd& impulse);
  void scatter(Eigen::VectorXd& v) const;
  void add(double weight, const Sparse& matrix, const std::vector<int>& place);
  void fill(double mass, double damping, double stiffness, const Sparse& tangent);
  double* entry(int row, int column);  // of lower_; null: not in its pattern
  void add_springs(int first, const Eigen::VectorXd& impulse, double along, double everywhere);

  const LinearModel* model_;
  std::vector<int> free_place_, free_dofs_;
  // The lower triangle, and where the entries of M, C and K go in it; -1: nowhere. Entries off the diagonal bring half of what they
  // are, twice.
  Sparse lower_;
  std::vector<int> mass_place_, damping_place_, tangent_place_;
  std::vector<double> without_springs_;  // entries of lower_
  Eigen::VectorXd reduced_;
  DefiniteFactor symmetric_part_;
};

}  // namespace saltus
