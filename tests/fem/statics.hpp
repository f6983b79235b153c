// Equilibrium of a body under given displacements and forces, by Newton's method.
#pragma once

#include <functional>

#include "saltus/fem/continuum.hpp"

namespace saltus::testing {

// Degrees of freedom that are held.
class Held {
 public:
  explicit Held(int dofs) : held_(dofs, 0) {}
  Held& hold(const std::vector<int>& nodes, int direction, int dim);
  std::vector<int> free() const;

 private:
  std::vector<char> held_;
};

struct StaticResult {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  // N
};

// Follower loads: adds forces at q, and the triplets of their derivative.
using FollowingLoad = std::function<void(const Eigen::VectorXd& q, Eigen::VectorXd& force,
                                         std::vector<Eigen::Triplet<double>>& tangent)>;

// Finds q on the free degrees of freedom, the others keep what q holds. Converged: residual below `tolerance` times
// the largest internal force.
template <int Dim>
StaticResult solve_statics(Continuum<Dim>& body, const std::vector<int>& free, const Eigen::VectorXd& load,
                           double duration, Eigen::VectorXd& q, double tolerance = 1e-11,
                           const FollowingLoad& following = {});

}  // namespace saltus::testing
