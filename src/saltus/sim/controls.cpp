#include "saltus/sim/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/dof_name.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

void check_number(const std::string& where, const char* what, double value, bool negative = true) {
  constexpr double kLargest = 1e30;  // as numbers of a scene: squares and products must stay finite
  if (std::abs(value) <= kLargest && (negative || value >= 0)) return;
  throw InputError(where, what, fmt::format("{}", value),
                   negative ? "a number up to 1e30 in size" : "a number from 0 to 1e30");
}

// `scene` and a constant more. Written in place: a constant, which is the usual one, asks for no memory.
void add_constant(const TimeFunction& scene, double by, TimeFunction& function) {
  if (scene.kind == TimeFunction::Kind::expression) {
    function =
        by == 0 ? scene : TimeFunction::expression(fmt::format("({}) + ({})", scene.formula.text(), by));
    return;
  }
  if (scene.kind == TimeFunction::Kind::table) {
    function = scene;
    for (double& value : function.values) value += by;
    return;
  }
  function.value = scene.value + by;
}

}  // namespace

template <int Dim>
BodyControl<Dim>* Controls<Dim>::find(BodyId body) {
  const auto index = static_cast<std::size_t>(body);
  return index < of_body.size() && of_body[index] >= 0 ? &bodies[static_cast<std::size_t>(of_body[index])]
                                                       : nullptr;
}

template <int Dim>
BodyControl<Dim>& Controls<Dim>::find_or_add(BodyId body) {
  if (BodyControl<Dim>* found = find(body)) return *found;
  if (static_cast<std::size_t>(body) >= of_body.size())
    of_body.resize(static_cast<std::size_t>(body) + 1, -1);
  of_body[static_cast<std::size_t>(body)] = static_cast<int>(bodies.size());
  bodies.emplace_back().body = body;
  return bodies.back();
}

// On what a body that is there has from the scene.
template <int Dim>
void Simulation<Dim>::Engine::control_body(int slot) {
  const BodyId id = state.bodies.id[slot];
  const BodyControl<Dim>* control = state.controls.find(id);
  if (!control) return;
  const SceneBody<Dim>& scene = model.scene.bodies[id];
  BodyModel<Dim>& body = state.bodies.model[slot];
  for (int i = 0; i < kDofs<Dim>; ++i) {
    add_constant(scene.force[i], control->load[i], body.force[i]);
    if (!std::isnan(control->speed[i])) body.drive[i].function = TimeFunction::constant(control->speed[i]);
  }
  body.has_force = true;
}

template <int Dim>
void Simulation<Dim>::Engine::control_motor(const MotorControl& control) {
  JointMotor& motor = *state.parts.joints.joint(control.joint).free[control.direction].motor;
  if (!std::isnan(control.target)) motor.target = TimeFunction::constant(control.target);
  if (!std::isnan(control.limit)) motor.limit = TimeFunction::constant(control.limit);
}

template <int Dim>
void Simulation<Dim>::Engine::apply_controls() {
  if (state.controls.bodies.empty() && state.controls.motors.empty()) return;
  for (int slot = 0; slot < state.bodies.slots(); ++slot)
    if (state.bodies.alive(slot)) control_body(slot);
  for (const MotorControl& control : state.controls.motors) control_motor(control);
}

template <int Dim>
void Simulation<Dim>::check_controlled(BodyId body) const {
  if (body < 0 || body >= static_cast<BodyId>(scene().bodies.size()))
    throw InputError("", "number of a body", fmt::format("{}", body),
                     fmt::format("0 to {}", static_cast<std::int64_t>(scene().bodies.size()) - 1));
  if (scene().bodies[body].follows >= 0)
    throw InputError("", "a load or drive on a point of a system", engine_->model.label(body),
                     "a rigid body");
}

template <int Dim>
void Simulation<Dim>::set_load(BodyId body, const Vec<Dim>& force, const Spin<Dim>& torque) {
  check_controlled(body);
  const std::string where = "body " + engine_->model.label(body);
  if (scene().scheme.kind == SchemeKind::event_driven)
    throw InputError(where, "a load under the scheme", "event-driven",
                     "another scheme: this one takes the forces of the scene");
  for (int i = 0; i < Dim; ++i) check_number(where, "force", force[i]);
  for (int i = 0; i < kSpins<Dim>; ++i) check_number(where, "torque", torque[i]);
  BodyControl<Dim>& control = engine_->state.controls.find_or_add(body);
  for (int i = 0; i < Dim; ++i) control.load[i] = force[i];
  for (int i = 0; i < kSpins<Dim>; ++i) control.load[Dim + i] = torque[i];
  if (const int slot = bodies().find(body); slot >= 0) engine_->control_body(slot);
}

template <int Dim>
std::pair<Vec<Dim>, Spin<Dim>> Simulation<Dim>::load(BodyId body) const {
  check_controlled(body);
  std::pair<Vec<Dim>, Spin<Dim>> load{Vec<Dim>::Zero(), Spin<Dim>::Zero()};
  if (const BodyControl<Dim>* control = engine_->state.controls.find(body)) {
    for (int i = 0; i < Dim; ++i) load.first[i] = control->load[i];
    for (int i = 0; i < kSpins<Dim>; ++i) load.second[i] = control->load[Dim + i];
  }
  return load;
}

template <int Dim>
void Simulation<Dim>::set_drive(BodyId body, int dof, double speed) {
  check_controlled(body);
  const std::string where = "body " + engine_->model.label(body);
  check_number(where, "speed of a drive", speed);
  const SceneBody<Dim>& of = scene().bodies[body];
  if (dof < 0 || dof >= kDofs<Dim> || std::as_const(of.drive)[dof].kind != Drive::Kind::velocity)
    throw InputError(where, "the speed of a degree of freedom that no velocity drives",
                     dof < 0 || dof >= kDofs<Dim> ? fmt::format("{}", dof) : std::string(dof_name<Dim>(dof)),
                     "one that has a velocity in the table `drive` of the body");
  engine_->state.controls.find_or_add(body).speed[dof] = speed;
  if (const int slot = bodies().find(body); slot >= 0) engine_->control_body(slot);
}

template <int Dim>
void Simulation<Dim>::rest() {
  SimulationState<Dim>& state = engine_->state;
  for (Vec<Dim>& v : state.bodies.velocity) v.setZero();
  for (Spin<Dim>& w : state.bodies.spin) w.setZero();
  for (const auto& system : state.parts.systems)
    system->set_state(system->coordinates(), Eigen::VectorXd::Zero(system->degrees_of_freedom()));
  state.alpha.started = false;  // accelerations are found anew
}

template <int Dim>
void Simulation<Dim>::set_motor(int joint, int direction, double target, double limit) {
  if (joint < 0 || joint >= joint_count())
    throw InputError("", "number of a joint", fmt::format("{}", joint),
                     fmt::format("0 to {}", joint_count() - 1));
  const SceneJoint<Dim>& of = scene().joints[joint];
  const std::string where = fmt::format("joint \"{}\"", of.name);
  if (direction < 0 || direction >= static_cast<int>(of.free.size()) || !of.free[direction].motor)
    throw InputError(where, "no motor in this direction", fmt::format("{}", direction),
                     "a direction that has a `motor` in the scene");
  if (const std::vector<std::string> names = direction_names<Dim>(of.kind);
      !std::isnan(target) && names[static_cast<std::size_t>(direction)] == "rotation")
    throw InputError(where, "one target of a motor along rotation, which has three",
                     fmt::format("{}", target), "functions of time in the scene; its limit may be set");
  if (!std::isnan(target)) check_number(where, "target of a motor", target);
  if (!std::isnan(limit)) {
    check_number(where, "limit of a motor", limit, false);
    if (of.free[direction].motor->kind == JointMotor::Kind::force)
      throw InputError(where, "a limit of a motor whose force is given", fmt::format("{}", limit),
                       "none: its force is what it is told");
  }
  std::vector<MotorControl>& motors = engine_->state.controls.motors;
  auto at = std::find_if(motors.begin(), motors.end(),
                         [&](const MotorControl& m) { return m.joint == joint && m.direction == direction; });
  if (at == motors.end()) at = motors.insert(at, MotorControl{joint, direction});
  if (!std::isnan(target)) at->target = target;
  if (!std::isnan(limit)) at->limit = limit;
  engine_->control_motor(*at);
}

template struct Controls<2>;
template struct Controls<3>;
template void Simulation<2>::Engine::control_body(int);
template void Simulation<3>::Engine::control_body(int);
template void Simulation<2>::Engine::control_motor(const MotorControl&);
template void Simulation<3>::Engine::control_motor(const MotorControl&);
template void Simulation<2>::Engine::apply_controls();
template void Simulation<3>::Engine::apply_controls();
template void Simulation<2>::check_controlled(BodyId) const;
template void Simulation<3>::check_controlled(BodyId) const;
template void Simulation<2>::set_load(BodyId, const Vec<2>&, const Spin<2>&);
template void Simulation<3>::set_load(BodyId, const Vec<3>&, const Spin<3>&);
template std::pair<Vec<2>, Spin<2>> Simulation<2>::load(BodyId) const;
template std::pair<Vec<3>, Spin<3>> Simulation<3>::load(BodyId) const;
template void Simulation<2>::set_drive(BodyId, int, double);
template void Simulation<3>::set_drive(BodyId, int, double);
template void Simulation<2>::set_motor(int, int, double, double);
template void Simulation<3>::set_motor(int, int, double, double);
template void Simulation<2>::rest();
template void Simulation<3>::rest();

}  // namespace saltus
