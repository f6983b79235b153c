// The canonical frictional contact problem, and the global form it may come from.
//
//     local:   u = W r + b
//     global:  M v = H r + G l + f,   u = H^T v + w,   G^T v + c = 0
//
// with (r, u) in the contact law of `solvers/cone.hpp`, contact by contact. The local
// form is what solvers see; `condense` makes it from the global one.
//
// A mixed problem has blocks that are not contacts, or not all contacts of one kind: `sets` says, block by
// block, which set the impulse is in and how many components there are (block_set.hpp). "Contacts" are then
// blocks of any kind; mu and mu_r have an entry for each and are read where the set is Coulomb's.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "saltus/math/block_matrix.hpp"
#include "saltus/solvers/block_set.hpp"
#include "saltus/solvers/cone.hpp"

namespace saltus {

struct ContactProblem {
  ConeKind cone = ConeKind::coulomb_3d;
  BlockMatrix W;               // Delassus operator; need not be symmetric
  Eigen::VectorXd b;           // free relative velocity, with the shifts of the laws
  Eigen::VectorXd mu;          // per contact, >= 0
  Eigen::VectorXd mu_r;        // per contact, >= 0; empty unless the cone rolls
  std::vector<BlockSet> sets;  // per block; empty: all are contacts of `cone`

  bool is_mixed() const { return !sets.empty(); }
  int contacts() const { return static_cast<int>(mu.size()); }
  int size() const { return static_cast<int>(b.size()); }
  double rolling(int contact) const { return mu_r.size() ? mu_r[contact] : 0.0; }
};

struct GlobalProblem {
  ConeKind cone = ConeKind::coulomb_3d;
  Eigen::SparseMatrix<double> M;  // dof x dof
  Eigen::SparseMatrix<double> H;  // dof x (block * contacts)
  Eigen::SparseMatrix<double> G;  // dof x bilateral rows; may have no column
  Eigen::VectorXd f, w, c;        // dof; block * contacts; bilateral rows
  Eigen::VectorXd mu, mu_r;
  std::vector<BlockSet> sets;  // of the blocks of H, as in ContactProblem

  int contacts() const { return static_cast<int>(mu.size()); }
  int degrees_of_freedom() const { return static_cast<int>(M.rows()); }
  int bilateral() const { return static_cast<int>(G.cols()); }
};

// W = H^T M^-1 H and b = H^T M^-1 f + w, bilateral rows eliminated. Throws InputError
// when M (or the bilateral rows) is singular.
ContactProblem condense(const GlobalProblem& problem);

// Velocities and bilateral multipliers that go with contact impulses r.
struct GlobalSolution {
  Eigen::VectorXd v, l;
};
GlobalSolution compute_global_solution(const GlobalProblem& problem, const Eigen::VectorXd& r);

}  // namespace saltus
