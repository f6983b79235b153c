#include <cmath>

#include "saltus/sim/simulation_engine.hpp"
#include "saltus/sim/tied_gain.hpp"

namespace saltus {

namespace {

// The impulse a law of impact and friction is answerable for, without the pull of a bond.
template <int Dim>
Vec<Dim> rigid_impulse(const Contact<Dim>& c) {
  Vec<Dim> p = c.impulse;
  p[0] += c.terms.pull;
  return p;
}

// norm() by the scalar square root: the instructions of Eigen's own are at times ones valgrind cannot decode,
// and then nothing counts them.
template <class Vector>
double length(const Vector& v) {
  return std::sqrt(v.squaredNorm());
}

template <int Dim>
void add_contact_energy(const Contact<Dim>& c, const VelocityProblem<Dim>& problem,
                        const std::vector<BodyVelocity<Dim>>& start, std::int64_t index,
                        ContactEnergy& energy) {
  const SweepContact<Dim>& row = problem.contacts[c.row];
  const SweepBody<Dim>&a = problem.bodies[c.a], &b = problem.bodies[c.b];
  const Vec<Dim> p = rigid_impulse(c), u_hat = c.velocity + row.shift;
  const Spin<Dim> spin = relative_spin<Dim>(a, b), spin_start = relative_spin<Dim>(start[c.a], start[c.b]);
  const double impulse = std::hypot(p.norm(), c.moment().norm() / problem.length);
  const double turning =
      problem.rolling ? (problem.length + row.mu_r) * (length(spin) + length(row.shift_spin)) : 0.0;
  const double velocity = length(u_hat) + row.mu * length(u_hat.template tail<Dim - 1>()) + turning;
  const double speeds = point_velocity<Dim>(a, row.arm_a).norm() + point_velocity<Dim>(b, row.arm_b).norm();
  energy.add(p.dot(c.velocity) + c.moment().dot(spin),
             p.dot(c.input.u.template head<Dim>()) + c.moment().dot(spin_start),
             impulse + problem.mass * velocity, impulse * speeds, index);
}

// P . M^-1 P of one body.
template <int Dim>
double impulse_energy(const SweepBody<Dim>& of, const Vec<Dim>& p, const Spin<Dim>& turn) {
  SweepBody<Dim> body = of;
  Eigen::Map<Vec<Dim>> v(body.v);
  Eigen::Map<Spin<Dim>> w(body.w);
  v.setZero();
  w.setZero();
  add_impulse(body, p, turn);
  return p.dot(v) + turn.dot(w);
}

}  // namespace

template <int Dim>
void Simulation<Dim>::Engine::keep_rigid_impulses() {
  if (!model.is_soft) return;
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    if (c.row < 0) continue;
    const SweepContact<Dim>& row = work.problem.contacts[c.row];
    const bool elastic = is_layer(c.law->kind) || c.law->kind == LawKind::pressure;
    const Vec<Dim> soft = elastic ? Vec<Dim>(row.axes() * c.impulse) : Vec<Dim>(-c.terms.pull * c.normal);
    work.contact_impulse[c.a] += soft;
    work.contact_impulse[c.b] -= soft;
    const Spin<Dim> turn = elastic ? c.moment() : Spin<Dim>(Spin<Dim>::Zero());
    work.contact_moment[c.a] += moment(row.arm_a, soft) + turn;
    work.contact_moment[c.b] -= moment(row.arm_b, soft) + turn;
  }
}

// Of the impulses that are left in contact_impulse, on facets.
template <int Dim>
void Simulation<Dim>::Engine::sum_dipoles() {
  if (work.parts.surface_of.empty()) return;
  work.parts.dipole.assign(work.parts.surface_of.size(), Mat<Dim>::Zero());
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    if (c.row < 0 || is_layer(c.law->kind) || c.law->kind == LawKind::pressure) continue;
    const SweepContact<Dim>& row = work.problem.contacts[c.row];
    const Vec<Dim> p = row.axes() * rigid_impulse(c);
    if (work.parts.surface_of[c.a] >= 0) work.parts.dipole[c.a] -= p * row.arm_a.transpose();
    if (work.parts.surface_of[c.b] >= 0) work.parts.dipole[c.b] += p * row.arm_b.transpose();
  }
}

template <int Dim>
void Simulation<Dim>::Engine::audit_gain(StepReport& report) {
  if (!work.scheme.ends_impacts()) return;
  keep_rigid_impulses();
  sum_dipoles();
  work.groups.build(work.problem, work.parts.coupling.ties());
  work.group_energy.assign(static_cast<std::size_t>(work.groups.count()), {});
  std::int64_t index = -1;
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    ++index;
    if (c.row >= 0 && !is_layer(c.law->kind) && c.law->kind != LawKind::pressure)
      add_contact_energy<Dim>(c, work.problem, work.motion.start, index,
                              work.group_energy[work.groups.group_of_contact(c.row)]);
  }
  double largest = 0;
  const std::vector<int>& follower_of = work.parts.coupling.follower_of;
  const auto is_point_of_system = [&](int slot) {
    return slot < static_cast<int>(follower_of.size()) && follower_of[slot] >= 0;
  };
  for (int g = 0; g < work.groups.count(); ++g) {
    ContactEnergy& energy = work.group_energy[g];
    const bool coupled = work.groups.is_coupled(g);
    const int block = coupled
                          ? add_tied_energy<Dim>(work.parts.coupling, work.groups.blocks(g),
                                                 work.groups.bodies(g), work.problem.mass,
                                                 {work.motion.start, work.parts.start, work.contact_impulse,
                                                  work.contact_moment, work.parts.tied, work.parts.dipole},
                                                 energy)
                          : -1;
    for (const int s : work.groups.bodies(g))
      if (!coupled || !is_point_of_system(s))
        energy.self +=
            impulse_energy<Dim>(work.problem.bodies[s], work.contact_impulse[s], work.contact_moment[s]);
    const double gain = energy.gain();
    // Most groups end here, without a look at their residual.
    if (!(gain > energy.round_off()) || (energy.best_contact < 0 && block < 0)) continue;
    const double residual = coupled ? report.residual_max * std::sqrt(static_cast<double>(energy.count))
                                    : compute_residual_norm<Dim>(work.problem, work.groups.contacts(g));
    if (!(gain > energy.uncertainty(residual))) continue;
    report.energy.gain += gain;
    ++report.gain_groups;
    if (!(gain > largest)) continue;
    largest = gain;
    report.gain_contact = block < 0 ? energy.best_contact : -1;
    report.gain_a = report.gain_b = -1;
    report.gain_gap = -1;
    for (std::size_t i = 0; block >= 0 && i < work.parts.gaps.size(); ++i)
      if (work.parts.gaps[i].block == block) report.gain_gap = static_cast<int>(i);
    if (report.gain_contact < 0) continue;
    const Contact<Dim>& c = state.contacts.contacts()[static_cast<std::size_t>(energy.best_contact)];
    report.gain_a = state.bodies.id[c.a];
    report.gain_b = state.bodies.id[c.b];
  }
}

template void Simulation<2>::Engine::keep_rigid_impulses();
template void Simulation<3>::Engine::keep_rigid_impulses();
template void Simulation<2>::Engine::sum_dipoles();
template void Simulation<3>::Engine::sum_dipoles();
template void Simulation<2>::Engine::audit_gain(StepReport&);
template void Simulation<3>::Engine::audit_gain(StepReport&);

}  // namespace saltus
