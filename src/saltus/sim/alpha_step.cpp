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
  find_held_overlaps();
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
  if (!open_slid()) return;
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
  joint_stored_ =
      s.state.parts.joints.count() > 0 ? s.state.parts.joints.stored_energy(s.work.parts.slot_of) : 0;
  // Rows where the bodies are: motors push along them in the first turn.
  fill_bodies(Level::smooth);
  place_systems(Level::smooth);
  if (!s.state.parts.empty()) evaluate_rows(s.time());
  open_motors();
  find_parts();
  spring_rates_.clear();
  for (const JointRow<Dim>& row : rows_)
    if (row.kind == JointRowKind::spring)
      spring_rates_.push_back(s.state.parts.joints.states()[row.joint].rate[row.direction]);
}

// How much v~ changed since it was looked at last, relative to its parts. Pushes of joints that cancel leave round-off.
template <int Dim>
void AlphaStep<Dim>::find_smooth_change() {
  const auto look = [&](int node, const auto& v, const auto& w, double pushed, auto& last) {
    if (!is_open(node)) return;
    constexpr double kRoundOff = 1e-13;
    double& largest = parts_[nodes_[node].part].change;
    const double scale = v.norm() + weights_.h * w.norm(), change = (v - last).norm();
    if (change > kRoundOff * pushed + nodes_[node].round_off) largest = std::max(largest, change / scale);
    last = v;
  };
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot))
      look(slot, work_[slot].v, work_[slot].w, over_mass(slot, work_[slot].pushed).norm(), work_[slot].v1);
  for (std::size_t i = 0; i < system_work_.size(); ++i)
    look(system_node(i), system_work_[i].v, system_work_[i].w, 0, system_work_[i].v1);
}

// Which connected parts of the smooth problem are solved after this turn.
template <int Dim>
void AlphaStep<Dim>::judge_smooth(int turn) {
  const double tolerance = s.model.scene.scheme.alpha.tolerance;
  constexpr double kRoundOff = 1e-14, kStill = 1e-12;
  for (SmoothPart& part : parts_) part.lack = part.change = 0, part.has_blocks = false;
  find_block_residuals(last_r_);
  find_smooth_change();
  for (std::size_t node = 0; node < parts_.size(); ++node) {
    SmoothPart& part = parts_[node];
    if (!part.open) continue;
    if (!part.has_blocks) {
      const bool is_body = static_cast<int>(node) < s.state.bodies.slots();
      part.open = turn <= 1 && !(is_body && !nodes_[node].tied);
      continue;
    }
    part.residual = std::max(part.lack, part.change);
    part.settled = part.residual <= tolerance;
    // Beyond the tolerance to round-off, which costs a turn at most: then nothing drifts.
    if (turn > 0 && ((part.lack <= kRoundOff && part.change <= kStill) ||
                     (part.settled && part.residual >= 0.5 * part.last)))
      part.open = false;
    part.last = part.residual;
  }
}

// Each turn solves the equations of motion with the impulses of the last, and then the rows where that leads: once neither moves,
// rows hold and their impulses act along the Jacobians of q~.
template <int Dim>
void AlphaStep<Dim>::solve_smooth(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  int turn = 0;
  last_r_.clear();
  s.work.problem.contacts.clear();
  for (SystemWork& work : system_work_) work.v1 = work.v;
  for (;; ++turn) {
    gather_given();
    for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
      if (lives(slot) && is_open(slot)) solve_body(slot);
    for (std::size_t i = 0; i < system_work_.size(); ++i)
      if (is_open(system_node(i))) solve_system(static_cast<int>(i), report);
    fill_bodies(Level::smooth);
    if (s.state.parts.empty() || !s.work.parts.trouble.empty()) break;
    place_systems(Level::smooth);
    evaluate_rows(end_time());
    couple(Level::smooth);
    judge_smooth(turn);
    if (turn >= options.iterations ||
        std::none_of(parts_.begin(), parts_.end(), [](const SmoothPart& part) { return part.open; }))
      break;
    s.work.problem.bodies.assign(s.work.motion.free.begin(), s.work.motion.free.end());
    if (!s.work.parts.coupling.blocks.empty()) solve_blocks(1e-6);
    gather_pushes();
  }
  double residual = 0;
  bool settled = true;
  for (const SmoothPart& part : parts_) {
    residual = std::max(residual, part.residual);
    settled &= part.settled;
  }
  tell_newton("of the smooth motion", turn, residual, options.tolerance, settled, report);
}

// In turns, each connected group until it is settled. What is settled is looked at where it was before it moved for the last time, so that
// its contacts stay the ones that it was solved with.
template <int Dim>
void AlphaStep<Dim>::solve_positions(StepReport& report) {
  const AlphaOptions& options = s.model.scene.scheme.alpha;
  double moved = 0, allowed = options.tolerance;
  bool open = true, looked = false;
  int turn = 0;
  for (; turn < options.iterations && open && s.work.parts.trouble.empty(); ++turn) {
    looked = true;
    exchange_settled();
    fill_bodies(Level::position);
    place_systems(Level::position);
    s.state.contacts.match(s.with_membranes(s.detect_bodies()), s.state.bodies, s.model.laws, weights_.h,
                           s.state.steps == 0 && turn == 0, s.work.parts.surface_of);
    s.work.detector.drop_contacts();
    for (Contact<Dim>& c : s.state.contacts.contacts()) c.law = &position_law();
    take_held_overlaps(true);
    s.state.contacts.build_problem(position_step(weights_.h), s.model.scene.period, s.views(),
                                   s.work.problem);
    if (!s.state.parts.empty()) evaluate_rows(end_time());
    couple(Level::position);
    open = open_groups();
    if (open) {
      const GroupSolution solved = solve_blocks(0.1);
      move_bodies(s.work.problem);
      move_systems();
      if (!solved.converged && missed_.empty()) missed_ = "positions: " + solved.reason;
    }
    exchange_settled();
    if (!open) break;
    open = judge_groups(moved, allowed);
  }
  tell_newton("of the positions", turn, moved, allowed, !open, report);

  // Closed: pushed, or touching.
  contact_active_.assign(s.state.contacts.contacts().size(), 0);
  for (std::size_t i = 0; i < contact_active_.size(); ++i) {
    const Contact<Dim>& c = s.state.contacts.contacts()[i];
    const bool solved = std::max(turns_of(c.a), turns_of(c.b)) > 0;
    const bool pushed = c.row >= 0 && solved && s.work.problem.contacts[c.row].r[0] > 0;
    contact_active_[i] = pushed || c.input.gap <= gap_round_off(c.point.cwiseAbs().maxCoeff());
  }
  if (looked) take_held_overlaps(false);
  const auto is_closed = [&](int block, int turns, double g) {
    return (block >= 0 && turns > 0 && s.work.parts.coupling.blocks[block].r[0] > 0) || g <= 0;
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    int turns = 0;
    for (int e = 0; e < rows_[i].ends; ++e) turns = std::max(turns, turns_of(rows_[i].slot[e]));
    row_active_[i] = is_closed(row_block_[i], turns, rows_[i].g[0]);
  }
  for (std::size_t i = 0; i < gap_rows_.size(); ++i) {
    GapRow& row = gap_rows_[i];
    const int node = system_node(static_cast<std::size_t>(s.model.parts.gaps[i].system));
    row.active = is_closed(row.block, nodes_[node].turns, row.value[0]);
  }
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
template void AlphaStep<2>::find_smooth_change();
template void AlphaStep<3>::find_smooth_change();
template void AlphaStep<2>::judge_smooth(int);
template void AlphaStep<3>::judge_smooth(int);
template void AlphaStep<2>::solve_smooth(StepReport&);
template void AlphaStep<3>::solve_smooth(StepReport&);
template void AlphaStep<2>::solve_positions(StepReport&);
template void AlphaStep<3>::solve_positions(StepReport&);
template void AlphaStep<2>::solve_friction(StepReport&);
template void AlphaStep<3>::solve_friction(StepReport&);
template void AlphaStep<2>::build_velocities();
template void AlphaStep<3>::build_velocities();

}  // namespace saltus
