#include "saltus/sim/simulation.hpp"

#include "saltus/contact/canonical.hpp"
#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

// The problem of the next step; only scratch is touched.
template <int Dim>
VelocityProblem<Dim> next_problem(typename Simulation<Dim>::State& s) {
  s.compute_loads();
  compute_free_motion<Dim>(s.bodies, s.gravity, s.extra, s.scene.scheme, s.time(), s.motion);
  const ContactSet<Dim> contacts = s.contacts;
  s.contacts.match(s.detect(), s.bodies, s.laws, s.steps == 0);
  ContactStep step = s.contact_step();
  s.contacts.build_problem(step, s.scene.period, s.views(), s.problem);
  if (step.activation == Activation::implicit) {
    StepReport report;
    s.solve_contacts(report);
    s.settle_forecast(report);
    step.forecast_known = true;
    s.contacts.build_problem(step, s.scene.period, s.views(), s.problem);
  }
  s.contacts = contacts;
  s.problem.mass = s.mean_mass;
  s.problem.length = s.mean_length;
  return s.problem;
}

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

template <int Dim>
GlobalProblem Simulation<Dim>::build_global_problem() const {
  return saltus::build_global_problem<Dim>(next_problem<Dim>(*state_));
}

template <int Dim>
ContactProblem Simulation<Dim>::build_contact_problem() const {
  return saltus::build_contact_problem<Dim>(next_problem<Dim>(*state_), ProblemUnits::physical);
}

template <int Dim>
VelocityProblem<Dim> Simulation<Dim>::build_velocity_problem() const {
  return next_problem<Dim>(*state_);
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace saltus
