// Rigid bodies in a step of the alpha schemes: M is constant in the axes that are used.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

namespace {

template <int Dim>
Spin<Dim> to_world(const Pose<Dim>& pose, const Spin<Dim>& spin) {
  if constexpr (Dim == 3)
    return pose.rotated(spin);
  else
    return spin;
}
template <int Dim>
Spin<Dim> to_body(const Pose<Dim>& pose, const Spin<Dim>& spin) {
  if constexpr (Dim == 3)
    return pose.unrotated(spin);
  else
    return spin;
}

// start displaced by a path whose rotation is in body axes.
template <int Dim>
Pose<Dim> moved_by(const Pose<Dim>& start, const Twist<Dim>& path) {
  Pose<Dim> pose = start;
  pose.position += path.template head<Dim>();
  const Spin<Dim> turn = to_world<Dim>(start, path.template tail<kSpins<Dim>>());
  if (!turn.isZero(0)) pose.rotate(turn);
  return pose;
}

void put_inverse(const Inertia<2>& inverse, double* packed) { packed[0] = inverse(0, 0); }
void put_inverse(const Inertia<3>& inverse, double* packed) {
  packed[0] = inverse(0, 0), packed[1] = inverse(0, 1), packed[2] = inverse(0, 2);
  packed[3] = inverse(1, 1), packed[4] = inverse(1, 2), packed[5] = inverse(2, 2);
}

Inertia<2> turned_inverse(const Pose<2>&, const Inertia<2>& inertia) { return inertia.inverse(); }
Inertia<3> turned_inverse(const Pose<3>& pose, const Inertia<3>& inertia) {
  const Mat<3> turn = pose.rotation();
  return turn * inertia.inverse() * turn.transpose();
}

Mat<3> cross_with(const Vec<3>& v) {
  Mat<3> m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

// d(w x J w)/dw; none in the plane.
Inertia<2> gyroscopic_slope(const Inertia<2>&, const Spin<2>&) { return Inertia<2>::Zero(); }
Inertia<3> gyroscopic_slope(const Inertia<3>& inertia, const Spin<3>& w) {
  return cross_with(w) * inertia - cross_with(inertia * w);
}

}  // namespace

template <int Dim>
bool AlphaStep<Dim>::is_free(int slot, int dof) const {
  return s.state.bodies.model[slot].drive[dof].is_free();
}

template <int Dim>
Twist<Dim> AlphaStep<Dim>::mass_times(int slot, const Twist<Dim>& x) const {
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  Twist<Dim> y;
  y.template head<Dim>() = model.mass * x.template head<Dim>();
  y.template tail<kSpins<Dim>>() = model.inertia * x.template tail<kSpins<Dim>>();
  return y;
}

template <int Dim>
Twist<Dim> AlphaStep<Dim>::over_mass(int slot, const Twist<Dim>& x) const {
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  Twist<Dim> y = Twist<Dim>::Zero();
  for (int i = 0; i < Dim; ++i)
    if (is_free(slot, i)) y[i] = x[i] / model.mass;
  if (is_free(slot, Dim))
    y.template tail<kSpins<Dim>>() = model.inertia.inverse() * x.template tail<kSpins<Dim>>();
  return y;
}

// Gravity, forces that depend on time, damping and the gyroscopic moment.
template <int Dim>
Twist<Dim> AlphaStep<Dim>::body_force(int slot, double t, const Pose<Dim>& pose, const Twist<Dim>& v) const {
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  Twist<Dim> force;
  const Spin<Dim> spin = v.template tail<kSpins<Dim>>();
  force.template head<Dim>() = model.mass * (s.model.gravity_at(t) - model.damping * v.template head<Dim>());
  force.template tail<kSpins<Dim>>() = -model.damping_rotation * (model.inertia * spin);
  if (model.has_force) {
    Spin<Dim> torque;
    for (int i = 0; i < Dim; ++i) force[i] += model.force[i].at(t);
    for (int i = 0; i < kSpins<Dim>; ++i) torque[i] = model.force[Dim + i].at(t);
    force.template tail<kSpins<Dim>>() += to_body<Dim>(pose, torque);
  }
  if constexpr (Dim == 3)
    if (!model.spherical) force.template tail<3>() -= spin.cross(Vec<3>(model.inertia * spin));
  return force;
}

template <int Dim>
void AlphaStep<Dim>::prescribe(int slot) {
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  BodyWork& body = work_[slot];
  if (model.all_free) return;
  const double t = s.time(), h = weights_.h;
  Spin<Dim> turn = Spin<Dim>::Zero(), spin = Spin<Dim>::Zero();
  const Spin<Dim> before = to_world<Dim>(body.start, body.v0.template tail<kSpins<Dim>>());
  for (int i = 0; i < kDofs<Dim>; ++i) {
    if (is_free(slot, i)) continue;
    const double v0 = i < Dim ? body.v0[i] : before[i - Dim];
    const DrivenStep step = compute_driven_step(model.drive[i], v0, t, t + h, 0.5);
    if (i < Dim) {
      body.v[i] = step.velocity;
      body.path[i] = step.displacement;
    } else {
      spin[i - Dim] = step.velocity;
      turn[i - Dim] = step.displacement;
    }
  }
  if (is_free(slot, Dim)) return;
  body.path.template tail<kSpins<Dim>>() = to_body<Dim>(body.start, turn);
  body.v.template tail<kSpins<Dim>>() = to_body<Dim>(moved_by<Dim>(body.start, body.path), spin);
}

template <int Dim>
void AlphaStep<Dim>::solve_body(int slot) {
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  const AlphaBody<Dim>& carried = bodies_[slot];
  BodyWork& body = work_[slot];
  const double t = end_time(), g = weights_.velocity;
  Twist<Dim> v, path;
  weights_.predict(body.v0, carried.w, carried.a, v, path);
  Twist<Dim> w = body.w;
  // Newton: of spins, and of moments in world axes that turn with q~; one turn where there are neither.
  for (int turn = 0; turn < 50; ++turn) {
    const Twist<Dim> now = v + g * w;
    Twist<Dim> lack =
        body_force(slot, t, body.pose, now) + body.given + body.pushed / g - mass_times(slot, w);
    Inertia<Dim> inertia = (1 + g * model.damping_rotation) * model.inertia;
    if (!model.spherical) inertia += g * gyroscopic_slope(model.inertia, now.template tail<kSpins<Dim>>());
    Twist<Dim> change = Twist<Dim>::Zero();
    for (int i = 0; i < Dim; ++i)
      if (is_free(slot, i)) change[i] = lack[i] / (model.mass * (1 + g * model.damping));
    if (is_free(slot, Dim))
      change.template tail<kSpins<Dim>>() = inertia.inverse() * lack.template tail<kSpins<Dim>>();
    w += change;
    body.v = v + g * w;
    body.path = path + weights_.position * w;
    prescribe(slot);
    body.pose = moved_by<Dim>(body.start, body.path);
    constexpr double kRoundOff = 4e-15;
    if (!(change.norm() > kRoundOff * w.norm()) || (Dim == 2 && turn == 1)) break;
  }
  body.w = w;
  for (int i = 0; i < kDofs<Dim>; ++i)
    if (!is_free(slot, i)) body.w[i] = (body.v[i] - body.v0[i]) / weights_.h;
}

// Poses, velocities and masses as blocks of the level see them.
template <int Dim>
void AlphaStep<Dim>::fill_bodies(Level level) {
  const double h = weights_.h, g = weights_.velocity;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    const BodyModel<Dim>& model = s.state.bodies.model[slot];
    const BodyWork& body = work_[slot];
    Twist<Dim> v = body.v;
    double drag = 1, drag_turn = 1;
    if (level == Level::start) v = body.w;
    if (level == Level::position) v = (body.slid - body.U) / h;
    if (level == Level::smooth) {
      drag = 1 + g * model.damping, drag_turn = 1 + g * model.damping_rotation;
      Twist<Dim> pushed = over_mass(slot, body.pushed);
      v.template head<Dim>() -= pushed.template head<Dim>() / drag;
      v.template tail<kSpins<Dim>>() -= pushed.template tail<kSpins<Dim>>() / drag_turn;
    }
    s.work.motion.detection[slot] = body.pose;
    Eigen::Map<Vec<Dim>>(s.work.motion.start[slot].v) = body.v0.template head<Dim>();
    Eigen::Map<Spin<Dim>>(s.work.motion.start[slot].w) =
        to_world<Dim>(body.pose, body.v0.template tail<kSpins<Dim>>());
    SweepBody<Dim>& free = s.work.motion.free[slot];
    Eigen::Map<Vec<Dim>>(free.v) = v.template head<Dim>();
    Eigen::Map<Spin<Dim>>(free.w) = to_world<Dim>(body.pose, v.template tail<kSpins<Dim>>());
    for (int i = 0; i < Dim; ++i) free.inverse_mass[i] = is_free(slot, i) ? 1 / (model.mass * drag) : 0;
    Inertia<Dim> inverse = Inertia<Dim>::Zero();
    if (is_free(slot, Dim)) inverse = turned_inverse(body.pose, model.inertia) / drag_turn;
    put_inverse(inverse, free.inverse_inertia);
  }
}

// Displacements of a position problem, h V.
template <int Dim>
void AlphaStep<Dim>::move_bodies(const VelocityProblem<Dim>& solved) {
  const double h = weights_.h;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (nodes_[slot].settled) continue;
    BodyWork& body = work_[slot];
    body.looked = body.pose;
    body.looked_U = body.U;
    const Vec<Dim> move = h * Eigen::Map<const Vec<Dim>>(solved.bodies[slot].v);
    const Spin<Dim> turn = h * Eigen::Map<const Spin<Dim>>(solved.bodies[slot].w);
    body.U.template head<Dim>() += move;
    body.U.template tail<kSpins<Dim>>() += to_body<Dim>(body.pose, turn);
    body.pose.position += move;
    if (!turn.isZero(0)) body.pose.rotate(turn);
    nodes_[slot].moved = std::max(move.norm() / nodes_[slot].length, turn.norm());
  }
}

// v_1 from the solve, the state, and what the next step starts from.
template <int Dim>
void AlphaStep<Dim>::finish_body(int slot) {
  BodyWork& body = work_[slot];
  AlphaBody<Dim>& carried = bodies_[slot];
  const SweepBody<Dim>& solved = s.work.problem.bodies[slot];
  body.v1 = body.v;
  if (!is_index3()) {
    for (int i = 0; i < Dim; ++i)
      if (is_free(slot, i)) body.v1[i] = solved.v[i];
    if (is_free(slot, Dim))
      body.v1.template tail<kSpins<Dim>>() = to_body<Dim>(body.pose, Eigen::Map<const Spin<Dim>>(solved.w));
  }
  const double t = end_time();
  const Pose<Dim> smooth = moved_by<Dim>(body.start, body.path);
  const Twist<Dim> w1 =
      body.w + over_mass(slot, body_force(slot, t, body.pose, body.v1) - body_force(slot, t, smooth, body.v));
  carried.held = body.pushed / weights_.velocity + body.given;
  if (is_index3())
    carried.a = w1;
  else
    weights_.next(body.w, carried.w, carried.a, carried.a);
  carried.w = w1;
  carried.rubbed = body.rubbed;
  s.state.bodies.pose[slot] = body.pose;
  s.state.bodies.velocity[slot] = body.v1.template head<Dim>();
  if constexpr (Dim == 3)
    s.state.bodies.spin[slot] = body.v1.template tail<3>();
  else
    s.state.bodies.set_spin_world(slot, body.v1.template tail<1>());
}

template bool AlphaStep<2>::is_free(int, int) const;
template bool AlphaStep<3>::is_free(int, int) const;
template Twist<2> AlphaStep<2>::mass_times(int, const Twist<2>&) const;
template Twist<3> AlphaStep<3>::mass_times(int, const Twist<3>&) const;
template Twist<2> AlphaStep<2>::over_mass(int, const Twist<2>&) const;
template Twist<3> AlphaStep<3>::over_mass(int, const Twist<3>&) const;
template Twist<2> AlphaStep<2>::body_force(int, double, const Pose<2>&, const Twist<2>&) const;
template Twist<3> AlphaStep<3>::body_force(int, double, const Pose<3>&, const Twist<3>&) const;
template void AlphaStep<2>::prescribe(int);
template void AlphaStep<3>::prescribe(int);
template void AlphaStep<2>::solve_body(int);
template void AlphaStep<3>::solve_body(int);
template void AlphaStep<2>::fill_bodies(Level);
template void AlphaStep<3>::fill_bodies(Level);
template void AlphaStep<2>::move_bodies(const VelocityProblem<2>&);
template void AlphaStep<3>::move_bodies(const VelocityProblem<3>&);
template void AlphaStep<2>::finish_body(int);
template void AlphaStep<3>::finish_body(int);

}  // namespace saltus
