#include "saltus/sim/simulation.hpp"

#include <limits>

#include "saltus/contact/canonical.hpp"
#include "saltus/contact/coupled_solver.hpp"
#include "saltus/sim/alpha_step.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/solvers/bilateral.hpp"

namespace saltus {

namespace {

// `part`: the length of the last step in parts of h. Impulses are told as those of a whole h, so that over h they are forces.
template <int Dim>
ContactState<Dim> state_of(const Contact<Dim>& c, const BodySet<Dim>& bodies, double part) {
  ContactState<Dim> state;
  state.a = bodies.id[c.a];
  state.b = bodies.id[c.b];
  state.feature = c.feature;
  state.point = c.point;
  state.axes = c.axes();
  state.gap = c.input.gap;
  state.impulse = c.impulse / part;
  state.moment = c.moment() / part;
  state.velocity = c.velocity;
  state.residual = c.residual;
  state.status = c.history.status;
  state.bonded = c.history.bonded;
  return state;
}

}  // namespace

template <int Dim>
Simulation<Dim>::Engine::Engine(Scene<Dim> scene)
    : model(build_simulation_model(std::move(scene), state)), work(model) {
  const int count = static_cast<int>(model.scene.bodies.size());
  state.bodies.reserve(count);
  work.detector.reserve(count);
  if (is_alpha(model.scene.scheme.kind)) alpha = std::make_shared<AlphaStep<Dim>>(*this);
  apply_events();
  build_event_parts();
}

template <int Dim>
Simulation<Dim>::Simulation(Scene<Dim> scene) : engine_(std::make_unique<Engine>(std::move(scene))) {
  engine_->find_contradictions();
  treat_overlaps<Dim>(*engine_);
}
template <int Dim>
Simulation<Dim>::~Simulation() = default;
template <int Dim>
Simulation<Dim>::Simulation(Simulation&&) noexcept = default;
template <int Dim>
Simulation<Dim>& Simulation<Dim>::operator=(Simulation&&) noexcept = default;

template <int Dim>
double Simulation<Dim>::time() const {
  return engine_->time();
}
template <int Dim>
std::int64_t Simulation<Dim>::steps() const {
  return engine_->state.steps;
}
template <int Dim>
bool Simulation<Dim>::finished() const {
  return !engine_->state.finite || time() >= scene().end_time - 0.5 * scene().scheme.h;
}
template <int Dim>
const Scene<Dim>& Simulation<Dim>::scene() const {
  return engine_->model.scene;
}
template <int Dim>
const BodySet<Dim>& Simulation<Dim>::bodies() const {
  return engine_->state.bodies;
}
template <int Dim>
Vec<Dim> Simulation<Dim>::velocity(int slot) const {
  const Engine& engine = *engine_;
  const Vec<Dim>& now = engine.state.bodies.velocity[slot];
  const bool centred = engine.model.scene.scheme.kind == SchemeKind::schatzman_paoli &&
                       engine.state.steps > 0 && slot < static_cast<int>(engine.work.motion.start.size());
  return centred ? Vec<Dim>(0.5 * (now + Eigen::Map<const Vec<Dim>>(engine.work.motion.start[slot].v))) : now;
}
template <int Dim>
const Shape<Dim>& Simulation<Dim>::shape(int slot) const {
  return engine_->model.shape_about_mass(scene_index(slot));
}
template <int Dim>
int Simulation<Dim>::scene_index(int slot) const {
  return static_cast<int>(engine_->state.bodies.id[slot]);
}
template <int Dim>
const RunSummary& Simulation<Dim>::summary() const {
  return engine_->state.summary;
}
template <int Dim>
const InitialOverlaps& Simulation<Dim>::initial_overlaps() const {
  return engine_->state.overlaps;
}

template <int Dim>
Vec<Dim> Simulation<Dim>::gravity() const {
  return engine_->model.gravity_at(time());
}

template <int Dim>
std::span<const ContactState<Dim>> Simulation<Dim>::contacts() const {
  Engine& engine = *engine_;
  if (engine.work.contact_states_step != engine.state.steps) {
    engine.work.contact_states.clear();
    for (const Contact<Dim>& c : engine.state.contacts.contacts())
      engine.work.contact_states.push_back(state_of<Dim>(c, engine.state.bodies, engine.state.last_part));
    engine.work.contact_states_step = engine.state.steps;
  }
  return engine.work.contact_states;
}

template <int Dim>
int Simulation<Dim>::contact_count() const {
  return static_cast<int>(engine_->state.contacts.contacts().size());
}

template <int Dim>
ContactState<Dim> Simulation<Dim>::contact(int index) const {
  return state_of<Dim>(engine_->state.contacts.contacts()[index], engine_->state.bodies,
                       engine_->state.last_part);
}

template <int Dim>
Simulation<Dim> Simulation<Dim>::copy() const {
  Simulation twin = restored(scene(), save());
  twin.engine_->work.velocity_tolerance = engine_->work.velocity_tolerance;
  return twin;
}

// A twin of the simulation begins the step; this one does not know.
template <int Dim>
Simulation<Dim> Simulation<Dim>::begin_next_step() const {
  Simulation twin = copy();
  Engine& engine = *twin.engine_;
  const ThreadScope threads(engine.work.threads);
  if (engine.alpha) {
    StepReport report;
    engine.alpha->begin(report);
  } else {
    engine.predict();
    engine.build(engine.detect());
  }
  if (engine.model.scene.scheme.activation == Activation::implicit) {
    StepReport report;
    engine.solve(report);
    ContactStep step = engine.contact_step();
    step.forecast_known = true;
    engine.state.contacts.build_problem(step, engine.model.scene.period, engine.views(), engine.work.problem);
  }
  engine.work.problem.mass = engine.work.mean_mass;
  engine.work.problem.length = engine.work.mean_length;
  return twin;
}

template <int Dim>
GlobalProblem Simulation<Dim>::build_global_problem() const {
  const Simulation next = begin_next_step();
  const Engine& engine = *next.engine_;
  if (engine.state.parts.empty()) return saltus::build_global_problem<Dim>(engine.work.problem);
  return build_bilateral_rows(
      build_global(CoupledSolver<Dim>().build_all(engine.work.problem, engine.work.parts.coupling)));
}

template <int Dim>
ContactProblem Simulation<Dim>::build_contact_problem() const {
  const Simulation next = begin_next_step();
  const Engine& engine = *next.engine_;
  if (engine.state.parts.empty())
    return saltus::build_contact_problem<Dim>(engine.work.problem, ProblemUnits::physical);
  CoupledProblem coupled = CoupledSolver<Dim>().build_all(engine.work.problem, engine.work.parts.coupling);
  coupled.mass = 1;
  for (CoupledBlock& block : coupled.blocks) block.unit.setOnes();
  return build_canonical(coupled);
}

template <int Dim>
VelocityProblem<Dim> Simulation<Dim>::build_velocity_problem() const {
  return std::move(begin_next_step().engine_->work.problem);
}

template <int Dim>
int Simulation<Dim>::joint_count() const {
  return engine_->state.parts.joints.count();
}

template <int Dim>
typename Simulation<Dim>::JointPlace Simulation<Dim>::joint_place(int index) const {
  const Engine& engine = *engine_;
  const Joint<Dim>& joint = engine.state.parts.joints.joint(index);
  const JointState& now = engine.state.parts.joints.states()[index];
  JointPlace place;
  place.value = now.value, place.rate = now.rate, place.effort = now.effort, place.motor = now.motor;
  place.impulse = now.impulse, place.moment = now.moment;
  place.row = now.row, place.motor_work = now.motor_work;
  if (const double part = engine.state.last_part; part != 1) {
    place.impulse /= part, place.moment /= part, place.row /= part, place.motor_work /= part;
    for (auto* values : {&place.effort, &place.motor})
      for (double& value : *values) value /= part;
  }
  const auto pose = [&](BodyId id) {
    const int slot = id < 0 ? -1 : engine.state.bodies.find(id);
    return slot < 0 ? nullptr : &engine.state.bodies.pose[slot];
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
    std::tie(place.gap, place.turn) = engine.state.parts.joints.off(joint, frames);
  } else {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // of a joint that is not there
    place.value.assign(place.value.size(), kNone);
    place.rate.assign(place.rate.size(), kNone);
  }
  return place;
}

template <int Dim>
std::pair<double, double> Simulation<Dim>::joint_lengths(int index) const {
  const Joint<Dim>& joint = engine_->state.parts.joints.joint(index);
  return {joint.length, joint.total};
}

template <int Dim>
int Simulation<Dim>::system_count() const {
  return static_cast<int>(engine_->state.parts.systems.size());
}
template <int Dim>
const System& Simulation<Dim>::system(int system) const {
  return *engine_->state.parts.systems[system];
}
template <int Dim>
const Eigen::VectorXd& Simulation<Dim>::system_coordinates(int system) const {
  return engine_->state.parts.systems[system]->coordinates();
}
template <int Dim>
const Eigen::VectorXd& Simulation<Dim>::system_velocity(int system) const {
  return engine_->state.parts.systems[system]->velocity();
}
template <int Dim>
std::vector<double> Simulation<Dim>::gap_impulses() const {
  std::vector<double> impulses;
  for (const GapState& gap : engine_->state.parts.gaps)
    impulses.push_back(gap.history.impulse[0] / engine_->state.last_part);
  return impulses;
}
template <int Dim>
std::vector<typename Simulation<Dim>::GapPlace> Simulation<Dim>::gaps() const {
  std::vector<GapPlace> places;
  for (std::size_t i = 0; i < engine_->model.parts.gaps.size(); ++i) {
    const SystemGap& gap = engine_->model.parts.gaps[i];
    const ContactHistory& history = engine_->state.parts.gaps[i].history;
    const GapStep& now = engine_->work.parts.gaps[i];
    places.push_back({gap.name, gap.system, gap.is_constraint, now.gap_end,
                      history.impulse / engine_->state.last_part, now.velocity, history.status});
  }
  return places;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace saltus
