// The energy balance of a step of the alpha schemes: the identity of schemes/generalized_alpha.hpp, line by line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

namespace {

// `scheme` of the identity but for v-.X. mass(x, y): y = M x; x and y are room for it.
template <class V, class Mass>
double numerical_work(const AlphaWeights& k, const V& path, const V& U, const V& W, const V& a0, const V& a1,
                      const V& w0, const V& w1, const V& w_smooth, const Mass& mass, V& x, V& y) {
  const double h = k.h;
  x = (0.5 - k.alpha_f) * (w1 - w0) + (k.gamma - 1 + k.alpha_m) * (a1 - a0) +
      (1 - k.alpha_f) * (w_smooth - w1);
  mass(x, y);
  const double own = path.dot(y);
  x = 0.5 * (a0 + a1) + (k.gamma - 0.5) * (a1 - a0);
  mass(x, y);
  return own - h * h * (k.beta - 0.5 * k.gamma) * (a1 - a0).dot(y) - (U - 0.5 * h * W).dot(y);
}

}  // namespace

template <int Dim>
void AlphaStep<Dim>::tell_newton(const char* what, int turns, double residual, double tolerance, bool settled,
                                 StepReport& report) {
  report.newton_turns = std::max(report.newton_turns, turns);
  report.newton_residual = std::max(report.newton_residual, residual);
  if (settled || !missed_.empty()) return;
  missed_ = fmt::format(
      "the Newton loop {} ended at {:.2g}, not at the tolerance {:.2g}, after {} turns: a smaller step may "
      "help",
      what, residual, tolerance, turns);
}

template <int Dim>
void AlphaStep<Dim>::audit(StepReport& report) {
  double change = 0;
  s.audit_contacts(report);
  audit_rows(report);
  audit_bodies(report, change);
  audit_systems(report, change);
  audit_springs(report);
  s.close_balance(change, report.energy);
  s.audit_gain(report);
  if (!s.state.parts.empty()) s.watch_parts();
  s.check_finite(report);
}

// Velocity-level impulses of joints, gaps and constraints. Their part on driven bodies is the drives'.
template <int Dim>
void AlphaStep<Dim>::audit_rows(StepReport& report) {
  if (s.state.parts.empty()) return;
  EnergyBalance& energy = report.energy;
  for (std::size_t i = 0; i < gap_rows_.size(); ++i) {
    const GapStep& now = s.work.parts.gaps[i];
    const SystemGap& gap = s.model.parts.gaps[i];
    if (!gap.is_constraint) report.penetration = std::max(report.penetration, -now.gap_end);
    if (now.block < 0 || is_index3()) continue;
    const Eigen::VectorXd& r = s.work.parts.coupling.blocks[now.block].r;
    const Eigen::Vector3d u = 0.5 * (now.velocity + now.before);
    double normal = r[0] * u[0], tangent = 0, moved = 0;
    for (Eigen::Index k = 1; k < r.size(); ++k) tangent += r[k] * u[k];
    for (Eigen::Index k = 0; k < r.size(); ++k) moved -= r[k] * now.rate[k];
    (gap.is_constraint ? energy.joints : energy.impact) += normal;
    energy.friction += tangent;
    energy.drives += moved;
    energy.scale += std::abs(normal) + std::abs(tangent) + std::abs(moved);
  }
  // The forces of motors are among those of the joints, whose work is that of all of them along the path.
  for (const MotorWork& motor : motors_) {
    (motor.row.kind == JointRowKind::push ? energy.forces : energy.drives) += motor.done;
    energy.joints -= motor.done;
  }
  if (is_index3()) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (row_block_[i] < 0) continue;
    const TiedBlock& block = s.work.parts.coupling.blocks[row_block_[i]];
    const Eigen::Vector3d before = rate_of(block, true);
    double done = 0;
    for (int k = 0; k < block.set.size; ++k) done += 0.5 * block.r[k] * (block.u[k] + before[k]);
    const bool motor = is_motor(rows_[i]);
    (rows_[i].kind == JointRowKind::stop       ? energy.impact
     : motor                                   ? energy.drives
     : rows_[i].kind == JointRowKind::friction ? energy.friction
                                               : energy.joints) += done;
    energy.scale += std::abs(done);
    for (const TiedEnd& end : block.ends) {
      if (end.slot < 0) continue;
      Twist<Dim> push = Twist<Dim>::Zero();
      for (int k = 0; k < block.set.size; ++k) push += end.jacobian.col(k) * block.r[k];
      s.work.contact_impulse[end.slot] += push.template head<Dim>();
      s.work.contact_moment[end.slot] += push.template tail<kSpins<Dim>>();
    }
  }
}

template <int Dim>
void AlphaStep<Dim>::audit_bodies(StepReport& report, double& change) {
  EnergyBalance& energy = report.energy;
  const double t1 = s.time(), t0 = t1 - weights_.h;
  double defect = 0, size = 0, fastest = 0.5;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    const BodyModel<Dim>& model = s.state.bodies.model[slot];
    const BodyWork& body = work_[slot];
    const AlphaBody<Dim>& after = bodies_[slot];
    Twist<Dim> contact;
    contact << s.work.contact_impulse[slot], s.work.contact_moment[slot];
    if constexpr (Dim == 3)
      contact.template tail<3>() = body.pose.unrotated(Vec<3>(contact.template tail<3>()));
    // Prescribed degrees of freedom have no part in the balance but the work of what drives them.
    Twist<Dim> path = body.path + body.U, U = body.U, v0 = body.v0, v1 = body.v1, v = body.v;
    Twist<Dim> a0 = body.before.a, a1 = after.a, w0 = body.before.w, w1 = after.w, w = body.w;
    if (is_index3()) weights_.next(body.w, w0, a0, a1);
    const Twist<Dim> held = 0.5 * (body.before.held + after.held);
    for (int i = 0; i < kDofs<Dim>; ++i) {
      energy.joints += path[i] * held[i];
      if (is_free(slot, i)) continue;
      energy.drives -= path[i] * held[i] + 0.5 * contact[i] * (v0[i] + v1[i]);
      for (Twist<Dim>* x : {&path, &U, &v0, &v1, &v, &a0, &a1, &w0, &w1, &w}) (*x)[i] = 0;
    }
    const Twist<Dim> W = v1 - v;
    const auto mass = [&](const Twist<Dim>& x) { return mass_times(slot, x); };
    change += 0.5 * (v1 - v0).dot(mass(v1 + v0));
    Twist<Dim> x, y;
    energy.scheme += numerical_work(
        weights_, path, U, W, a0, a1, w0, w1, w,
        [&](const Twist<Dim>& from, Twist<Dim>& to) { to = mass_times(slot, from); }, x, y);

    Twist<Dim> weight = Twist<Dim>::Zero(), drag = Twist<Dim>::Zero();
    weight.template head<Dim>() = 0.5 * model.mass * (s.model.gravity_at(t0) + s.model.gravity_at(t1));
    drag.template head<Dim>() = -0.5 * model.mass * model.damping * (v0 + v1).template head<Dim>();
    drag.template tail<kSpins<Dim>>() =
        -0.5 * model.damping_rotation * (model.inertia * (v0 + v1).template tail<kSpins<Dim>>());
    Twist<Dim> gyroscopic = Twist<Dim>::Zero();
    if constexpr (Dim == 3) {
      const Vec<3> s0 = v0.template tail<3>(), s1 = v1.template tail<3>();
      gyroscopic.template tail<3>() =
          -0.5 * (s0.cross(Vec<3>(model.inertia * s0)) + s1.cross(Vec<3>(model.inertia * s1)));
    }
    const Twist<Dim> whole =
        0.5 * (body_force(slot, t0, body.start, v0) + body_force(slot, t1, body.pose, v1));
    energy.gravity += path.dot(weight);
    energy.damping += path.dot(drag);
    energy.gyroscopic += path.dot(gyroscopic);
    energy.forces += path.dot(whole - weight - drag - gyroscopic);
    // At rest no part of the balance is left but round-off: beside what the loads would do in a step to the body alone.
    if (model.mass > 0)
      energy.scale += 0.5 * weights_.h * weights_.h * whole.template head<Dim>().squaredNorm() / model.mass;
    energy.kinetic += s.state.bodies.kinetic_energy(slot);
    for (int i = 0; i < Dim; ++i)
      if (is_free(slot, i))
        energy.potential -= model.mass * s.model.gravity_at(t1)[i] * body.pose.position[i];

    Twist<Dim> lack = mass(W) - contact;
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (!is_free(slot, i) || is_index3()) lack[i] = 0;
    defect += lack.squaredNorm();
    size += mass(v0).squaredNorm() + mass(W).squaredNorm() + contact.squaredNorm() +
            (weights_.h * weight).squaredNorm();
    const double crossed = model.size > 0 && !model.all_prescribed
                               ? weights_.h * s.state.bodies.velocity[slot].norm() / model.size
                               : 0;
    if (crossed > 0.5) ++report.fast_bodies;
    if (crossed > fastest) fastest = crossed, report.fastest = s.state.bodies.id[slot];
  }
  if (size > 0) report.momentum = std::max(report.momentum, std::sqrt(defect / size));
}

template <int Dim>
void AlphaStep<Dim>::audit_systems(StepReport& report, double& change) {
  EnergyBalance& energy = report.energy;
  if (!s.work.parts.trouble.empty()) return;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    const AlphaSystem& after = systems_[i];
    const SmoothForm& form = *work.form;
    const auto mass = [&](const Eigen::VectorXd& from, Eigen::VectorXd& to) {
      to.setZero(from.size());
      form.add_mass(1, from, to);
    };
    mass(work.v1, work.product);
    const double kinetic = 0.5 * work.v1.dot(work.product);
    const Eigen::VectorXd* a1 = &after.a;
    if (is_index3()) {
      weights_.next(work.w, work.before.w, work.before.a, work.change);
      a1 = &work.change;
    }
    change += kinetic - work.kinetic;
    energy.kinetic += kinetic;
    energy.scheme += numerical_work(weights_, work.path, work.U, work.W, work.before.a, *a1, work.before.w,
                                    after.w, work.w, mass, work.x, work.product);
    const auto along = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
      return 0.5 * work.path.dot(x + y);
    };
    const double stored = form.stored(work.q);
    energy.gravity += along(work.start.gravity, work.end.gravity);
    energy.forces += along(work.start.applied, work.end.applied);
    energy.damping += along(work.start.drag, work.end.drag);
    energy.elastic += form.stored(work.q0) - stored;
    energy.elastic_stored += stored;
    if (!form.is_linear()) {
      // Forces at both ends stand for those between them.
      const SmoothLosses losses = form.losses();
      energy.hardening_stored += losses.hardening;
      energy.plastic -= losses.plastic;
      energy.viscous -= losses.viscous;
      energy.scheme += along(work.start.spring, work.end.spring) - (form.stored(work.q0) - stored) +
                       losses.plastic + losses.viscous;
    }
    energy.potential += form.potential(work.q);
    energy.joints += along(work.before.held, after.held);
    // Rows of driven degrees of freedom: what is missing there is the drive's.
    work.x = 0.5 * (work.before.w + after.w);
    mass(work.x, work.change);
    Eigen::VectorXd& reaction = work.change;
    reaction -= 0.5 * (work.start_force + work.end_force + work.before.held + after.held);
    mass(work.W, work.product);
    double size = work.impulse.norm() + work.product.norm() + weights_.h * work.end_force.norm(), lack = 0;
    for (Eigen::Index k = 0; k < work.W.size(); ++k) {
      const double v = 0.5 * (work.v0[k] + work.v1[k]), jump = work.product[k] - work.impulse[k];
      if (form.is_driven(static_cast<int>(k))) {
        energy.drives += work.path[k] * reaction[k] + v * jump;
        continue;
      }
      energy.scheme += v * work.X[k];
      lack += (jump - work.X[k]) * (jump - work.X[k]);
    }
    mass(work.v0, work.product);
    size += work.product.norm();
    if (size > 0 && !is_index3()) report.momentum = std::max(report.momentum, std::sqrt(lack) / size);
  }
}

// What springs of joints gave back and lost is part of the work of joints until here.
template <int Dim>
void AlphaStep<Dim>::audit_springs(StepReport& report) {
  EnergyBalance& energy = report.energy;
  if (s.state.parts.joints.count() == 0) return;
  const double stored = s.state.parts.joints.stored_energy(s.work.parts.slot_of);
  double lost = 0;
  std::size_t at = 0;
  for (const JointRow<Dim>& row : rows_)
    if (row.kind == JointRowKind::spring) {
      double rate =
          0.5 * (spring_rates_[at++] + s.state.parts.joints.states()[row.joint].rate[row.direction]);
      if (row.rows == 2)
        rate = std::hypot(mean_rate(row, 0), mean_rate(row, 1));  // a swing: across its direction too
      lost -= weights_.h * row.damping * rate * rate;
    }
  energy.elastic_stored += stored;
  energy.elastic += joint_stored_ - stored;
  energy.damping += lost;
  energy.joints -= joint_stored_ - stored + lost;
}

template void AlphaStep<2>::tell_newton(const char*, int, double, double, bool, StepReport&);
template void AlphaStep<3>::tell_newton(const char*, int, double, double, bool, StepReport&);
template void AlphaStep<2>::audit(StepReport&);
template void AlphaStep<3>::audit(StepReport&);
template void AlphaStep<2>::audit_rows(StepReport&);
template void AlphaStep<3>::audit_rows(StepReport&);
template void AlphaStep<2>::audit_bodies(StepReport&, double&);
template void AlphaStep<3>::audit_bodies(StepReport&, double&);
template void AlphaStep<2>::audit_systems(StepReport&, double&);
template void AlphaStep<3>::audit_systems(StepReport&, double&);
template void AlphaStep<2>::audit_springs(StepReport&);
template void AlphaStep<3>::audit_springs(StepReport&);

}  // namespace saltus
