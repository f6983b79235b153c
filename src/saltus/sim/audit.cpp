#include <algorithm>
#include <cmath>

#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

double sum_of_parts(const EnergyBalance& e) {
  return e.gravity + e.forces + e.drives + e.damping + e.gyroscopic + e.impact + e.friction + e.elastic +
         e.cohesion + e.scheme;
}

double size_of_parts(const EnergyBalance& e) {
  double size = 0;
  for (const double part : {e.gravity, e.forces, e.drives, e.damping, e.gyroscopic, e.impact, e.friction,
                            e.elastic, e.cohesion, e.scheme})
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
  if (c.law->kind == LawKind::elastic) {  // the bond is part of the layer
    energy.elastic += pull + normal + tangent;
    energy.elastic_stored += stored_energy(*c.law, c.gap_end, c.history);
    return;
  }
  energy.cohesion += pull;
  energy.impact += normal;
  energy.friction += tangent;
}

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
void Simulation<Dim>::State::audit(StepReport& report) {
  const double h = scene.scheme.h, theta = scene.scheme.theta;
  EnergyBalance& energy = report.energy;
  report.step = steps;
  report.time = time();
  report.bodies = bodies.count();
  report.contacts = static_cast<int>(contacts.contacts().size());
  report.active = static_cast<int>(problem.contacts.size());

  contact_impulse.assign(bodies.slots(), Vec<Dim>::Zero());
  contact_moment.assign(bodies.slots(), Spin<Dim>::Zero());
  const std::int64_t worst_row = report.residual_contact, several_row = report.several_contact;
  std::int64_t index = -1;
  ContactEnergy laws_energy;
  for (const Contact<Dim>& c : contacts.contacts()) {
    ++index;
    if (-c.gap_end > report.penetration) {
      report.penetration = -c.gap_end;
      report.penetration_contact = index;
    }
    if (c.row < 0) continue;
    if (c.row == worst_row) report.residual_contact = index;
    if (c.row == several_row) {
      report.several_contact = index;
      report.several_a = bodies.id[c.a];
      report.several_b = bodies.id[c.b];
    }
    const SweepContact<Dim>& row = problem.contacts[c.row];
    const double approach = c.velocity[0] + row.shift[0] + row.compliance_normal * row.r[0];
    report.penetration_solver = std::max(report.penetration_solver, -h * approach);
    const Vec<Dim> p = row.frame() * c.impulse;
    contact_impulse[c.a] -= p;
    contact_impulse[c.b] += p;
    contact_moment[c.a] -= moment(row.arm_a, p) + c.moment();
    contact_moment[c.b] += moment(row.arm_b, p) + c.moment();
    if (c.law->kind != LawKind::elastic)
      add_contact_energy<Dim>(c, problem, motion.start, index, laws_energy);
    const Spin<Dim> spin = theta * relative_spin<Dim>(problem.bodies[c.a], problem.bodies[c.b]) +
                           (1 - theta) * relative_spin<Dim>(motion.start[c.a], motion.start[c.b]);
    add_contact_work<Dim>(c, spin, theta, energy);
  }
  audit_bodies(report);
  judge_gain(laws_energy, report);
}

template <int Dim>
void Simulation<Dim>::State::judge_gain(ContactEnergy& laws_energy, StepReport& report) {
  if (is_soft) {
    for (const Contact<Dim>& c : contacts.contacts()) {
      if (c.row < 0) continue;
      const SweepContact<Dim>& row = problem.contacts[c.row];
      const bool elastic = c.law->kind == LawKind::elastic;
      const Vec<Dim> soft = elastic ? Vec<Dim>(row.frame() * c.impulse) : Vec<Dim>(-c.terms.pull * c.normal);
      contact_impulse[c.a] += soft;
      contact_impulse[c.b] -= soft;
      const Spin<Dim> turn = elastic ? c.moment() : Spin<Dim>(Spin<Dim>::Zero());
      contact_moment[c.a] += moment(row.arm_a, soft) + turn;
      contact_moment[c.b] -= moment(row.arm_b, soft) + turn;
    }
  }
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.is_moving(s))
      laws_energy.self += impulse_energy<Dim>(problem.bodies[s], contact_impulse[s], contact_moment[s]);
  const double gain = laws_energy.gain();
  if (!(gain > laws_energy.uncertainty(report.residual_rms)) || laws_energy.best_contact < 0) return;
  report.energy.gain = gain;
  report.gain_contact = laws_energy.best_contact;
  const Contact<Dim>& c = contacts.contacts()[static_cast<std::size_t>(laws_energy.best_contact)];
  report.gain_a = bodies.id[c.a];
  report.gain_b = bodies.id[c.b];
}

template <int Dim>
void Simulation<Dim>::State::audit_bodies(StepReport& report) {
  const double h = scene.scheme.h, theta = scene.scheme.theta;
  EnergyBalance& energy = report.energy;
  Momentum momentum;
  double change = 0, kinetic = 0, fastest = 0.5;
  const Vec<Dim> gravity_now = gravity_at(time());
  for (int s = 0; s < bodies.slots(); ++s) {
    if (!bodies.alive(s)) continue;
    const BodyModel<Dim>& m = bodies.model[s];
    const BodyWork<Dim> body(motion, problem.bodies[s], m, s);
    const StepLoad<Dim>& load = motion.load(s);
    for (int i = 0; i < Dim; ++i) {
      const double mean = theta * body.v1[i] + (1 - theta) * body.v0[i], dv = body.v1[i] - body.v0[i];
      if (!m.drive[i].is_free()) {
        energy.drives -= contact_impulse[s][i] * mean;
        continue;
      }
      const double weight = h * m.mass * gravity[i], drag = -h * m.damping * m.mass * mean;
      change += 0.5 * m.mass * dv * (body.v0[i] + body.v1[i]);
      energy.scheme += (0.5 - theta) * m.mass * dv * dv;
      energy.gravity += weight * mean;
      energy.forces += load.force[i] * mean;
      energy.damping += drag * mean;
      energy.potential -= m.mass * gravity_now[i] * bodies.pose[s].position[i];
      const double applied = weight + load.force[i] + drag;
      momentum.add(m.mass * dv - applied - contact_impulse[s][i], m.mass * body.v0[i], m.mass * dv, applied,
                   contact_impulse[s][i]);
    }
    Spin<Dim> mean = theta * body.w1 + (1 - theta) * body.w0, dw = body.w1 - body.w0,
              middle = 0.5 * (body.w0 + body.w1);
    for (int i = 0; i < kSpins<Dim>; ++i)
      if (!m.drive[Dim + i].is_free()) {
        energy.drives -= contact_moment[s][i] * mean[i];
        mean[i] = dw[i] = middle[i] = 0;
      }
    const Spin<Dim> spinning = body.inertia * body.w0, spun = body.inertia * dw,
                    drag = -h * m.damping_rotation * (body.inertia * mean);
    change += spun.dot(middle);
    energy.scheme += (0.5 - theta) * spun.dot(dw);
    energy.forces += load.torque.dot(mean);
    energy.damping += drag.dot(mean);
    energy.gyroscopic += load.gyroscopic.dot(mean);
    for (int i = 0; i < kSpins<Dim>; ++i) {
      if (!m.drive[Dim + i].is_free()) continue;
      const double applied = load.torque[i] + load.gyroscopic[i] + drag[i];
      momentum.add((spun[i] - applied - contact_moment[s][i]) / mean_length, spinning[i] / mean_length,
                   spun[i] / mean_length, applied / mean_length, contact_moment[s][i] / mean_length);
    }
    kinetic += bodies.kinetic_energy(s);
    const double crossed = m.size > 0 && !m.all_prescribed ? h * body.v1.norm() / m.size : 0;
    if (crossed > 0.5) ++report.fast_bodies;
    if (crossed > fastest) {
      fastest = crossed;
      report.fastest = bodies.id[s];
    }
  }
  report.momentum = momentum.relative();
  energy.kinetic = kinetic;
  energy.defect = change - sum_of_parts(energy);
  energy.scale += size_of_parts(energy) + std::abs(change) + kinetic;
}

template <int Dim>
void Simulation<Dim>::State::check_finite(StepReport& report) {
  for (int s = 0; s < bodies.slots(); ++s) {
    if (!bodies.alive(s)) continue;
    if (bodies.pose[s].position.allFinite() && bodies.velocity[s].allFinite() && bodies.spin[s].allFinite())
      continue;
    finite = false;
    report.status = StepStatus::not_finite;
    report.first_not_finite = bodies.id[s];
    const std::string& name = scene.bodies[bodies.id[s]].name;
    report.reason = "the state of body " + std::to_string(bodies.id[s]) +
                    (name.empty() ? "" : " (" + name + ")") +
                    " is not finite: a smaller step, other forces or another law may help";
    return;
  }
}

template void Simulation<2>::State::audit(StepReport&);
template void Simulation<3>::State::audit(StepReport&);
template void Simulation<2>::State::audit_bodies(StepReport&);
template void Simulation<3>::State::audit_bodies(StepReport&);
template void Simulation<2>::State::judge_gain(ContactEnergy&, StepReport&);
template void Simulation<3>::State::judge_gain(ContactEnergy&, StepReport&);
template void Simulation<2>::State::check_finite(StepReport&);
template void Simulation<3>::State::check_finite(StepReport&);

}  // namespace saltus
