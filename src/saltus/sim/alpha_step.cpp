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

}  // namespace

template <int Dim>
AlphaStep<Dim>::AlphaStep(Engine& engine)
    : s(engine),
      weights_(engine.model.scene.scheme),
      bodies_(engine.state.alpha.bodies),
      systems_(engine.state.alpha.systems) {
  systems_.resize(s.state.parts.systems.size());
  for (std::size_t i = 0; i < systems_.size(); ++i)
    for (Eigen::VectorXd* x : {&systems_[i].a, &systems_[i].w, &systems_[i].held, &systems_[i].rubbed})
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

// What laws of the velocity problem must know: which contacts act has been decided on positions.
template <int Dim>
ContactStep AlphaStep<Dim>::velocity_step() const {
  ContactStep step;
  step.h = weights_.h;
  step.mean = 0.5;
  step.activation = Activation::implicit;
  step.forecast_known = true;
  step.detected_at_start = true;
  step.velocity_tolerance = s.work.velocity_tolerance;
  step.velocity_tolerances = s.work.row_tolerances;
  return step;
}

template <int Dim>
StepReport AlphaStep<Dim>::take() {
  StepReport report;
  const double before = seconds(Clock::thread_cpu);
  begin(report);
  s.solve_contacts(report);
  solve_friction(report);
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
  s.find_surfaces();
  s.work.parts.trouble.clear();
  missed_.clear();
  open();
  if (!s.state.alpha.started) start_accelerations();
  solve_smooth(report);
  missed_smooth_ = missed_;
  if (!is_index3()) {
    for (SystemWork& work : system_work_) work.force = work.form->force();
    slide();
    solve_positions(report);
  }
  build_velocities();
}

// Positions and velocities once more where friction moves other than they were solved with. More turns change nothing that is
// worth them: a thrown bar is where it was to 0.5 % of its error, and a pile takes twice as long.
template <int Dim>
void AlphaStep<Dim>::solve_friction(StepReport& report) {
  if (is_index3() || !s.work.parts.trouble.empty()) return;
  gather_rubs();
  if (slide() <= settled_) return;
  const auto iterations = report.iterations;
  const auto updates = report.contact_updates;
  missed_ = missed_smooth_;
  solve_positions(report);
  build_velocities();
  s.solve_contacts(report);
  gather_rubs();
  report.iterations += iterations;
  report.contact_updates += updates;
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
    body.path.setZero(), body.U.setZero(), body.given.setZero(), body.slid.setZero();
    body.rubbed = body.before.rubbed;
    body.pushed = weights_.velocity * body.before.held;
  }
  open_systems();
  round_off_ = place_round_off();
  joint_stored_ =
      s.state.parts.joints.count() > 0 ? s.state.parts.joints.stored_energy(s.work.parts.slot_of) : 0;
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

// Index-3 rows ask for the velocity that takes back g(q~): places are known to a round-off, and no better than over the time in which v~ moves
// them. Rows that repeat others contradict them by as much.
template <int Dim>
double AlphaStep<Dim>::place_round_off() const {
  if (!is_index3()) return 0;
  double farthest = 0;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot)) farthest = std::max(farthest, s.state.bodies.pose[slot].position.cwiseAbs().maxCoeff());
  for (const SystemWork& work : system_work_)
    if (work.q0.size() > 0) farthest = std::max(farthest, work.q0.cwiseAbs().maxCoeff());
  return gap_round_off(farthest) * weights_.velocity / weights_.position;
}

// How much v~ changed since it was looked at last, relative to its parts. Pushes of joints that cancel leave round-off.
template <int Dim>
double AlphaStep<Dim>::smooth_change() {
  double largest = 0;
  const auto look = [&](const auto& v, const auto& w, double pushed, auto& last) {
    constexpr double kRoundOff = 1e-13;
    const double scale = v.norm() + weights_.h * w.norm(), change = (v - last).norm();
    if (change > kRoundOff * pushed + round_off_) largest = std::max(largest, change / scale);
    last = v;
  };
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot))
      look(work_[slot].v, work_[slot].w, over_mass(slot, work_[slot].pushed).norm(), work_[slot].v1);
  for (SystemWork& work : system_work_) look(work.v, work.w, 0, work.v1);
  return largest;
}

// Each turn solves the equations of motion with the impulses of the last, and then the rows where that leads: once neither moves,
// rows hold and their impulses act along the Jacobians of q~.
template <int Dim>
void AlphaStep<Dim>::solve_smooth(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  constexpr double kRoundOff = 1e-14, kStill = 1e-12;
  double residual = 0, last = std::numeric_limits<double>::infinity();
  bool settled = true;
  int turn = 0;
  last_r_.clear();
  s.work.problem.contacts.clear();
  for (SystemWork& work : system_work_) work.v1 = work.v;
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
    if (!s.work.parts.coupling.blocks.empty()) {
      const double lack = block_residual(last_r_), change = smooth_change();
      residual = std::max(lack, change);
      settled = residual <= options.tolerance;
      // Beyond the tolerance to round-off, which costs a turn at most: then nothing drifts.
      if (turn > 0 && ((lack <= kRoundOff && change <= kStill) || (settled && residual >= 0.5 * last))) break;
      if (turn >= options.iterations) break;
      last = residual;
      s.work.problem.bodies.assign(s.work.motion.free.begin(), s.work.motion.free.end());
      solve_blocks(1e-6);
    }
    gather_pushes();
  }
  tell_newton("of the smooth motion", turn, residual, options.tolerance, settled, report);
}

template <int Dim>
void AlphaStep<Dim>::solve_positions(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  double moved = 0, allowed = options.tolerance;
  settled_ = allowed;
  bool settled = false;
  int turn = 0;
  for (; turn < options.iterations && !settled && s.work.parts.trouble.empty(); ++turn) {
    fill_bodies(Level::position);
    place_systems(Level::position);
    s.state.contacts.match(s.with_membranes(s.detect_bodies()), s.state.bodies, s.model.laws, weights_.h,
                           s.state.steps == 0 && turn == 0, s.work.parts.surface_of);
    s.work.detector.drop_contacts();
    for (Contact<Dim>& c : s.state.contacts.contacts()) c.law = &position_law();
    s.state.contacts.build_problem(position_step(weights_.h), s.model.scene.period, s.views(),
                                   s.work.problem);
    if (!s.state.parts.empty()) evaluate_rows(end_time());
    couple(Level::position);
    bool closed = turn > 0 || !is_slid();
    for (const SweepContact<Dim>& row : s.work.problem.contacts) closed |= row.shift[0] < 0;
    for (const TiedBlock& block : s.work.parts.coupling.blocks)
      closed |= block.set.kind == SetKind::space || block.shift[0] < 0;
    if (!closed) break;
    const GroupSolution solved = solve_blocks(0.1);
    moved = 0;
    move_bodies(s.work.problem, moved);
    move_systems(moved);
    // The tolerance of contacts is a mean over all of them: one may be off by the root of their number times as much.
    const double count = static_cast<double>(s.work.problem.contacts.size());
    allowed = std::max(options.tolerance,
                       4 * weights_.h * solved.tolerance * std::sqrt(count) / s.work.mean_length);
    settled = moved <= allowed;
    settled_ = allowed;
    if (!solved.converged && missed_.empty()) missed_ = "positions: " + solved.reason;
  }
  const bool reached = settled || turn < options.iterations;
  tell_newton("of the positions", turn, moved, allowed, reached, report);

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
  s.state.contacts.build_problem(velocity_step(), s.model.scene.period, s.views(), s.work.problem);
  if (s.state.parts.empty()) return;
  // Followers are seen at the velocity that A_v makes of them.
  move_followers();
  evaluate_rows(end_time());
  if (is_index3()) {
    // Nothing is left for velocities to hold.
    s.work.parts.coupling.clear_blocks();
    s.work.parts.coupling.index(s.state.bodies.slots());
    return;
  }
  couple(Level::velocity);
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
template ContactStep AlphaStep<2>::velocity_step() const;
template ContactStep AlphaStep<3>::velocity_step() const;
template double AlphaStep<2>::end_time() const;
template double AlphaStep<3>::end_time() const;
template void AlphaStep<2>::open();
template void AlphaStep<3>::open();
template double AlphaStep<2>::place_round_off() const;
template double AlphaStep<3>::place_round_off() const;
template double AlphaStep<2>::smooth_change();
template double AlphaStep<3>::smooth_change();
template void AlphaStep<2>::solve_smooth(StepReport&);
template void AlphaStep<3>::solve_smooth(StepReport&);
template void AlphaStep<2>::solve_positions(StepReport&);
template void AlphaStep<3>::solve_positions(StepReport&);
template void AlphaStep<2>::solve_friction(StepReport&);
template void AlphaStep<3>::solve_friction(StepReport&);
template void AlphaStep<2>::build_velocities();
template void AlphaStep<3>::build_velocities();

}  // namespace saltus
