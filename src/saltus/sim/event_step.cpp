// The event-driven scheme as a step of the simulation: from t to t + h, by systems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/math/dense_factor.hpp"
#include "saltus/sim/event_rigid.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/systems/lagrangian_system.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

namespace {

EventModel lagrangian_model(std::shared_ptr<const LagrangianModel> from, Eigen::MatrixXd C,
                            Eigen::MatrixXd K) {
  EventModel model;
  model.size = from->size();
  model.mass = [from](const Eigen::VectorXd& q, Eigen::MatrixXd& mass) { from->fill_mass(q, mass); };
  model.force = [=](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& force) {
    from->fill_force(t, q, v, force);
    if (C.size() > 0) force -= C * v;
    if (K.size() > 0) force -= K * q;
  };
  if (from->has_constant_mass()) return model;
  auto slopes = std::make_shared<std::vector<Eigen::MatrixXd>>(
      from->size(), Eigen::MatrixXd::Zero(from->size(), from->size()));
  model.inertia = [=](const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& right) {
    from->fill_mass_slopes(q, *slopes);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const Eigen::VectorXd slope = (*slopes)[i] * v;
      right -= v[i] * slope;
      right[i] += 0.5 * v.dot(slope);
    }
  };
  return model;
}

EventModel linear_model(const LinearModel& from) {
  EventModel model;
  model.size = static_cast<int>(from.q.size());
  const Eigen::MatrixXd M = from.M, C = from.C, K = from.K;
  model.mass = [M](const Eigen::VectorXd&, Eigen::MatrixXd& mass) { mass = M; };
  model.force = [C, K, applied = from.force](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                             Eigen::VectorXd& force) {
    force.setZero();
    for (const auto& [dof, function] : applied) force[dof] += function.at(t);
    if (C.size() > 0) force -= C * v;
    if (K.size() > 0) force -= K * q;
  };
  return model;
}

void refuse(const std::string& where, const char* what, const char* allowed) {
  throw InputError(where, fmt::format("{} under the scheme", what), "event-driven", allowed);
}

template <int Dim>
void check_scene(const Scene<Dim>& scene) {
  if (!scene.joints.empty())
    refuse(scene.joints[0].where, "a joint", "none: coordinates without constraints, or another scheme");
  if (!scene.elastic.empty()) refuse(scene.elastic[0].where, "an elastic body", "another scheme");
  if (!scene.deformable.empty()) refuse(scene.deformable[0].where, "a deformable body", "another scheme");
  if (!scene.beams.empty()) refuse(scene.beams[0].where, "a bar, string or beam", "another scheme");
  if (!scene.membranes.empty() || !scene.servos.empty()) refuse("", "a membrane or servo", "another scheme");
  if (!scene.period.isZero(0)) refuse("", "a period", "none");
  for (const SceneLinearSystem& system : scene.systems)
    if (!system.driven.empty())
      refuse(system.where, "a driven degree of freedom", "a force, or another scheme");
  for (const SceneLagrangianSystem<Dim>& system : scene.lagrangian) {
    if (!system.constraints.empty())
      refuse(system.constraints[0].where, "a constraint", "coordinates that need none, or another scheme");
    if (!system.points.empty())
      refuse(system.points[0].where, "a point that bodies touch", "gaps by formulas");
    if (system.trapezoidal) refuse(system.where, "integration = \"trapezoidal\"", "none: it has its own");
  }
  for (const SceneBody<Dim>& body : scene.bodies) {
    if (body.fixed) continue;
    if (Dim == 3)
      refuse(body.where.str(), "a body that moves in space", "bodies in the plane, systems by formulas");
    if (body.added_at > scene.start_time || std::isfinite(body.removed_at))
      refuse(body.where.str(), "a body that comes or goes", "bodies that stay");
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (!body.drive[i].is_free())
        refuse(body.where.str(), "a driven or locked body", "free or fixed bodies");
  }
}

// The free bodies of the plane, together.
void add_rigid_events(const SimulationModel<2>& model, const BodySet<2>& bodies, EventParts<2>& events) {
  const Scene<2>& scene = model.scene;
  std::vector<EventBody> all;
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    EventBody body;
    body.shape = &model.shape_about_mass(static_cast<int>(bodies.id[slot]));
    body.model = bodies.model[slot];
    body.pose = bodies.pose[slot];
    body.where = scene.bodies[bodies.id[slot]].where.str();
    if (bodies.is_moving(slot)) {
      body.coordinate = static_cast<int>(3 * events.bodies.size());
      events.bodies.push_back(slot);
    }
    all.push_back(body);
  }
  if (events.bodies.empty()) return;
  for (const SceneLaw& law : scene.laws) check_event_law(law.law, 2, law.where);
  if (scene.default_law) check_event_law(*scene.default_law, 2, scene.default_law_where);
  PairFilter filter;
  for (const auto& [g, h] : scene.excluded_groups) filter.exclude_groups(g, h);
  const auto law = [&](int i, int j) -> const PairLaw* {
    const auto flags = [&](int slot) {
      const SceneBody<2>& body = scene.bodies[bodies.id[slot]];
      return flags_of(body, all[slot].coordinate < 0);
    };
    if (!filter.may_touch(i, flags(i), j, flags(j))) return nullptr;
    return &model.laws.require(bodies.model[i].material, bodies.model[j].material);
  };
  events.rigid.emplace_back(build_rigid_model(
                                all, law, [&model](double t) { return model.gravity_at(t); }, events.touches),
                            scene.scheme.events);
}

}  // namespace

template <int Dim>
void Simulation<Dim>::Engine::build_event_parts() {
  const Scene<Dim>& scene = model.scene;
  if (scene.scheme.kind != SchemeKind::event_driven) return;
  check_scene(scene);
  const int linear = static_cast<int>(scene.systems.size());
  for (int s = 0; s < static_cast<int>(state.parts.systems.size()); ++s) {
    EventModel own;
    if (s < linear) {
      own = linear_model(static_cast<const LinearSystem&>(*state.parts.systems[s]).model());
    } else {
      const SceneLagrangianSystem<Dim>& from = scene.lagrangian[s - linear];
      own = lagrangian_model(build_lagrangian<Dim>(from), build_dense(from.damping),
                             build_dense(from.stiffness));
    }
    std::vector<int>& gaps = work.events.gaps.emplace_back();
    for (int i = 0; i < static_cast<int>(model.parts.gaps.size()); ++i) {
      const SystemGap& gap = model.parts.gaps[i];
      if (gap.system != s) continue;
      check_event_law(gap.law, Dim, gap.where);
      gaps.push_back(i);
      EventContact contact;
      contact.gap = gap.rows[0];
      if (gap.size() > 1) contact.tangent = gap.rows[1];
      contact.restitution = gap.law.kind == LawKind::newton ? gap.law.restitution : 0;
      contact.friction = gap.law.friction;
      own.contacts.push_back(contact);
    }
    work.events.systems.emplace_back(std::move(own), scene.scheme.events);
  }
  if constexpr (Dim == 2) add_rigid_events(model, state.bodies, work.events);
}

namespace {

double kinetic_energy(const EventModel& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(model.size, model.size);
  model.mass(q, mass);
  return 0.5 * v.dot(mass * v);
}

// What the loads would do in a step to what moves alone, J: at rest no part of the balance is left but round-off, beside this.
double idle_work(const EventModel& model, double t, double h, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& v) {
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(model.size, model.size);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(model.size);
  model.mass(q, mass);
  model.force(t, q, v, force);
  return 0.5 * h * h * force.dot(DenseCholesky(mass).solved(force));
}

ContactStatus status_of(ContactMode mode) {
  return mode == ContactMode::open     ? ContactStatus::inactive
         : mode == ContactMode::sticks ? ContactStatus::stick
                                       : ContactStatus::slide;
}

// What the motion left of the law of a contact at the end of a step, m/s: the velocity that its mode holds at zero, which the
// integration keeps to its tolerance. The impulse is that of the whole step, over which modes may have changed: it does not
// tell.
double velocity_left(ContactMode mode, double normal, double tangent) {
  return mode == ContactMode::open     ? 0
         : mode == ContactMode::sticks ? std::hypot(normal, tangent)
                                       : std::abs(normal);
}

// Until all are there, residual_rms is a sum of squares.
void add_residual(double residual, StepReport& report) {
  report.residual_rms += residual * residual;
  report.residual_max = std::max(report.residual_max, residual);
}

void add_report(const EventReport& own, EnergyBalance& energy, StepReport& report) {
  energy.forces += own.forces;
  energy.friction += own.friction;
  energy.impact += own.impact;
  energy.drives += own.drives;
  energy.scale += std::abs(own.forces) + std::abs(own.friction) + std::abs(own.impact) + std::abs(own.drives);
  report.events += own.events;
}

}  // namespace

template <int Dim>
bool Simulation<Dim>::Engine::advance_by_events(StepReport& report) {
  if (model.scene.scheme.kind != SchemeKind::event_driven) return false;
  const double from = time(),
               until = model.scene.start_time + static_cast<double>(state.steps + 1) * model.scene.scheme.h;
  EventParts<Dim>& events = work.events;
  StepReport mine;
  struct End {
    Eigen::VectorXd q, v;
  };
  std::vector<End> ends;
  double change = 0;
  const auto stop = [&] {
    report.handed_over = true;
    return false;
  };
  for (std::size_t s = 0; s < events.systems.size(); ++s) {
    End end{state.parts.systems[s]->coordinates(), state.parts.systems[s]->velocity()};
    change -= kinetic_energy(events.systems[s].model(), end.q, end.v);
    const EventReport own = events.systems[s].advance(from, until, end.q, end.v);
    if (own.stopped) return stop();
    const double kinetic = kinetic_energy(events.systems[s].model(), end.q, end.v);
    change += kinetic;
    mine.energy.kinetic += kinetic;
    mine.energy.scale += idle_work(events.systems[s].model(), until, until - from, end.q, end.v);
    add_report(own, mine.energy, mine);
    ends.push_back(std::move(end));
  }
  if (!events.rigid.empty()) {
    End end{Eigen::VectorXd(3 * events.bodies.size()), Eigen::VectorXd(3 * events.bodies.size())};
    if constexpr (Dim == 2)
      for (std::size_t i = 0; i < events.bodies.size(); ++i) {
        const int slot = events.bodies[i];
        end.q.template segment<3>(3 * i) << state.bodies.pose[slot].position, state.bodies.pose[slot].angle();
        end.v.template segment<3>(3 * i) << state.bodies.velocity[slot], state.bodies.spin[slot];
      }
    change -= kinetic_energy(events.rigid[0].model(), end.q, end.v);
    const EventReport own = events.rigid[0].advance(from, until, end.q, end.v);
    if (own.stopped) return stop();
    const double kinetic = kinetic_energy(events.rigid[0].model(), end.q, end.v);
    change += kinetic;
    mine.energy.kinetic += kinetic;
    mine.energy.scale += idle_work(events.rigid[0].model(), until, until - from, end.q, end.v);
    add_report(own, mine.energy, mine);
    ends.push_back(std::move(end));
  }
  for (std::size_t s = 0; s < events.systems.size(); ++s)
    state.parts.systems[s]->set_state(ends[s].q, ends[s].v);
  if constexpr (Dim == 2)
    for (std::size_t i = 0; i < events.bodies.size(); ++i) {
      const int slot = events.bodies[i];
      const Eigen::VectorXd &q = ends.back().q, &v = ends.back().v;
      state.bodies.pose[slot].position = q.template segment<2>(3 * i);
      state.bodies.pose[slot].set_angle(q[3 * i + 2]);
      state.bodies.velocity[slot] = v.template segment<2>(3 * i);
      state.bodies.spin[slot] = v.template segment<1>(3 * i + 2);
      mine.energy.potential -=
          state.bodies.model[slot].mass * model.gravity_at(until).dot(state.bodies.pose[slot].position);
    }
  ++state.steps;
  read_event_gaps(mine);
  if constexpr (Dim == 2)
    if (!events.rigid.empty()) list_event_contacts(ends.back().q, mine);
  mine.active = mine.contacts;
  if (mine.contacts > 0) mine.residual_rms = std::sqrt(mine.residual_rms / mine.contacts);
  if (gravity_step() > 0) {
    mine.residual_rms_gh = mine.residual_rms / gravity_step();
    mine.residual_max_gh = mine.residual_max / gravity_step();
  }
  mine.energy.defect =
      change - mine.energy.forces - mine.energy.friction - mine.energy.impact - mine.energy.drives;
  mine.energy.scale += std::abs(change) + mine.energy.kinetic;
  mine.step = state.steps;
  mine.time = time();
  mine.bodies = state.bodies.count();
  report = mine;
  check_finite(report);
  return true;
}

template <int Dim>
void Simulation<Dim>::Engine::read_event_gaps(StepReport& report) {
  for (std::size_t s = 0; s < work.events.systems.size(); ++s) {
    const EventDriven& driven = work.events.systems[s];
    for (std::size_t k = 0; k < work.events.gaps[s].size(); ++k) {
      const int i = work.events.gaps[s][k];
      const SystemGap& gap = model.parts.gaps[i];
      GapStep& now = work.parts.gaps[i];
      ContactHistory& history = state.parts.gaps[i].history;
      const Eigen::VectorXd &q = state.parts.systems[s]->coordinates(),
                            &v = state.parts.systems[s]->velocity();
      now.block = -1;
      now.gap_end = gap.rows[0]->value(q, time());
      now.velocity.setZero();
      for (int r = 0; r < gap.size(); ++r) {
        const CoordinateFunction& f = *gap.rows[r];
        Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
        f.evaluate(q, time(), gradient, now.velocity[r]);
        for (std::size_t d = 0; d < f.dofs().size(); ++d)
          now.velocity[r] += gradient[static_cast<Eigen::Index>(d)] * v[f.dofs()[d]];
      }
      history.impulse.setZero();
      history.impulse.head<2>() = driven.impulses()[k];
      history.status = status_of(driven.modes()[k]);
      report.penetration = std::max(report.penetration, -now.gap_end);
      report.contacts += driven.modes()[k] != ContactMode::open;
      add_residual(velocity_left(driven.modes()[k], now.velocity[0], now.velocity[1]), report);
    }
  }
}

// Contacts that touch, or were hit within the step, as any step lists its own: forces are means over the step.
template <int Dim>
void Simulation<Dim>::Engine::list_event_contacts(const Eigen::VectorXd& q, StepReport& report) {
  std::vector<Contact<Dim>>& contacts = state.contacts.contacts();
  contacts.clear();
  const EventDriven& driven = work.events.rigid[0];
  for (std::size_t k = 0; k < work.events.touches.size(); ++k) {
    const ContactMode mode = driven.modes()[k];
    if (mode == ContactMode::open && driven.impulses()[k].isZero(0)) continue;
    const EventTouch& touch = work.events.touches[k];
    Contact<Dim> contact;
    contact.a = touch.a;
    contact.b = touch.b;
    contact.feature = touch.feature;
    contact.law = touch.law;
    touch.place(q, contact.point, contact.normal);
    if (contact.a >
        contact.b) {  // as detection lists it; components (n, t) are the same seen from the other side
      std::swap(contact.a, contact.b);
      contact.normal = -contact.normal;
    }
    contact.input.gap = contact.gap_end = driven.model().contacts[k].gap->value(q, time());
    contact.impulse = driven.impulses()[k];
    const auto at = [&](int slot) -> Vec<Dim> {
      const BodySet<Dim>& bodies = state.bodies;
      return bodies.velocity[slot] +
             spin_velocity(bodies.spin[slot], Vec<Dim>(contact.point - bodies.pose[slot].position));
    };
    contact.velocity = contact.axes().transpose() * (at(contact.b) - at(contact.a));
    contact.history.impulse.template head<Dim>() = contact.impulse;
    contact.history.status = status_of(mode);
    const double left = velocity_left(mode, contact.velocity[0], contact.velocity[1]);
    contact.residual = static_cast<float>(left);
    add_residual(left, report);
    report.penetration = std::max(report.penetration, -contact.gap_end);
    ++report.contacts;
    contacts.push_back(contact);
  }
  std::sort(contacts.begin(), contacts.end(), [](const Contact<Dim>& c, const Contact<Dim>& d) {
    return contact_order(c.a, c.b, c.image, c.feature) < contact_order(d.a, d.b, d.image, d.feature);
  });
  const auto worst =
      std::max_element(contacts.begin(), contacts.end(),
                       [](const Contact<Dim>& c, const Contact<Dim>& d) { return c.residual < d.residual; });
  if (worst != contacts.end() && worst->residual > 0) report.residual_contact = worst - contacts.begin();
}

template void Simulation<2>::Engine::build_event_parts();
template void Simulation<3>::Engine::build_event_parts();
template bool Simulation<2>::Engine::advance_by_events(StepReport&);
template bool Simulation<3>::Engine::advance_by_events(StepReport&);

}  // namespace saltus
