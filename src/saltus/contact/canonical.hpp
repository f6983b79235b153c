// The same contact problem in the forms other solvers and files want: the canonical u = W r + b with its
// block matrix, and the global one with M, H and f.
//
// With `scaled`, impulses are counted in units of the mean mass m and lengths of rotation in
// units of the problem's length: r/m for r, m W for W. The natural map of the scaled problem with
// rho = 1 is then the residual of velocity_sweeps.hpp, in m/s.
#pragma once

#include <Eigen/Core>

#include "saltus/solvers/problem.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

enum class ProblemUnits { physical, scaled };

// H of a contact on one of its bodies: columns are the velocities (v, w) that a unit of each row of u asks for,
// positive on b (`second`), negative on a. And M^-1 of a body.
template <int Dim>
Eigen::MatrixXd contact_jacobian(const SweepContact<Dim>& contact, bool second, int rows);
template <int Dim>
Eigen::MatrixXd inverse_mass_matrix(const SweepBody<Dim>& body);

// Bodies of the velocity problem hold free velocities. Viscous contacts couple their bodies: W is then that
// of M + H V H^T, dense among the contacts that viscous ones connect.
template <int Dim>
ContactProblem build_contact_problem(const VelocityProblem<Dim>& problem, ProblemUnits units);

// Whether some contact is viscous, and so many contacts are there that W, dense, is out of reach (288 MB):
// only the velocity form will do.
template <int Dim>
bool is_too_dense(const VelocityProblem<Dim>& problem);

// Degrees of freedom are those with a finite mass, body by body; a compliance becomes one more degree of
// freedom of mass 1/compliance.
template <int Dim>
GlobalProblem build_global_problem(const VelocityProblem<Dim>& problem);

// Impulses of the problem as a vector of blocks, in the given units, and back: writing them also brings
// the velocities of the bodies up to date (they must hold free velocities).
template <int Dim>
Eigen::VectorXd read_impulses(const VelocityProblem<Dim>& problem, ProblemUnits units);
template <int Dim>
void write_impulses(const Eigen::VectorXd& r, ProblemUnits units, VelocityProblem<Dim>& problem);

}  // namespace saltus
