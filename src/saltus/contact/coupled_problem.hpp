// The problem of blocks that are more than contacts between rigid bodies: joints, stops, contacts of bodies that
// deform, rows of a Lagrangian system.
//
//     v = v_free + Mhat^-1 sum_b H_b p_b,   Mhat block diagonal: one block per part
//     u_b = H_b^T v + shift_b + C_b r_b,    (r_b, u_b) in the set of block b (solvers/block_set.hpp)
//
// p is r, less the viscous part of a contact as in solvers/velocity_problem.hpp. Plain data: no bodies, no laws,
// no time.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/solvers/block_set.hpp"
#include "saltus/solvers/problem.hpp"

namespace saltus {

// Velocities between which Mhat^-1 is known: those of a rigid body, or of a system where blocks act on it.
struct CoupledPart {
  Eigen::MatrixXd inverse;   // Mhat^-1; zero: driven
  Eigen::VectorXd velocity;  // free in, solved out
};

struct CoupledEnd {
  int part = 0;
  std::vector<int> dofs;     // of the part; empty: all
  Eigen::MatrixXd jacobian;  // degrees of freedom x rows of the block
};

struct CoupledBlock {
  BlockSet set;
  double mu = 0, mu_r = 0;
  std::vector<CoupledEnd> ends;
  Eigen::VectorXd shift, compliance;  // per row
  Eigen::VectorXd unit;               // per row: 1, or the length (m) that makes rad/s a velocity
  double viscous = 0;                 // N s/m, on rows 1.. of a contact
  Eigen::VectorXd viscous_shift;      // added to u there; empty: none
  Eigen::VectorXd r;                  // warm start in, solution out
  Eigen::VectorXd p, u;               // out: what the parts feel, and H^T v
  double residual = 0;                // out: of its law, m/s

  int rows() const { return set.size; }
};

struct CoupledProblem {
  std::vector<CoupledPart> parts;
  std::vector<CoupledBlock> blocks;
  double mass = 1;  // kg: impulses are counted in units of it
};

// The canonical mixed problem, in units in which its natural map is the residual in m/s: r/(mass unit) for r,
// unit u for u. Its blocks are as wide as the widest.
ContactProblem build_canonical(const CoupledProblem& problem);
Eigen::VectorXd read_impulses(const CoupledProblem& problem, const ContactProblem& canonical);
// Takes r, and brings p, u and the velocities of the parts up to date (they must hold free velocities).
void write_impulses(const Eigen::VectorXd& r, const ContactProblem& canonical, CoupledProblem& problem);

// The global form, with M, H and f: blocks that are no contacts in `sets` (solvers/bilateral.hpp makes rows of G of
// them). A compliance becomes one more degree of freedom of mass 1/compliance. Throws InputError for viscous
// contacts, which would make M dense.
GlobalProblem build_global(const CoupledProblem& problem);

}  // namespace saltus
