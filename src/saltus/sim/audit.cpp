#include <algorithm>
#include <cmath>

#include "saltus/dynamics/largest_number.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/solvers/paradox.hpp"

namespace saltus {

namespace {

double sum_of_parts(const EnergyBalance& e) {
  return e.gravity + e.forces + e.drives + e.damping + e.plastic + e.viscous + e.gyroscopic + e.impact +
         e.friction + e.elastic + e.cohesion + e.joints + e.projection + e.scheme;
}

double size_of_parts(const EnergyBalance& e) {
  double size = 0;
  for (const double part : {e.gravity, e.forces, e.drives, e.damping, e.plastic, e.viscous, e.gyroscopic,
                            e.impact, e.friction, e.elastic, e.cohesion, e.joints, e.projection, e.scheme})
    size += std::abs(part);
  return size;
}

Inertia<2> axes_of(const Pose<2>&, const Inertia<2>& inertia) { return inertia; }
Inertia<3> axes_of(const Pose<3>& pose, const Inertia<3>& inertia) {
  const Mat<3> turn = pose.rotation();
  return turn * inertia * turn.transpose();
}

// Work of one contact, by kind, on the velocity at k+theta taken with the H of the solve.
template <int Dim>
void add_contact_work(const Contact<Dim>& c, const Spin<Dim>& spin, double theta, EnergyBalance& energy) {
  const Vec<Dim> u = theta * c.velocity + (1 - theta) * c.input.u.template head<Dim>();
  const double pull = -c.terms.pull * u[0];
  const double normal = c.impulse[0] * u[0] - pull;
  const double tangent =
      c.impulse.template tail<Dim - 1>().dot(u.template tail<Dim - 1>()) + c.moment().dot(spin);
  energy.scale += std::abs(pull) + std::abs(normal) + std::abs(tangent);
  if (c.law->kind == LawKind::pressure) {
    energy.forces += normal;
    energy.friction += tangent;
    return;
  }
  if (is_layer(c.law->kind)) {  // the bond is part of the layer
    energy.elastic += pull + normal + tangent;
    energy.elastic_stored += stored_energy(*c.law, c.gap_end, c.history);
    return;
  }
  energy.cohesion += pull;
  energy.impact += normal;
  energy.friction += tangent;
}

// One body in the axes of the step.
template <int Dim>
struct BodyWork {
  Vec<Dim> v0, v1;
  Spin<Dim> w0, w1;
  Inertia<Dim> inertia;

  BodyWork(const FreeMotion<Dim>& motion, const SweepBody<Dim>& solved, const BodyModel<Dim>& model, int slot)
      : v0(Eigen::Map<const Vec<Dim>>(motion.start[slot].v)),
        v1(Eigen::Map<const Vec<Dim>>(solved.v)),
        w0(Eigen::Map<const Spin<Dim>>(motion.start[slot].w)),
        w1(Eigen::Map<const Spin<Dim>>(solved.w)),
        inertia(axes_of(motion.detection[slot], model.inertia)) {}
};

// Squares and products of it stay finite: up to the size that numbers of a scene may have.
template <class Vector>
bool is_sound(const Vector& v) {
  return (v.array().abs() <= kLargestNumber).all();
}

struct Momentum {
  double defect = 0, before = 0, change = 0, applied = 0, contact = 0;
  void add(double d, double b, double c, double a, double r) {
    defect += d * d, before += b * b, change += c * c, applied += a * a, contact += r * r;
  }
  double relative() const {
    const double size = std::sqrt(before) + std::sqrt(change) + std::sqrt(applied) + std::sqrt(contact);
    return size > 0 ? std::sqrt(defect) / size : 0;
  }
};

}  // namespace

template <int Dim>
void Simulation<Dim>::Engine::audit(StepReport& report) {
  audit_contacts(report);
  audit_joints(report);
  audit_separation(report);
  audit_bodies(report);
  audit_gain(report);
  if (!state.parts.empty()) watch_parts();
  check_finite(report);
}

template <int Dim>
void Simulation<Dim>::Engine::audit_contacts(StepReport& report) {
  const double h = work.scheme.h, theta = work.scheme.audit_mean();
  EnergyBalance& energy = report.energy;
  report.lost_membranes = work.lost_membranes;
  report.step = state.steps;
  report.length = work.scheme.h;
  report.time = time();
  report.bodies = state.bodies.count() - static_cast<int>(model.parts.followers.size());
  report.contacts = static_cast<int>(state.contacts.contacts().size());
  report.active = static_cast<int>(work.problem.contacts.size());

  const std::int64_t worst_row = report.residual_contact, several_row = report.several_contact,
                     held_row = report.held_contact;
  const double slow = std::max({gravity_step(), report.tolerance, report.residual_max});
  work.contact_impulse.assign(state.bodies.slots(), Vec<Dim>::Zero());
  work.contact_moment.assign(state.bodies.slots(), Spin<Dim>::Zero());
  std::int64_t index = -1;
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    ++index;
    audit_penetration(c, index, report);
    if (c.row < 0) continue;
    if (c.row == worst_row) report.residual_contact = index;
    if (c.row == several_row) {
      report.several_contact = index;
      report.several_a = state.bodies.id[c.a];
      report.several_b = state.bodies.id[c.b];
    }
    if (c.row == held_row) {
      report.held_contact = index;
      report.held_a = state.bodies.id[c.a];
      report.held_b = state.bodies.id[c.b];
    }
    const SweepContact<Dim>& row = work.problem.contacts[c.row];
    const double approach = c.velocity[0] + row.shift[0] + row.compliance_normal * row.r[0];
    report.penetration_solver = std::max(report.penetration_solver, -h * approach);
    report.ambiguous += is_in_paradox<Dim>(work.problem, row, c.input.u, slow);
    const Vec<Dim> p = row.axes() * c.impulse;
    work.contact_impulse[c.a] -= p;
    work.contact_impulse[c.b] += p;
    work.contact_moment[c.a] -= moment(row.arm_a, p) + c.moment();
    work.contact_moment[c.b] += moment(row.arm_b, p) + c.moment();
    const Spin<Dim> spin = theta * relative_spin<Dim>(work.problem.bodies[c.a], work.problem.bodies[c.b]) +
                           (1 - theta) * relative_spin<Dim>(work.motion.start[c.a], work.motion.start[c.b]);
    add_contact_work<Dim>(c, spin, theta, energy);
  }
}

// What the works leave of the change of kinetic energy.
template <int Dim>
void Simulation<Dim>::Engine::close_balance(double change, EnergyBalance& energy) const {
  energy.defect = change - sum_of_parts(energy);
  energy.scale += size_of_parts(energy) + std::abs(change) + energy.kinetic;
}

template <int Dim>
void Simulation<Dim>::Engine::audit_penetration(const Contact<Dim>& c, std::int64_t index,
                                                StepReport& report) const {
  const double depth = -c.gap_end;
  if (!(depth > 0) || c.law->kind == LawKind::pressure || is_found_again(c)) return;
  if (depth > report.penetration) {
    report.penetration = depth;
    report.penetration_contact = index;
  }
  const double unit = model.thinner(state.bodies.id[c.a], state.bodies.id[c.b]),
               relative = unit > 0 ? depth / unit : 0;
  if (is_layer(c.law->kind)) {
    report.compression = std::max(report.compression, relative);
  } else if (relative > report.penetration_relative) {
    report.penetration_relative = relative;
    report.penetration_a = state.bodies.id[c.a];
    report.penetration_b = state.bodies.id[c.b];
  }
}

template <int Dim>
void Simulation<Dim>::Engine::audit_bodies(StepReport& report) {
  const double h = work.scheme.h, theta = work.scheme.audit_mean(), implicit = work.scheme.theta;
  // Velocities are those between t_k and t_(k+1): what is held is told at t_k, with their mean.
  const bool centred = work.scheme.kind == SchemeKind::schatzman_paoli;
  EnergyBalance& energy = report.energy;
  Momentum momentum;
  double change = 0, kinetic = 0, fastest = 0.5;
  const Vec<Dim> gravity_now = model.gravity_at(time());
  for (int s = 0; s < state.bodies.slots(); ++s) {
    if (!state.bodies.alive(s) || model.scene.bodies[state.bodies.id[s]].follows >= 0) continue;
    const BodyModel<Dim>& m = state.bodies.model[s];
    const BodyWork<Dim> body(work.motion, work.problem.bodies[s], m, s);
    const StepLoad<Dim>& load = work.motion.load(s);
    for (int i = 0; i < Dim; ++i) {
      const double mean = theta * body.v1[i] + (1 - theta) * body.v0[i], dv = body.v1[i] - body.v0[i];
      if (!m.drive[i].is_free()) {
        energy.drives -= work.contact_impulse[s][i] * mean;
        continue;
      }
      const double weight = h * m.mass * work.gravity[i],
                   drag = -h * m.damping * m.mass * (body.v0[i] + implicit * dv);
      change += 0.5 * m.mass * dv * (body.v0[i] + body.v1[i]);
      energy.scheme += (0.5 - theta) * m.mass * dv * dv;
      energy.gravity += weight * mean;
      energy.forces += load.force[i] * mean;
      energy.damping += drag * mean;
      energy.potential -= m.mass * gravity_now[i] * state.bodies.pose[s].position[i];
      const double applied = weight + load.force[i] + drag;
      momentum.add(m.mass * dv - applied - work.contact_impulse[s][i], m.mass * body.v0[i], m.mass * dv,
                   applied, work.contact_impulse[s][i]);
    }
    Spin<Dim> mean = theta * body.w1 + (1 - theta) * body.w0, dw = body.w1 - body.w0,
              middle = 0.5 * (body.w0 + body.w1);
    for (int i = 0; i < kSpins<Dim>; ++i)
      if (!m.drive[Dim + i].is_free()) {
        energy.drives -= work.contact_moment[s][i] * mean[i];
        mean[i] = dw[i] = middle[i] = 0;
      }
    const Spin<Dim> spinning = body.inertia * body.w0, spun = body.inertia * dw,
                    drag = -h * m.damping_rotation * (body.inertia * (mean + (implicit - theta) * dw));
    change += spun.dot(middle);
    energy.scheme += (0.5 - theta) * spun.dot(dw);
    energy.forces += load.torque.dot(mean);
    energy.damping += drag.dot(mean);
    energy.gyroscopic += load.gyroscopic.dot(mean);
    for (int i = 0; i < kSpins<Dim>; ++i) {
      if (!m.drive[Dim + i].is_free()) continue;
      const double applied = load.torque[i] + load.gyroscopic[i] + drag[i];
      momentum.add((spun[i] - applied - work.contact_moment[s][i]) / work.mean_length,
                   spinning[i] / work.mean_length, spun[i] / work.mean_length, applied / work.mean_length,
                   work.contact_moment[s][i] / work.mean_length);
    }
    if (centred) {
      kinetic += 0.5 * middle.dot(body.inertia * middle);
      for (int i = 0; i < Dim; ++i) {
        if (!m.drive[i].is_free()) continue;
        kinetic += 0.125 * m.mass * (body.v0[i] + body.v1[i]) * (body.v0[i] + body.v1[i]);
        energy.potential += m.mass * gravity_now[i] * h * body.v1[i];
      }
    } else {
      kinetic += state.bodies.kinetic_energy(s);
    }
    const double crossed = m.size > 0 && !m.all_prescribed ? h * body.v1.norm() / m.size : 0;
    if (crossed > 0.5) ++report.fast_bodies;
    if (crossed > fastest) {
      fastest = crossed;
      report.fastest = state.bodies.id[s];
    }
  }
  report.momentum = std::max(report.momentum, momentum.relative());
  energy.kinetic += kinetic;
  audit_systems(report, change);
  close_balance(change, energy);
}

template <int Dim>
void Simulation<Dim>::Engine::check_finite(StepReport& report) {
  if (std::string trouble = find_trouble(); !trouble.empty()) {
    state.finite = false;
    report.status = StepStatus::not_finite;
    report.reason = std::move(trouble);
    report.solid_failed = std::any_of(state.parts.systems.begin(), state.parts.systems.end(),
                                      [](const auto& system) { return !system->trouble().empty(); });
    return;
  }
  for (int s = 0; s < state.bodies.slots(); ++s) {
    if (!state.bodies.alive(s)) continue;
    if (is_sound(state.bodies.pose[s].position) && is_sound(state.bodies.velocity[s]) &&
        is_sound(state.bodies.spin[s]))
      continue;
    state.finite = false;
    report.status = StepStatus::not_finite;
    report.first_not_finite = state.bodies.id[s];
    const std::string& name = model.scene.bodies[state.bodies.id[s]].name;
    report.reason = "the state of body " + std::to_string(state.bodies.id[s]) +
                    (name.empty() ? "" : " (" + name + ")") +
                    " is not finite: a smaller step, other forces or another law may help";
    return;
  }
  // A balance that is no number judges nothing.
  const EnergyBalance& e = report.energy;
  if (std::isfinite(e.kinetic + e.potential + e.elastic_stored + e.scale + e.defect + report.momentum))
    return;
  state.finite = false;
  report.status = StepStatus::not_finite;
  report.first_not_finite = report.fastest;
  for (int s = 0; s < state.bodies.slots() && report.first_not_finite < 0; ++s)
    if (state.bodies.alive(s) && !state.bodies.model[s].all_prescribed)
      report.first_not_finite = state.bodies.id[s];
  report.reason =
      "the energies of the step are not finite: a smaller step, other forces or another law may help";
}

template void Simulation<2>::Engine::audit(StepReport&);
template void Simulation<3>::Engine::audit(StepReport&);
template void Simulation<2>::Engine::audit_contacts(StepReport&);
template void Simulation<3>::Engine::audit_contacts(StepReport&);
template void Simulation<2>::Engine::close_balance(double, EnergyBalance&) const;
template void Simulation<3>::Engine::close_balance(double, EnergyBalance&) const;
template void Simulation<2>::Engine::audit_penetration(const Contact<2>&, std::int64_t, StepReport&) const;
template void Simulation<3>::Engine::audit_penetration(const Contact<3>&, std::int64_t, StepReport&) const;
template void Simulation<2>::Engine::audit_bodies(StepReport&);
template void Simulation<3>::Engine::audit_bodies(StepReport&);
template void Simulation<2>::Engine::check_finite(StepReport&);
template void Simulation<3>::Engine::check_finite(StepReport&);

}  // namespace saltus
