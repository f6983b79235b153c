// Accelerations that a run, or a body that comes later, starts with.
#include <vector>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

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

// Accelerations at the start become what the first step is carried into with.
template <int Dim>
void AlphaStep<Dim>::adopt_accelerations() {
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    BodyWork& body = work_[slot];
    AlphaBody<Dim>& carried = bodies_[slot];
    carried.w = carried.a = body.w;
    carried.held = body.pushed + body.given;
    body.before = carried;
    body.pose = body.start;
    body.pushed *= weights_.velocity;
  }
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    AlphaSystem& carried = systems_[i];
    carried.a = carried.w = work.w;
    carried.held = work.pushed;
    work.before = carried;
    work.pushed *= weights_.velocity;
    predict_system(i);
  }
}

// G v_0 + g_t of all bilateral rows where everything has moved on for a while by v_0.
template <int Dim>
void AlphaStep<Dim>::rates_ahead(double duration, std::vector<double>& rates) {
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    BodyWork& body = work_[slot];
    body.pose = body.start;
    body.pose.position += duration * body.v0.template head<Dim>();
    body.pose.rotate(Spin<Dim>(duration * s.state.bodies.spin_world(slot)));
  }
  for (SystemWork& work : system_work_) work.q = work.q0 + duration * work.v0, work.v = work.v0;
  fill_bodies(Level::start);
  place_systems(Level::start);
  evaluate_rows(s.time() + duration);
  couple(Level::start);
  rates.clear();
  for (const TiedBlock& block : s.work.parts.coupling.blocks) {
    const Eigen::Vector3d u = rate_of(block, true);
    for (int k = 0; k < block.set.size; ++k) rates.push_back(u[k] + block.shift[k]);
  }
}

// Springs of joints, which are forces like others here, into `pushed`, N.
template <int Dim>
void AlphaStep<Dim>::push_springs() {
  for (const JointRow<Dim>& row : rows_) {
    if (row.kind != JointRowKind::spring) continue;
    const TiedBlock& block = add_block<Dim>(row, SetKind::space, s.work.parts.coupling);
    const Eigen::Vector3d u = rate_of(block, true);
    for (int e = 0; e < row.ends; ++e) {
      if (!lives(row.slot[e])) continue;
      Twist<Dim> push = Twist<Dim>::Zero();
      for (int k = 0; k < row.rows; ++k)
        push -= (row.stiffness * row.g[k] + row.damping * u[k]) * row.jacobian[e].col(k);
      BodyWork& body = work_[row.slot[e]];
      if constexpr (Dim == 3) push.template tail<3>() = body.pose.unrotated(Vec<3>(push.template tail<3>()));
      body.pushed += push;
    }
  }
}

// The accelerations that agree with the bilateral rows, G w + d(G v + g_t)/dt = 0: their derivative is taken along v, by
// central differences.
template <int Dim>
void AlphaStep<Dim>::start_accelerations() {
  s.state.alpha.started = true;
  for (BodyWork& body : work_) body.pushed.setZero();
  for (SystemWork& work : system_work_) {
    work.pushed.setZero();
    if (!work.form->factorise(SmoothForm::plain, 0, 0)) {
      s.work.parts.trouble = work.form->trouble();
      return;
    }
    work.form->solve(SmoothForm::plain, work.start_force, work.w);
  }
  if (s.state.parts.empty() || !has_rows()) return adopt_accelerations();

  const double step = 1e-2 * weights_.h;
  std::vector<double> behind, ahead;
  s.work.problem.contacts.clear();
  rates_ahead(-step, behind);
  rates_ahead(step, ahead);
  std::vector<double> now;
  rates_ahead(0, now);
  push_springs();
  gather_given();
  std::vector<Twist<Dim>> springs(work_.size());
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    springs[slot] = work_[slot].pushed;
    work_[slot].w += over_mass(slot, springs[slot] + work_[slot].given);
  }
  fill_bodies(Level::start);
  couple(Level::start);
  std::size_t at = 0;
  for (TiedBlock& block : s.work.parts.coupling.blocks)
    for (int k = 0; k < block.set.size; ++k, ++at) block.shift[k] = (ahead[at] - behind[at]) / (2 * step);
  s.work.problem.bodies.assign(s.work.motion.free.begin(), s.work.motion.free.end());
  const GroupSolution solved = solve_blocks(1e-6);
  if (!solved.converged) missed_ = "accelerations at the start: " + solved.reason;
  gather_pushes();
  start_motors();
  last_r_.clear();
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    work_[slot].w += over_mass(slot, work_[slot].pushed);
    work_[slot].pushed += springs[slot];
  }
  for (SystemWork& work : system_work_) {
    work.form->solve_symmetric(SmoothForm::plain, work.pushed, work.change);
    work.w += work.change;
  }
  adopt_accelerations();
}

template void AlphaStep<2>::adopt_bodies();
template void AlphaStep<3>::adopt_bodies();
template void AlphaStep<2>::adopt_accelerations();
template void AlphaStep<3>::adopt_accelerations();
template void AlphaStep<2>::rates_ahead(double, std::vector<double>&);
template void AlphaStep<3>::rates_ahead(double, std::vector<double>&);
template void AlphaStep<2>::push_springs();
template void AlphaStep<3>::push_springs();
template void AlphaStep<2>::start_accelerations();
template void AlphaStep<3>::start_accelerations();

}  // namespace saltus
