// One residual for all solvers: the natural map of the canonical problem,
//
//     e_c = r_c - P_K(r_c - rho u~_c),   u~ = u + (mu |u_t| + mu_r |u_w|) n,
//
// in four scalings. The first three have rho = 1 and so depend on units.
//
//   absolute    |e|
//   relative_b  |e| / |b|                       (by 1 when b = 0)
//   siconos     |e| / max(|b|, |r|, |u|)        (Siconos' fc3d_compute_error)
//   scaled      |e^| with velocities in units of |b| and impulses in units of |b| / w,
//               w = mean of trace(W_cc) / block over contacts (normal and tangents).
//               Rolling components are brought to the same units by the length
//               sqrt(w / w_r). A change of units of mass, length or time leaves it alone.
//
// In a mixed problem K is the set of the block and u~ = u but for contacts; w is the mean over the contacts
// of Coulomb's, and each component of another block is brought to the same units by its own sqrt(w / W_ii)
// (a ball by one length for all its components).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "saltus/solvers/problem.hpp"

namespace saltus {

enum class ResidualKind { natural, relative_b, siconos, scaled };

std::optional<ResidualKind> parse_residual_kind(const std::string& name);
const char* name(ResidualKind kind);

struct Residuals {
  double absolute = 0, relative_b = 0, siconos = 0, scaled = 0;
  double of(ResidualKind kind) const;
};

Residuals compute_residuals(const ContactProblem& problem, const Eigen::VectorXd& r,
                            const Eigen::VectorXd& u);

// |e_c| of each block, as the problem is given (rho = 1).
Eigen::VectorXd compute_block_residuals(const ContactProblem& problem, const Eigen::VectorXd& r,
                                        const Eigen::VectorXd& u);

}  // namespace saltus
