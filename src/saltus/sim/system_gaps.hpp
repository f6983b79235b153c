// Systems of a scene made into those of a simulation, with the gaps and constraints that become blocks.
//
// A row f(q, t) moves with u = H^T v + df/dt, H = df/dq. Where functions are taken is up to jacobian_at: at
// (q + (1-theta) h v, t + (1-theta) h), at the start, or the gap and u- at the start and H at q + h v. A gap gives its
// law what a contact does, and its block a shift of df/dt more. A constraint c holds on the velocity that displaces,
//
//     theta (u + c / max(T, h)) + (1-theta) (u- - w) = 0,    T the time of stabilisation (0: no such term)
//
// w is what the step leaves behind of the velocity that breaks the constraint at its start, H^T v + df/dt there: all of it where
// it is of order one (a formula with a kink, the start of a run), what alternates where it is of order h^2 (smooth motion).
// Without it such a velocity would change its sign in every step and never decay. Its work is that of c and w, and what moves a
// row in time does the work -r df/dt, which counts among the drives.
// Under a scheme whose laws hold on positions a gap is linearised at the end of the free step, and its law is told
// g(q_(k+1)), to second order in what the impulses move, and g(q_(k-1)); a constraint holds there, c(q_(k+1)) = 0.
#pragma once

#include "saltus/sim/simulation_model.hpp"

namespace saltus {

struct RowValues {
  Eigen::Vector3d value = Eigen::Vector3d::Zero(), rate = Eigen::Vector3d::Zero();
};
// Values, df/dt and H (dofs x rows) of all rows.
RowValues evaluate_rows(const SystemGap& gap, const Eigen::VectorXd& q, double t, Eigen::MatrixXd& jacobian);
std::string describe_gap(const SystemGap& gap);  // its name and formula
// What to say of a gap, or a derivative of it, that is not finite.
std::string describe_not_finite(const SystemGap& gap, double t, const Eigen::VectorXd& q);
// Gaps that overlap at the start, a sentence each.
std::vector<std::string> describe_overlaps(const std::vector<SystemGap>& gaps);

template <int Dim>
void add_linear_system(const SceneLinearSystem& from, SimulationModel<Dim>& model, CoupledState<Dim>& state);
template <int Dim>
void add_lagrangian_system(const SceneLagrangianSystem<Dim>& from, SimulationModel<Dim>& model,
                           CoupledState<Dim>& state);

}  // namespace saltus
