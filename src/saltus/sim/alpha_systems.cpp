// Systems in a step of the alpha schemes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

namespace {

template <int Dim>
void put(const Twist<Dim>& v, BodyVelocity<Dim>& body) {
  for (int i = 0; i < Dim; ++i) body.v[i] = v[i];
  for (int i = 0; i < kSpins<Dim>; ++i) body.w[i] = v[Dim + i];
}

}  // namespace

template <int Dim>
void AlphaStep<Dim>::open_systems() {
  const double t = s.time(), h = weights_.h;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    const System& system = *s.state.parts.systems[i];
    const Eigen::Index n = system.degrees_of_freedom();
    if (!work.form) work.form = system.smooth_form();
    AlphaSystem& carried = systems_[i];
    work.before = carried;
    work.q0 = work.q = system.coordinates();
    work.v0 = work.v = system.velocity();
    work.w = carried.w;
    for (Eigen::VectorXd* x :
         {&work.U, &work.W, &work.X, &work.given, &work.driven_path, &work.impulse, &work.slid})
      x->setZero(n);
    work.pushed = weights_.velocity * carried.held;
    work.rubbed = carried.rubbed;
    work.driven_v = work.v0;
    work.form->drive(t, h, work.v0, work.driven_v, work.driven_path);
    const Vec<Dim> g = s.model.gravity_at(t);
    work.form->evaluate(t, work.q0, work.v0, {g.data(), Dim});
    work.start = work.form->parts();
    work.start_force = work.form->force();
    work.rhs.setZero(n);
    work.form->add_mass(0.5, work.v0, work.rhs);
    work.kinetic = work.v0.dot(work.rhs);
    predict_system(i);
  }
}

template <int Dim>
void AlphaStep<Dim>::predict_system(std::size_t index) {
  SystemWork& work = system_work_[index];
  weights_.predict(work.v0, systems_[index].w, systems_[index].a, work.v_predicted, work.q_predicted);
  work.q_predicted += work.q0;
}

// M(q~) w~ = f(q~, v~) + given + pushed / velocity, by Newton's method to round-off.
template <int Dim>
void AlphaStep<Dim>::solve_system(int index, StepReport& report) {
  SystemWork& work = system_work_[index];
  SmoothForm& form = *work.form;
  const Eigen::Index n = work.q0.size();
  const Vec<Dim> g = s.model.gravity_at(end_time());
  constexpr double kRoundOff = 4 * std::numeric_limits<double>::epsilon();
  double last = std::numeric_limits<double>::infinity();
  for (int turn = 0;; ++turn) {
    for (Eigen::Index i = 0; i < n; ++i)
      if (form.is_driven(static_cast<int>(i))) work.w[i] = (work.driven_v[i] - work.v0[i]) / weights_.h;
    work.v = work.v_predicted + weights_.velocity * work.w;
    work.q = work.q_predicted + weights_.position * work.w;
    for (Eigen::Index i = 0; i < n; ++i)
      if (form.is_driven(static_cast<int>(i)))
        work.v[i] = work.driven_v[i], work.q[i] = work.q0[i] + work.driven_path[i];
    if (!form.evaluate(end_time(), work.q, work.v, {g.data(), Dim}) ||
        !form.factorise(SmoothForm::smooth, weights_.velocity, weights_.position)) {
      s.work.parts.trouble = form.trouble();
      return;
    }
    work.rhs = form.force() + work.given + work.pushed / weights_.velocity;
    const double size = work.rhs.norm();
    form.add_mass(-1, work.w, work.rhs);
    form.solve(SmoothForm::smooth, work.rhs, work.change);
    const double change = work.change.norm(), scale = work.w.norm() + work.change.norm();
    if (!std::isfinite(change)) {
      s.work.parts.trouble = "the smooth motion of a system is not finite: a smaller step may help";
      return;
    }
    // Already solved but for round-off: the point stays where f was evaluated.
    if (turn > 0 && (change <= kRoundOff * scale || size == 0 || (form.is_linear() && turn > 1) ||
                     (change >= 0.5 * last && change <= 1e-10 * scale)))
      return;
    if (turn >= s.model.scene.scheme.alpha.iterations) {
      tell_newton("of a system", turn, change / scale, s.model.scene.scheme.alpha.tolerance,
                  change <= s.model.scene.scheme.alpha.tolerance * scale, report);
      return;
    }
    last = change;
    work.w += work.change;
  }
}

// Followers go with their systems; then velocities of both as blocks of the level see them.
template <int Dim>
void AlphaStep<Dim>::place_systems(Level level) {
  for (SystemWork& work : system_work_)
    if (level == Level::position)
      work.seen = (work.slid - work.U) / weights_.h;
    else
      work.seen = work.v;
  s.work.parts.places.resize(s.model.parts.followers.size());
  for (std::size_t i = 0; i < s.model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& follower = s.model.parts.followers[i];
    const SystemWork& work = system_work_[follower.system];
    const int slot = s.work.parts.slot_of[follower.body];
    FollowerPlace<Dim>& place = s.work.parts.places[i];
    place_follower<Dim>(follower, work.q, work.v, 0, s.work.parts.scratch, place);
    s.work.motion.detection[slot] = place.pose;
    if (follower.is_facet()) s.work.detector.move_corners(slot, place.corners);
    put<Dim>(follower_velocity<Dim>(follower, place.placement, work.v0), s.work.motion.start[slot]);
    if (follower.is_facet())
      s.work.parts.stretch_start[slot] = follower_stretch<Dim>(follower, place, work.v0);
    SweepBody<Dim>& free = s.work.motion.free[slot];
    free = {};
    put<Dim>(follower_velocity<Dim>(follower, place.placement, work.seen), free);
    s.put_stretch(static_cast<int>(i), work.seen);
    Eigen::Map<Vec<Dim>>(free.inverse_mass) = follower.moves;
  }
}

// Inverses and free velocities of the degrees of freedom that take part in blocks.
template <int Dim>
void AlphaStep<Dim>::prepare_systems(Level level) {
  const double h = weights_.h;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    SmoothForm& form = *work.form;
    SystemPart& part = s.work.parts.coupling.systems[i];
    SmoothForm::Operator which = SmoothForm::plain;
    double damping = 0, stiffness = 0;
    const Eigen::VectorXd* velocity = &work.w;
    if (level == Level::smooth) {
      which = SmoothForm::smooth;
      damping = weights_.velocity, stiffness = weights_.position;
      form.solve_symmetric(which, work.pushed, work.change);
      work.rhs = work.v - work.change;
      velocity = &work.rhs;
    } else if (level == Level::position) {
      which = SmoothForm::position;
      damping = 0.5 * h, stiffness = 0.25 * h * h;
      work.rhs = (work.slid - work.U) / h;
      velocity = &work.rhs;
    } else if (level == Level::velocity) {
      which = SmoothForm::velocity;
      damping = 0.5 * h;
      velocity = &work.v1;
    }
    if (level != Level::smooth && !form.factorise(which, damping, stiffness)) {
      s.work.parts.trouble = form.trouble();
      continue;
    }
    form.fill_inverse(which, part.dofs, part.inverse);
    part.velocity.resize(static_cast<Eigen::Index>(part.dofs.size()));
    for (std::size_t k = 0; k < part.dofs.size(); ++k)
      part.velocity[static_cast<Eigen::Index>(k)] = (*velocity)[part.dofs[k]];
    part.impulse.setZero(part.velocity.size());
  }
}

// Displacements of a position problem: A_q (U - D) = G^T n. The solver knows the degrees of freedom of blocks alone.
template <int Dim>
void AlphaStep<Dim>::move_systems() {
  const double h = weights_.h;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    Node& node = nodes_[system_node(i)];
    if (node.settled) continue;
    work.looked_q = work.q;
    work.looked_U = work.U;
    const SystemPart& part = s.work.parts.coupling.systems[i];
    work.rhs.setZero(work.q.size());
    for (std::size_t k = 0; k < part.dofs.size(); ++k)
      work.rhs[part.dofs[k]] = h * part.impulse[static_cast<Eigen::Index>(k)];
    work.form->solve_symmetric(SmoothForm::position, work.rhs, work.change);
    work.change += work.slid;
    const double scale = work.q.cwiseAbs().maxCoeff() + (work.q - work.q0).cwiseAbs().maxCoeff();
    const double moved = (work.change - work.U).cwiseAbs().maxCoeff();
    node.moved = moved > 0 ? moved / scale : 0;
    work.q += work.change - work.U;
    work.U = work.change;
  }
}

template <int Dim>
void AlphaStep<Dim>::finish_system(int index) {
  SystemWork& work = system_work_[index];
  AlphaSystem& carried = systems_[index];
  SmoothForm& form = *work.form;
  const Vec<Dim> g = s.model.gravity_at(end_time());
  work.path = work.q - work.q0;
  carried.held = work.pushed / weights_.velocity + work.given;
  carried.rubbed = work.rubbed;
  form.evaluate(end_time(), work.q, work.v1, {g.data(), Dim});
  work.end = form.parts();
  work.end_force = form.force();
  work.rhs = form.force() + carried.held;
  carried.w = work.w;
  for (Eigen::Index i = 0; i < carried.w.size(); ++i)
    if (!form.is_driven(static_cast<int>(i))) carried.w[i] = 0;
  form.add_mass(-1, carried.w, work.rhs);
  if (form.factorise(SmoothForm::plain, 0, 0)) {
    form.solve_symmetric(SmoothForm::plain, work.rhs, work.change);
    carried.w += work.change;
  } else {
    s.work.parts.trouble = form.trouble();
  }
  if (is_index3())
    carried.a = carried.w;
  else
    weights_.next(work.w, work.before.w, work.before.a, carried.a);
  form.accept();
  s.state.parts.systems[index]->set_state(work.q, work.v1);
}

template <int Dim>
void AlphaStep<Dim>::move_followers() {
  for (std::size_t k = 0; k < s.model.parts.followers.size(); ++k) {
    const FollowerModel<Dim>& follower = s.model.parts.followers[k];
    put<Dim>(
        follower_velocity<Dim>(follower, s.work.parts.places[k].placement, system_work_[follower.system].v1),
        s.work.problem.bodies[s.work.parts.slot_of[follower.body]]);
    s.put_stretch(static_cast<int>(k), system_work_[follower.system].v1);
  }
}

template void AlphaStep<2>::move_followers();
template void AlphaStep<3>::move_followers();
template void AlphaStep<2>::open_systems();
template void AlphaStep<3>::open_systems();
template void AlphaStep<2>::predict_system(std::size_t);
template void AlphaStep<3>::predict_system(std::size_t);
template void AlphaStep<2>::solve_system(int, StepReport&);
template void AlphaStep<3>::solve_system(int, StepReport&);
template void AlphaStep<2>::place_systems(Level);
template void AlphaStep<3>::place_systems(Level);
template void AlphaStep<2>::prepare_systems(Level);
template void AlphaStep<3>::prepare_systems(Level);
template void AlphaStep<2>::move_systems();
template void AlphaStep<3>::move_systems();
template void AlphaStep<2>::finish_system(int);
template void AlphaStep<3>::finish_system(int);

}  // namespace saltus
