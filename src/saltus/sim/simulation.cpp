#include "saltus/sim/simulation.hpp"

#include <limits>

#include "saltus/contact/canonical.hpp"
#include "saltus/contact/coupled_solver.hpp"
#include "saltus/sim/simulation_state.hpp"
#include "saltus/solvers/bilateral.hpp"

namespace saltus {

namespace {

template <int Dim>
ContactState<Dim> state_of(const Contact<Dim>& c, const BodySet<Dim>& bodies) {
  ContactState<Dim> state;
  state.a = bodies.id[c.a];
  state.b = bodies.id[c.b];
  state.feature = c.feature;
  state.point = c.point;
  state.frame = c.frame();
  state.gap = c.input.gap;
  state.impulse = c.impulse;
  state.moment = c.moment();
  state.velocity = c.velocity;
  state.status = c.history.status;
  state.bonded = c.history.bonded;
  return state;
}

}  // namespace

template <int Dim>
Simulation<Dim>::Simulation(Scene<Dim> scene) : state_(std::make_unique<State>()) {
  state_->scene = std::move(scene);
  build_state<Dim>(*state_);
  treat_overlaps<Dim>(*state_);
}
template <int Dim>
Simulation<Dim>::~Simulation() = default;
template <int Dim>
Simulation<Dim>::Simulation(Simulation&&) noexcept = default;
template <int Dim>
Simulation<Dim>& Simulation<Dim>::operator=(Simulation&&) noexcept = default;

template <int Dim>
double Simulation<Dim>::time() const {
  return state_->time();
}
template <int Dim>
std::int64_t Simulation<Dim>::steps() const {
  return state_->steps;
}
template <int Dim>
bool Simulation<Dim>::finished() const {
  return !state_->finite || time() >= scene().end_time - 0.5 * scene().scheme.h;
}
template <int Dim>
const Scene<Dim>& Simulation<Dim>::scene() const {
  return state_->scene;
}
template <int Dim>
const BodySet<Dim>& Simulation<Dim>::bodies() const {
  return state_->bodies;
}
template <int Dim>
Vec<Dim> Simulation<Dim>::velocity(int slot) const {
  const State& s = *state_;
  const Vec<Dim>& now = s.bodies.velocity[slot];
  const bool centred = s.scene.scheme.kind == SchemeKind::schatzman_paoli && s.steps > 0 &&
                       slot < static_cast<int>(s.motion.start.size());
  return centred ? Vec<Dim>(0.5 * (now + Eigen::Map<const Vec<Dim>>(s.motion.start[slot].v))) : now;
}
template <int Dim>
const Shape<Dim>& Simulation<Dim>::shape(int slot) const {
  return state_->shape_about_mass(scene_index(slot));
}
template <int Dim>
int Simulation<Dim>::scene_index(int slot) const {
  return static_cast<int>(state_->bodies.id[slot]);
}
template <int Dim>
const RunSummary& Simulation<Dim>::summary() const {
  return state_->summary;
}
template <int Dim>
const InitialOverlaps& Simulation<Dim>::initial_overlaps() const {
  return state_->overlaps;
}

template <int Dim>
Vec<Dim> Simulation<Dim>::gravity() const {
  return state_->gravity_at(time());
}

template <int Dim>
std::span<const ContactState<Dim>> Simulation<Dim>::contacts() const {
  State& s = *state_;
  if (s.contact_states_step != s.steps) {
    s.contact_states.clear();
    for (const Contact<Dim>& c : s.contacts.contacts())
      s.contact_states.push_back(state_of<Dim>(c, s.bodies));
    s.contact_states_step = s.steps;
  }
  return s.contact_states;
}

template <int Dim>
int Simulation<Dim>::contact_count() const {
  return static_cast<int>(state_->contacts.contacts().size());
}

template <int Dim>
ContactState<Dim> Simulation<Dim>::contact(int index) const {
  return state_of<Dim>(state_->contacts.contacts()[index], state_->bodies);
}

// A twin of the simulation begins the step; this one does not know.
template <int Dim>
Simulation<Dim> Simulation<Dim>::begin_next_step() const {
  Simulation twin = restored(scene(), save());
  State& s = *twin.state_;
  const ThreadScope threads(s.threads);
  s.velocity_tolerance = state_->velocity_tolerance;
  s.predict();
  s.build(s.detect());
  if (s.scene.scheme.activation == Activation::implicit) {
    StepReport report;
    s.solve(report);
    ContactStep step = s.contact_step();
    step.forecast_known = true;
    s.contacts.build_problem(step, s.scene.period, s.views(), s.problem);
  }
  s.problem.mass = s.mean_mass;
  s.problem.length = s.mean_length;
  return twin;
}

template <int Dim>
GlobalProblem Simulation<Dim>::build_global_problem() const {
  const Simulation next = begin_next_step();
  const State& s = *next.state_;
  if (s.parts.empty()) return saltus::build_global_problem<Dim>(s.problem);
  return build_bilateral_rows(build_global(CoupledSolver<Dim>().build_all(s.problem, s.parts.coupling)));
}

template <int Dim>
ContactProblem Simulation<Dim>::build_contact_problem() const {
  const Simulation next = begin_next_step();
  const State& s = *next.state_;
  if (s.parts.empty()) return saltus::build_contact_problem<Dim>(s.problem, ProblemUnits::physical);
  CoupledProblem coupled = CoupledSolver<Dim>().build_all(s.problem, s.parts.coupling);
  coupled.mass = 1;
  for (CoupledBlock& block : coupled.blocks) block.unit.setOnes();
  return build_canonical(coupled);
}

template <int Dim>
VelocityProblem<Dim> Simulation<Dim>::build_velocity_problem() const {
  return std::move(begin_next_step().state_->problem);
}

template <int Dim>
int Simulation<Dim>::joint_count() const {
  return state_->parts.joints.count();
}

template <int Dim>
typename Simulation<Dim>::JointPlace Simulation<Dim>::joint_place(int index) const {
  const State& s = *state_;
  const Joint<Dim>& joint = s.parts.joints.joint(index);
  const JointState& now = s.parts.joints.states()[index];
  JointPlace place;
  place.value = now.value, place.rate = now.rate, place.effort = now.effort, place.motor = now.motor;
  place.impulse = now.impulse, place.moment = now.moment;
  place.row = now.row, place.motor_work = now.motor_work;
  const auto pose = [&](BodyId id) {
    const int slot = id < 0 ? -1 : s.bodies.find(id);
    return slot < 0 ? nullptr : &s.bodies.pose[slot];
  };
  const FramePair<Dim>& pair = joint.pair;
  const PlacedFrames<Dim> frames = place_frames<Dim>(pair.frame_a, pose(pair.a), pair.frame_b, pose(pair.b));
  place.point = frames.point_a;
  place.point_b = frames.point_b;
  if (joint.kind == JointKind::pulley) {
    // Its ends; where the rope leaves for them is in the scene.
    const auto end = [&](const CombinedTerm<Dim>& term) {
      const Pose<Dim>* at = pose(term.pair.b);
      return at ? at->to_world(term.pair.frame_b.point) : term.pair.frame_b.point;
    };
    place.point = end(joint.combined[0]);
    place.point_b = end(joint.combined[1]);
  }
  place.axis = place.axis2 = Vec<3>::Zero();
  const bool universal = joint.kind == JointKind::universal;
  place.axis.template head<Dim>() = frames.axes_a.col(Dim == 2 || universal ? 0 : Dim - 1);
  if constexpr (Dim == 3) place.axis2 = frames.axes_a.col(universal ? 1 : 0);
  if constexpr (Dim == 3) place.rotation = rotation_between(frames);
  const auto is_there = [&](BodyId id) { return id < 0 || pose(id) != nullptr; };
  if (now.begun && is_there(pair.a) && is_there(pair.b)) {
    std::tie(place.gap, place.turn) = s.parts.joints.off(joint, frames);
  } else {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // of a joint that is not there
    place.value.assign(place.value.size(), kNone);
    place.rate.assign(place.rate.size(), kNone);
  }
  return place;
}

template <int Dim>
std::pair<double, double> Simulation<Dim>::joint_lengths(int index) const {
  const Joint<Dim>& joint = state_->parts.joints.joint(index);
  return {joint.length, joint.total};
}

template <int Dim>
int Simulation<Dim>::system_count() const {
  return static_cast<int>(state_->parts.systems.size());
}
template <int Dim>
const System& Simulation<Dim>::system(int system) const {
  return *state_->parts.systems[system];
}
template <int Dim>
const Eigen::VectorXd& Simulation<Dim>::system_coordinates(int system) const {
  return state_->parts.systems[system]->coordinates();
}
template <int Dim>
const Eigen::VectorXd& Simulation<Dim>::system_velocity(int system) const {
  return state_->parts.systems[system]->velocity();
}
template <int Dim>
std::vector<double> Simulation<Dim>::gap_impulses() const {
  std::vector<double> impulses;
  for (const GapState& gap : state_->parts.gap_states) impulses.push_back(gap.history.impulse[0]);
  return impulses;
}
template <int Dim>
std::vector<typename Simulation<Dim>::GapPlace> Simulation<Dim>::gaps() const {
  std::vector<GapPlace> places;
  for (std::size_t i = 0; i < state_->parts.gaps.size(); ++i) {
    const SystemGap& gap = state_->parts.gaps[i];
    const GapState& now = state_->parts.gap_states[i];
    places.push_back({gap.name, gap.system, gap.is_constraint, now.gap_end, now.history.impulse, now.velocity,
                      now.history.status});
  }
  return places;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace saltus
