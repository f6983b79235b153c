// Systems of a scene made into those of a simulation, with the gaps and constraints that become blocks.
//
// A row f(q, t) moves with u = H^T v + df/dt, H = df/dq. Where functions are taken is up to jacobian_at: at
// (q + (1-theta) h v, t + (1-theta) h), at the start, or the gap and u- at the start and H at q + h v. A gap gives its
// law what a contact does, and its block a shift of df/dt more. A constraint c holds on the velocity that displaces,
//
//     theta u + (1-theta) u- = -c / max(T, h),    T the time of stabilisation
//
// and in its first step with u- less what the start was off. Its work is that of c (none with T = 0), and what moves a
// row in time does the work -r df/dt, which counts among the drives.
#pragma once

#include "saltus/sim/simulation_model.hpp"

namespace saltus {

template <int Dim>
void add_linear_system(const SceneLinearSystem& from, SimulationModel<Dim>& model, CoupledState<Dim>& state);
template <int Dim>
void add_lagrangian_system(const SceneLagrangianSystem<Dim>& from, SimulationModel<Dim>& model,
                           CoupledState<Dim>& state);

}  // namespace saltus
