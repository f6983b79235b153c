#include "saltus/sim/alpha_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/base/large_buffer.hpp"
#include "saltus/base/timer.hpp"

namespace saltus {

namespace {

// Signorini's condition on the gap at the poses at hand: the law of the position problem.
const PairLaw& position_law() {
  static const PairLaw law = [] {
    PairLaw made;
    made.kind = LawKind::gap_signorini;
    return made;
  }();
  return law;
}

// What a law of the position problem must know: mean 1 makes g~ the gap that was detected.
ContactStep position_step(double h) {
  ContactStep step;
  step.h = h;
  step.mean = 1;
  step.detected_at_start = true;
  return step;
}

ContactStep velocity_step(double h, double tolerance) {
  ContactStep step;
  step.h = h;
  step.mean = 0.5;
  step.activation = Activation::implicit;
  step.forecast_known = true;
  step.detected_at_start = true;
  step.velocity_tolerance = tolerance;
  return step;
}

}  // namespace

template <int Dim>
AlphaStep<Dim>::AlphaStep(Engine& engine)
    : s(engine),
      weights_(engine.model.scene.scheme),
      bodies_(engine.state.alpha.bodies),
      systems_(engine.state.alpha.systems) {
  systems_.resize(s.state.parts.systems.size());
  for (std::size_t i = 0; i < systems_.size(); ++i)
    for (Eigen::VectorXd* x : {&systems_[i].a, &systems_[i].w, &systems_[i].held})
      x->setZero(s.state.parts.systems[i]->degrees_of_freedom());
  system_work_.resize(s.state.parts.systems.size());
}

template <int Dim>
bool AlphaStep<Dim>::lives(int slot) const {
  return s.state.bodies.alive(slot) && s.model.scene.bodies[s.state.bodies.id[slot]].follows < 0;
}
template <int Dim>
bool AlphaStep<Dim>::is_index3() const {
  return s.model.scene.scheme.kind == SchemeKind::alpha_index3;
}
template <int Dim>
double AlphaStep<Dim>::end_time() const {
  return s.time() + weights_.h;
}

template <int Dim>
StepReport AlphaStep<Dim>::take() {
  StepReport report;
  const double before = seconds(Clock::thread_cpu);
  begin(report);
  s.solve_contacts(report);
  if (!missed_.empty()) {
    report.status = StepStatus::unconverged;
    if (report.reason.empty()) report.reason = missed_;
  }
  correct(report);
  const double solved = seconds(Clock::thread_cpu);
  audit(report);
  s.state.summary.add(report);
  release_if_large(s.work.problem.contacts);
  s.state.summary.cpu.solve += solved - before;
  s.state.summary.cpu.audit += seconds(Clock::thread_cpu) - solved;
  return report;
}

template <int Dim>
void AlphaStep<Dim>::begin(StepReport& report) {
  s.apply_events();
  s.find_slots();
  s.work.parts.trouble.clear();
  missed_.clear();
  open();
  if (!s.state.alpha.started) start_accelerations();
  solve_smooth(report);
  if (!is_index3()) solve_positions(report);
  build_velocities();
}

// A body that comes in the course of a run starts with the acceleration of its forces alone.
template <int Dim>
void AlphaStep<Dim>::adopt_bodies() {
  bodies_.resize(s.state.bodies.slots());
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot) || bodies_[slot].id == s.state.bodies.id[slot]) continue;
    Twist<Dim> v;
    v << s.state.bodies.velocity[slot], s.state.bodies.spin[slot];
    AlphaBody<Dim> fresh;
    fresh.id = s.state.bodies.id[slot];
    fresh.w = fresh.a = over_mass(slot, body_force(slot, s.time(), s.state.bodies.pose[slot], v));
    bodies_[slot] = fresh;
  }
}

template <int Dim>
void AlphaStep<Dim>::open() {
  s.work.gravity = s.model.gravity_at(end_time());
  s.work.extra.clear();
  s.work.motion.resize(s.state.bodies.slots());
  std::fill(s.work.motion.load_place.begin(), s.work.motion.load_place.end(), -1);
  adopt_bodies();
  work_.resize(s.state.bodies.slots());
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    BodyWork& body = work_[slot];
    body.before = bodies_[slot];
    body.start = body.pose = s.state.bodies.pose[slot];
    body.v0 << s.state.bodies.velocity[slot], s.state.bodies.spin[slot];
    body.v = body.v1 = body.v0;
    body.w = body.before.w;
    body.path.setZero(), body.U.setZero(), body.given.setZero();
    body.pushed = weights_.velocity * body.before.held;
    body.impulse.setZero(), body.moment.setZero();
  }
  open_systems();
  joint_stored_ = s.state.parts.joints.count() > 0 ? s.state.parts.joints.stored_energy(s.work.parts.slot_of) : 0;
  // Rows where the bodies are: motors push along them in the first turn.
  fill_bodies(Level::smooth);
  place_systems(Level::smooth);
  if (s.state.parts.empty()) return;
  evaluate_rows(s.time());
  spring_rates_.clear();
  for (const JointRow<Dim>& row : rows_)
    if (row.kind == JointRowKind::spring)
      spring_rates_.push_back(s.state.parts.joints.states()[row.joint].rate[row.direction]);
}

// The accelerations that agree with the bilateral rows, G w + d(G v + g_t)/dt = 0: their derivative is taken along v.
template <int Dim>
void AlphaStep<Dim>::start_accelerations() {
  s.state.alpha.started = true;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    if (!work.form->factorise(SmoothForm::plain, 0, 0)) {
      s.work.parts.trouble = work.form->trouble();
      return;
    }
    work.form->solve(SmoothForm::plain, work.start_force, work.w);
  }
  // Springs, and forces of motors, are forces like others here.
  const auto take = [&] {
    for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
      if (lives(slot)) {
        BodyWork& body = work_[slot];
        bodies_[slot].w = body.w;
        bodies_[slot].a = body.w;
        bodies_[slot].held = body.pushed + body.given;
        body.before = bodies_[slot];
        body.pushed = weights_.velocity * (body.before.held - body.given);
      }
    for (std::size_t i = 0; i < system_work_.size(); ++i) {
      SystemWork& work = system_work_[i];
      systems_[i].a = systems_[i].w = work.w;
      systems_[i].held = work.pushed;
      work.before = systems_[i];
      work.pushed *= weights_.velocity;
      work.v_predicted = weights_.predicted_velocity(work.v0, systems_[i].w, systems_[i].a);
      work.q_predicted = work.q0 + weights_.predicted_path(work.v0, systems_[i].w, systems_[i].a);
    }
  };
  for (BodyWork& body : work_) body.pushed.setZero();
  for (SystemWork& work : system_work_) work.pushed.setZero();
  if (s.state.parts.empty() || !has_rows()) return take();

  const double step = 1e-2 * weights_.h, t = s.time();
  std::vector<double> rates[2];
  s.work.problem.contacts.clear();
  for (const int side : {0, 1}) {
    const double ahead = side == 0 ? -step : step;
    for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
      if (lives(slot)) {
        BodyWork& body = work_[slot];
        body.pose = body.start;
        body.pose.position += ahead * body.v0.template head<Dim>();
        body.pose.rotate(Spin<Dim>(ahead * s.state.bodies.spin_world(slot)));
      }
    for (SystemWork& work : system_work_) work.q = work.q0 + ahead * work.v0, work.v = work.v0;
    fill_bodies(Level::start);
    place_systems(Level::start);
    evaluate_rows(t + ahead);
    couple(Level::start);
    for (const TiedBlock& block : s.work.parts.coupling.blocks) {
      const Eigen::Vector3d u = rate_of(block, true);
      for (int k = 0; k < block.set.size; ++k) rates[side].push_back(u[k] + block.shift[k]);
    }
  }
  for (BodyWork& body : work_) body.pose = body.start;
  for (SystemWork& work : system_work_) work.q = work.q0;
  fill_bodies(Level::start);
  place_systems(Level::start);
  evaluate_rows(t);
  for (const JointRow<Dim>& row : rows_) {
    if (row.kind != JointRowKind::spring) continue;
    TiedBlock& block = add_block<Dim>(row, SetKind::space, s.work.parts.coupling);
    const Eigen::Vector3d u = rate_of(block, true);
    for (int e = 0; e < row.ends; ++e)
      if (lives(row.slot[e])) {
        Twist<Dim> push = Twist<Dim>::Zero();
        for (int k = 0; k < row.rows; ++k)
          push -= (row.stiffness * row.g[k] + row.damping * u[k]) * row.jacobian[e].col(k);
        BodyWork& body = work_[row.slot[e]];
        if constexpr (Dim == 3) push.template tail<3>() = body.pose.unrotated(Vec<3>(push.template tail<3>()));
        body.pushed += push;
      }
  }
  gather_given();
  std::vector<Twist<Dim>> springs(work_.size());
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot)) {
      springs[slot] = work_[slot].pushed;
      work_[slot].w += over_mass(slot, springs[slot] + work_[slot].given);
    }
  fill_bodies(Level::start);
  couple(Level::start);
  std::size_t at = 0;
  for (TiedBlock& block : s.work.parts.coupling.blocks)
    for (int k = 0; k < block.set.size; ++k, ++at)
      block.shift[k] = at < rates[0].size() ? (rates[1][at] - rates[0][at]) / (2 * step) : 0.0;
  s.work.problem.bodies.assign(s.work.motion.free.begin(), s.work.motion.free.end());
  GroupSolution solved = solve_blocks(1e-6);
  if (!solved.converged) missed_ = "accelerations at the start: " + solved.reason;
  gather_pushes();
  last_r_.clear();
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot)) {
      BodyWork& body = work_[slot];
      body.w += over_mass(slot, body.pushed);
      body.pushed += springs[slot];
    }
  for (SystemWork& work : system_work_) {
    work.form->solve_symmetric(SmoothForm::plain, work.pushed, work.change);
    work.w += work.change;
  }
  take();
}

template <int Dim>
void AlphaStep<Dim>::solve_smooth(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  double residual = 0, last = std::numeric_limits<double>::infinity();
  bool settled = true;
  int turn = 0;
  last_r_.clear();
  s.work.problem.contacts.clear();
  for (;; ++turn) {
    gather_given();
    for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
      if (lives(slot)) solve_body(slot);
    for (std::size_t i = 0; i < system_work_.size(); ++i) solve_system(static_cast<int>(i), report);
    fill_bodies(Level::smooth);
    if (s.state.parts.empty() || !s.work.parts.trouble.empty()) break;
    place_systems(Level::smooth);
    evaluate_rows(end_time());
    couple(Level::smooth);
    if (s.work.parts.coupling.blocks.empty() && turn > 1) break;
    residual = block_residual(last_r_);
    settled = residual <= options.tolerance;
    // A turn more once it is settled: round-off costs no more, and then nothing drifts.
    constexpr double kRoundOff = 1e-14;
    if (turn > 1 && (residual <= kRoundOff || (settled && residual >= 0.5 * last))) break;
    if (turn >= options.iterations) break;
    last = residual;
    s.work.problem.bodies.assign(s.work.motion.free.begin(), s.work.motion.free.end());
    solve_blocks(1e-6);
    gather_pushes();
  }
  tell_newton("of the smooth motion", turn, residual, settled, report);
}

template <int Dim>
void AlphaStep<Dim>::solve_positions(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  for (SystemWork& work : system_work_) work.force = work.form->force();
  double moved = 0;
  bool settled = false;
  int turn = 0;
  for (; turn < options.iterations && !settled && s.work.parts.trouble.empty(); ++turn) {
    fill_bodies(Level::position);
    place_systems(Level::position);
    s.state.contacts.match(s.with_membranes(s.detect_bodies()), s.state.bodies, s.model.laws, s.state.steps == 0 && turn == 0);
    s.work.detector.drop_contacts();
    for (Contact<Dim>& c : s.state.contacts.contacts()) c.law = &position_law();
    s.state.contacts.build_problem(position_step(weights_.h), s.model.scene.period, s.views(), s.work.problem);
    if (!s.state.parts.empty()) evaluate_rows(end_time());
    couple(Level::position);
    bool closed = turn > 0;
    for (const SweepContact<Dim>& row : s.work.problem.contacts) closed |= row.shift[0] < 0;
    for (const TiedBlock& block : s.work.parts.coupling.blocks)
      closed |= block.set.kind == SetKind::space || block.shift[0] < 0;
    if (!closed) break;
    const GroupSolution solved = solve_blocks(0.1);
    moved = 0;
    move_bodies(s.work.problem, moved);
    move_systems(moved);
    const double reached = std::max(options.tolerance, 4 * weights_.h * solved.tolerance / s.work.mean_length);
    settled = moved <= (s.work.problem.contacts.empty() ? options.tolerance : reached);
    if (!solved.converged && missed_.empty()) missed_ = "positions: " + solved.reason;
  }
  const bool reached = settled || turn < options.iterations;
  tell_newton("of the positions", turn, moved, reached, report);

  // Closed: pushed, or touching.
  contact_active_.assign(s.state.contacts.contacts().size(), 0);
  for (std::size_t i = 0; i < contact_active_.size(); ++i) {
    const Contact<Dim>& c = s.state.contacts.contacts()[i];
    const bool pushed = c.row >= 0 && turn > 0 && s.work.problem.contacts[c.row].r[0] > 0;
    contact_active_[i] = pushed || c.input.gap <= gap_round_off(c.point.cwiseAbs().maxCoeff());
  }
  const auto is_closed = [&](int block, double g) {
    return (block >= 0 && turn > 0 && s.work.parts.coupling.blocks[block].r[0] > 0) || g <= 0;
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) row_active_[i] = is_closed(row_block_[i], rows_[i].g[0]);
  for (GapRow& row : gap_rows_) row.active = is_closed(row.block, row.value[0]);
}

template <int Dim>
void AlphaStep<Dim>::build_velocities() {
  const double h = weights_.h;
  for (SystemWork& work : system_work_) {
    work.v1 = work.v;
    if (is_index3() || !s.work.parts.trouble.empty()) continue;
    work.X.setZero();
    const Vec<Dim> g = s.model.gravity_at(end_time());
    if (work.U.isZero(0)) {
      work.form->factorise(SmoothForm::velocity, 0.5 * h, 0);
      continue;
    }
    work.form->evaluate(end_time(), work.q, work.v, {g.data(), Dim});
    work.form->factorise(SmoothForm::velocity, 0.5 * h, 0);
    work.X = 0.5 * h * (work.form->force() - work.force);
    work.form->solve_symmetric(SmoothForm::velocity, work.X, work.change);
    work.v1 += work.change;
  }
  fill_bodies(Level::velocity);
  place_systems(Level::velocity);
  std::size_t i = 0;
  for (Contact<Dim>& c : s.state.contacts.contacts()) {
    c.law = &s.model.laws.require(s.state.bodies.model[c.a].material, s.state.bodies.model[c.b].material);
    c.input.forecast = contact_active_[i++] != 0;
  }
  if (is_index3()) s.state.contacts.contacts().clear();
  s.work.law_points.clear();
  s.state.contacts.build_problem(velocity_step(h, s.work.velocity_tolerance), s.model.scene.period, s.views(), s.work.problem);
  if (s.state.parts.empty()) return;
  // Followers are seen at the velocity that A_v makes of them.
  for (std::size_t k = 0; k < s.model.parts.followers.size(); ++k) {
    const FollowerModel<Dim>& follower = s.model.parts.followers[k];
    const Twist<Dim> v = follower_velocity<Dim>(follower, s.work.parts.places[k].placement,
                                                system_work_[follower.system].v1);
    SweepBody<Dim>& free = s.work.problem.bodies[s.work.parts.slot_of[follower.body]];
    for (int d = 0; d < Dim; ++d) free.v[d] = v[d];
    for (int d = 0; d < kSpins<Dim>; ++d) free.w[d] = v[Dim + d];
  }
  evaluate_rows(end_time());
  if (is_index3()) {
    // Nothing is left for velocities to hold.
    s.work.parts.coupling.clear_blocks();
    s.work.parts.coupling.index(s.state.bodies.slots());
    return;
  }
  couple(Level::velocity);
}

// Impulses become memory, velocities and places.
template <int Dim>
void AlphaStep<Dim>::correct(StepReport& report) {
  const double h = weights_.h;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    if (!is_index3() && s.work.parts.trouble.empty()) {
      const SystemPart& part = s.work.parts.coupling.systems[i];
      for (std::size_t k = 0; k < part.dofs.size(); ++k)
        work.impulse[part.dofs[k]] = part.impulse[static_cast<Eigen::Index>(k)];
      work.form->solve_symmetric(SmoothForm::velocity, work.impulse, work.change);
      work.v1 += work.change;
      work.W = work.v1 - work.v;
      work.form->add_tangent(-0.5 * h, 0, work.W, work.X);
    }
    if (s.work.parts.trouble.empty()) finish_system(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < s.model.parts.followers.size(); ++k) {
    const FollowerModel<Dim>& follower = s.model.parts.followers[k];
    const Twist<Dim> v = follower_velocity<Dim>(follower, s.work.parts.places[k].placement,
                                                system_work_[follower.system].v1);
    SweepBody<Dim>& solved = s.work.problem.bodies[s.work.parts.slot_of[follower.body]];
    for (int d = 0; d < Dim; ++d) solved.v[d] = v[d];
    for (int d = 0; d < kSpins<Dim>; ++d) solved.w[d] = v[Dim + d];
  }
  s.count_bonds(s.state.contacts.update(velocity_step(h, s.work.velocity_tolerance), s.model.scene.period, s.views(), s.work.problem),
                report);
  for (Contact<Dim>& c : s.state.contacts.contacts()) c.gap_end = c.input.gap;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot)) finish_body(slot);
  correct_gaps();
  correct_joints();
  s.place_followers();
  ++s.state.steps;
}

template <int Dim>
void AlphaStep<Dim>::correct_gaps() {
  const double share = weights_.h / weights_.velocity;
  std::size_t at = 0;
  // Impulses of smooth rows, in the order of their blocks: joints first.
  for (const JointRow<Dim>& row : rows_)
    if (is_smooth(row)) at += static_cast<std::size_t>(row.rows);
  for (std::size_t i = 0; i < s.model.parts.gaps.size(); ++i) {
    const SystemGap& gap = s.model.parts.gaps[i];
    const GapRow& row = gap_rows_[i];
    GapState& memory = s.state.parts.gaps[i];
    GapStep& now = s.work.parts.gaps[i];
    const bool smooth = gap.is_constraint || (is_index3() && s.model.scene.scheme.alpha.direct_gaps);
    const double steady = smooth && at < last_r_.size() ? share * last_r_[at] : 0.0;
    if (smooth) ++at;
    now.block = row.block;
    now.gap_end = row.value[0];
    now.velocity = row.rate;
    const Eigen::VectorXd& v = system_work_[gap.system].v1;
    for (std::size_t k = 0; k < gap.dofs.size(); ++k)
      now.velocity.head(gap.size()) += row.jacobian.row(static_cast<Eigen::Index>(k)).transpose() * v[gap.dofs[k]];
    memory.history.impulse.setZero();
    if (row.block >= 0 && !is_index3())
      memory.history.impulse.head(gap.size()) = s.work.parts.coupling.blocks[row.block].r;
    memory.history.impulse[0] += steady;
    memory.started = true;
    if (gap.is_constraint) continue;
    if (row.block < 0 || is_index3()) {
      now.block = -1;
      memory.history.status = steady > 0 ? ContactStatus::stick : ContactStatus::inactive;
      continue;
    }
    LawResult result;
    result.r = memory.history.impulse;
    result.u_hat = now.velocity + now.terms.shift;
    result.gap_end = now.gap_end;
    result.velocity_tolerance = s.work.velocity_tolerance;
    update_history(alpha_law(gap.law), now.input, now.terms, result, memory.history);
  }
}

// What joints tell of the step: h times the smooth force, and the impulse of the velocity problem.
template <int Dim>
void AlphaStep<Dim>::correct_joints() {
  if (s.state.parts.joints.count() == 0) return;
  const double h = weights_.h, share = h / weights_.velocity;
  std::vector<JointState>& states = s.state.parts.joints.states();
  for (JointState& state : states) {
    state.impulse.setZero(), state.moment.setZero();
    state.turning[0].setZero(), state.turning[1].setZero();
    state.row = state.motor_work = 0;
    state.started = true;
    std::fill(state.effort.begin(), state.effort.end(), 0.0);
    std::fill(state.motor.begin(), state.motor.end(), 0.0);
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const JointRow<Dim>& row = rows_[i];
    JointState& state = states[row.joint];
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    for (int k = 0; is_smooth(row) && k < row.rows; ++k, ++at)
      if (at < last_r_.size()) r[k] += share * last_r_[at];
    if (row.kind == JointRowKind::push) r[0] = h * row.bound;
    if (!is_index3() && row_block_[i] >= 0)
      for (int k = 0; k < row.rows; ++k) r[k] += s.work.parts.coupling.blocks[row_block_[i]].r[k];
    const Joint<Dim>& joint = s.state.parts.joints.joint(row.joint);
    if (row.direction >= 0 && row.rows == 1) {
      state.effort[row.direction] += row.sign * r[0];
      if (row.is_motor) state.motor[row.direction] += r[0];
    }
    const bool combined = row.direction < 0 && !joint.combined.empty() && row.rows == 1 &&
                          (joint.kind == JointKind::gear || joint.kind == JointKind::pulley ||
                           joint.kind == JointKind::screw);
    if (combined) {
      state.row = row.sign * r[0];
      continue;
    }
    const int b = joint.pair.b < 0 ? -1 : s.work.parts.slot_of[joint.pair.b];
    for (int e = 0; e < row.ends; ++e) {
      if (row.slot[e] != b) continue;
      Twist<Dim> push = Twist<Dim>::Zero();
      for (int k = 0; k < row.rows; ++k) push += row.jacobian[e].col(k) * r[k];
      const Vec<Dim> impulse = push.template head<Dim>();
      const Spin<Dim> turning = push.template tail<kSpins<Dim>>() - moment(row.arm, impulse);
      for (int d = 0; d < Dim; ++d) state.impulse[d] += impulse[d];
      for (int d = 0; d < kSpins<Dim>; ++d) state.moment[3 - kSpins<Dim> + d] += turning[d];
    }
  }
}

template AlphaStep<2>::AlphaStep(Engine&);
template AlphaStep<3>::AlphaStep(Engine&);
template StepReport AlphaStep<2>::take();
template StepReport AlphaStep<3>::take();
template void AlphaStep<2>::begin(StepReport&);
template void AlphaStep<3>::begin(StepReport&);
template bool AlphaStep<2>::lives(int) const;
template bool AlphaStep<3>::lives(int) const;
template bool AlphaStep<2>::is_index3() const;
template bool AlphaStep<3>::is_index3() const;
template double AlphaStep<2>::end_time() const;
template double AlphaStep<3>::end_time() const;
template void AlphaStep<2>::open();
template void AlphaStep<3>::open();
template void AlphaStep<2>::adopt_bodies();
template void AlphaStep<3>::adopt_bodies();
template void AlphaStep<2>::start_accelerations();
template void AlphaStep<3>::start_accelerations();
template void AlphaStep<2>::solve_smooth(StepReport&);
template void AlphaStep<3>::solve_smooth(StepReport&);
template void AlphaStep<2>::solve_positions(StepReport&);
template void AlphaStep<3>::solve_positions(StepReport&);
template void AlphaStep<2>::build_velocities();
template void AlphaStep<3>::build_velocities();
template void AlphaStep<2>::correct(StepReport&);
template void AlphaStep<3>::correct(StepReport&);
template void AlphaStep<2>::correct_gaps();
template void AlphaStep<3>::correct_gaps();
template void AlphaStep<2>::correct_joints();
template void AlphaStep<3>::correct_joints();

}  // namespace saltus
