#include "saltus/sim/system_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

RowValues evaluate_rows(const SystemGap& gap, const Eigen::VectorXd& q, double t, Eigen::MatrixXd& jacobian) {
  RowValues result;
  jacobian.setZero(static_cast<Eigen::Index>(gap.dofs.size()), gap.size());
  for (int r = 0; r < gap.size(); ++r) {
    const CoordinateFunction& f = *gap.rows[r];
    const auto count = static_cast<Eigen::Index>(f.dofs().size());
    if (f.dofs() == gap.dofs) {
      result.value[r] = f.evaluate(q, t, jacobian.col(r), result.rate[r]);
      continue;
    }
    Eigen::VectorXd gradient(count);
    result.value[r] = f.evaluate(q, t, gradient, result.rate[r]);
    for (Eigen::Index i = 0, k = 0; i < count; ++i) {
      while (gap.dofs[k] != f.dofs()[i]) ++k;
      jacobian(k, r) = gradient[i];
    }
  }
  return result;
}

namespace {

// H^T v + df/dt.
Eigen::Vector3d row_velocity(const SystemGap& gap, const Eigen::MatrixXd& jacobian,
                             const Eigen::Vector3d& rate, const Eigen::VectorXd& v) {
  Eigen::Vector3d u = rate;
  for (std::size_t i = 0; i < gap.dofs.size(); ++i)
    u.head(gap.size()) += jacobian.row(static_cast<Eigen::Index>(i)).transpose() * v[gap.dofs[i]];
  return u;
}

// The law of a gap, as a contact's: which shift, which cone. False: not active.
bool fill_gap_terms(const SystemGap& gap, const ContactHistory& history, GapStep& now) {
  LawInput& input = now.input;
  const bool was_active = history.status != ContactStatus::inactive;
  if (gap.release_above >= 0 && was_active && !(now.gap > gap.release_above && input.u[0] >= 0)) {
    input.activation = Activation::landing;
    input.forecast = true;
  }
  if (needs_forecast(gap.law.kind) && !input.on_positions) {
    input.gap -= gap.active_below;
    input.gap_consistent -= gap.active_below;
  }
  now.terms = compute_terms(gap.law, input, history);
  return now.terms.active;
}

// Fills shift, set and compliance of an active gap.
void fill_gap_block(const GapStep& now, TiedBlock& block) {
  const int rows = block.set.size;
  block.set.kind = rows > 1 ? SetKind::coulomb : SetKind::half_line;
  block.mu = now.terms.mu;
  block.shift = now.terms.shift.head(rows) + now.rate.head(rows);
  block.compliance = Eigen::VectorXd::Constant(rows, now.terms.compliance_tangent);
  block.compliance[0] = now.terms.compliance_normal;
}

// What a step leaves behind of `off`, the velocity that breaks a constraint at its start. Carried along it would change its
// sign in every step and never decay. What the curvature of the constraint does not explain (it makes `bent` in half a step, and
// off of the next order) goes at once; of the rest what alternates goes, by the filter e_1 = -e + b (e - e_before) whose two
// roots agree, so that a steady part, which is no ringing, stays and costs no work.
double taken_off(double off, double bent, double before, double& kept) {
  constexpr double kFilter = 3 - 2 * std::numbers::sqrt2;
  const bool goes = std::isnan(before) || std::abs(off) > std::abs(bent);
  kept = goes ? 0 : off;
  return goes ? off : kFilter * (off - before);
}

void fill_constraint_block(const SystemGap& gap, const GapStep& now, const SchemeOptions& scheme, double off,
                           TiedBlock& block) {
  constexpr double kSteps = 10;
  const double mean = scheme.mean(), h = scheme.h;
  const double time = now.input.on_positions       ? h
                      : gap.stabilisation_time < 0 ? kSteps * h
                                                   : gap.stabilisation_time;
  block.set.kind = SetKind::space;
  const double back = time > 0 ? now.gap / std::max(time, h) : 0.0;
  block.shift = Eigen::VectorXd::Constant(1, now.rate[0] + (1 - mean) / mean * (now.before[0] - off) + back);
  block.compliance = Eigen::VectorXd::Zero(1);
}

// Laws on positions: g(q_(k+1)) linearised at the end of the free step, in u = H^T v + df/dt, and g(q_(k-1)), which the step
// before this one left from. What the law is told as g and u- gives it both.
void place_on_positions(const SystemGap& gap, const System& system, double t, double h,
                        Eigen::VectorXd& place, GapStep& now) {
  const CoordinateFunction& f = *gap.rows[0];
  place = system.coordinates() - h * system.velocity();
  const double last = f.value(place, t - h);
  place = system.coordinates() + h * system.free_velocity();
  const RowValues there = evaluate_rows(gap, place, t + h, now.jacobian);
  now.rate = there.rate;
  const Eigen::Vector3d free = row_velocity(gap, now.jacobian, now.rate, system.free_velocity());
  now.before = row_velocity(gap, now.jacobian, now.rate, system.velocity());
  now.velocity = free;
  const double rest = there.value[0] - h * free[0];
  now.input.gap = now.input.gap_consistent = rest;
  now.input.u = now.before;
  now.input.u[0] = (rest - last) / h;
  now.input.u_free = free;
  if (gap.is_constraint) now.gap = rest;
}

}  // namespace

std::string describe_gap(const SystemGap& gap) {
  const std::string text = gap.rows[0]->text();
  return fmt::format("{}{}{}", gap.is_constraint ? "constraint" : "gap",
                     gap.name.empty() ? "" : " \"" + gap.name + '"', text.empty() ? "" : " \"" + text + '"');
}

std::string describe_not_finite(const SystemGap& gap, double t, const Eigen::VectorXd& q) {
  return fmt::format("{} of system {} is not finite, or its derivative, at t = {:.6g} s, q = ({:.6g})",
                     describe_gap(gap), gap.system, t, fmt::join(q.data(), q.data() + q.size(), ", "));
}

std::vector<std::string> describe_overlaps(const std::vector<SystemGap>& gaps) {
  std::vector<std::string> result;
  for (const SystemGap& gap : gaps)
    if (gap.overlap > 0)
      result.push_back(fmt::format(
          "{}{} of system {} is {:.6g} at the start, an overlap: laws on velocities leave it, those on "
          "positions take it back at once",
          gap.where.empty() ? "" : gap.where + ": ", describe_gap(gap), gap.system, -gap.overlap));
  return result;
}

template <int Dim>
void Simulation<Dim>::Engine::add_gaps() {
  const SchemeOptions& scheme = work.scheme;
  const double h = scheme.h, mean = scheme.mean(), t = time();
  const double advance = scheme.jacobian_at == JacobianAt::detection ? (1 - mean) * h : 0.0;
  work.parts.trouble.clear();
  for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
    const SystemGap& gap = model.parts.gaps[i];
    GapState& kept = state.parts.gaps[i];
    GapStep& now = work.parts.gaps[i];
    const System& system = *state.parts.systems[gap.system];
    const Eigen::VectorXd &q = system.coordinates(), &v = system.velocity();
    now.block = -1;
    // At the start, then where H is taken.
    RowValues there = evaluate_rows(gap, q, t, now.jacobian);
    now.gap = there.value[0];
    const Eigen::Vector3d start = row_velocity(gap, now.jacobian, there.rate, v);
    if (advance > 0) {
      work.parts.place_q = q + advance * v;
      there = evaluate_rows(gap, work.parts.place_q, t + advance, now.jacobian);
    }
    now.rate = there.rate;
    now.before = row_velocity(gap, now.jacobian, now.rate, v);
    if (scheme.jacobian_at == JacobianAt::predicted) {
      const Eigen::VectorXd* linearised_at = system.linearised_at();
      work.parts.place_q = linearised_at ? *linearised_at : Eigen::VectorXd(q + h * v);
      now.rate = evaluate_rows(gap, work.parts.place_q, t + h, now.jacobian).rate;
    }
    if (!std::isfinite(now.gap) || !there.value.allFinite() || !now.jacobian.allFinite() ||
        !now.rate.allFinite()) {
      if (work.parts.trouble.empty()) work.parts.trouble = describe_not_finite(gap, t, q);
      continue;
    }
    const Eigen::Vector3d free = row_velocity(gap, now.jacobian, now.rate, system.free_velocity());
    now.velocity = free;
    now.input = LawInput();
    now.input.gap = now.gap;
    now.input.gap_consistent = advance > 0 ? there.value[0] : now.gap + (1 - mean) * h * now.before[0];
    now.input.u = now.before;
    now.input.u_free = free;
    now.input.duration = h;
    now.input.mean = mean;
    now.input.activation = scheme.activation_rule();
    if (scheme.lands()) {
      const StepWeights weights = step_weights(scheme);
      work.parts.place_q = q + weights.position_end * system.free_velocity() + weights.position_start * v;
      now.lands |= gap.rows[0]->value(work.parts.place_q, t + h) <= gap.active_below;
      now.input.forecast = now.lands;
    }
    now.input.activation_gamma = scheme.activation_gamma;
    now.input.on_positions = scheme.kind == SchemeKind::schatzman_paoli;
    if (now.input.on_positions) place_on_positions(gap, system, t, h, work.parts.place_q, now);
    if (!gap.is_constraint && !fill_gap_terms(gap, kept.history, now)) {
      kept.history.impulse.setZero();
      kept.history.status = ContactStatus::inactive;
      continue;
    }
    now.block = static_cast<int>(work.parts.coupling.blocks.size());
    TiedBlock& block = work.parts.coupling.add_block();
    block.origin = state.parts.joints.count() + static_cast<int>(i);
    block.set = {};
    block.set.size = gap.size();
    if (gap.is_constraint) {
      // Jacobians of another place than detection do not tell how the constraint bends.
      const double bent = advance > 0 ? now.before[0] - start[0] : std::numeric_limits<double>::infinity();
      fill_constraint_block(gap, now, scheme, taken_off(start[0], bent, kept.off, now.off), block);
    } else {
      fill_gap_block(now, block);
    }
    block.rate = now.rate;
    block.ends[0].system = gap.system;
    block.ends[0].jacobian = now.jacobian;
    for (const int dof : gap.dofs) block.ends[0].dofs.push_back(work.parts.take_part(gap.system, dof));
    block.turns.assign(gap.size(), 0);
    block.r = kept.history.impulse.head(gap.size());
  }
}

// After the systems moved.
template <int Dim>
void Simulation<Dim>::Engine::correct_gaps() {
  const double end = time() + work.scheme.h;
  for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
    const SystemGap& gap = model.parts.gaps[i];
    GapState& kept = state.parts.gaps[i];
    GapStep& now = work.parts.gaps[i];
    const System& system = *state.parts.systems[gap.system];
    now.gap_end = gap.rows[0]->value(system.coordinates(), end);
    now.velocity = row_velocity(gap, now.jacobian, now.rate, system.velocity());
    if (now.block < 0) continue;
    kept.history.impulse.setZero();
    kept.history.impulse.head(gap.size()) = work.parts.coupling.blocks[now.block].r;
    kept.off = now.off;
    if (gap.is_constraint) continue;
    LawResult result;
    result.r = kept.history.impulse;
    result.u_hat = now.velocity + now.terms.shift;
    result.gap_end = now.gap_end;
    result.velocity_tolerance = tolerance_of_block(now.block);
    update_history(gap.law, now.input, now.terms, result, kept.history);
  }
}

template <int Dim>
void Simulation<Dim>::Engine::audit_gaps(StepReport& report) {
  EnergyBalance& energy = report.energy;
  const double mean = work.scheme.audit_mean();
  for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
    const GapStep& now = work.parts.gaps[i];
    if (!model.parts.gaps[i].is_constraint) report.penetration = std::max(report.penetration, -now.gap_end);
    if (now.block < 0) continue;
    const Eigen::Vector3d u = mean * now.velocity + (1 - mean) * now.before;
    const Eigen::Vector3d& r = state.parts.gaps[i].history.impulse;
    const double normal = r[0] * u[0], tangent = r.tail<2>().dot(u.tail<2>()), moved = -r.dot(now.rate);
    (model.parts.gaps[i].is_constraint ? energy.joints : energy.impact) += normal;
    energy.friction += tangent;
    energy.drives += moved;
    energy.scale += std::abs(normal) + std::abs(tangent) + std::abs(moved);
  }
}

template <int Dim>
std::string Simulation<Dim>::Engine::find_trouble() const {
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    const System& system = *state.parts.systems[s];
    if (std::string trouble = system.trouble(); !trouble.empty()) return trouble;
    if (!system.coordinates().allFinite() || !system.velocity().allFinite())
      return fmt::format("the state of system {} is not finite: a smaller step or other forces may help", s);
  }
  if (const auto& bad = state.parts.joints.bad_motor(); bad.joint >= 0) {
    const SceneJoint<Dim>& joint = model.scene.joints[bad.joint];
    return fmt::format(
        "{}joint {}: the {} of its motor along {} is {} in the step that ends at t = {:.6g} s; {}",
        joint.where.empty() ? "" : joint.where + ": ",
        joint.name.empty() ? std::to_string(bad.joint) : '"' + joint.name + '"',
        bad.limit ? "limit" : "target", direction_names<Dim>(joint.kind)[bad.direction], bad.value, time(),
        bad.limit ? "0 or more, as it holds both ways" : "a finite number");
  }
  return work.parts.trouble;
}

template void Simulation<2>::Engine::add_gaps();
template void Simulation<3>::Engine::add_gaps();
template void Simulation<2>::Engine::correct_gaps();
template void Simulation<3>::Engine::correct_gaps();
template void Simulation<2>::Engine::audit_gaps(StepReport&);
template void Simulation<3>::Engine::audit_gaps(StepReport&);
template std::string Simulation<2>::Engine::find_trouble() const;
template std::string Simulation<3>::Engine::find_trouble() const;

}  // namespace saltus
