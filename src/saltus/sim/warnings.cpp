#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "saltus/sim/deformable_parts.hpp"
#include "saltus/sim/folds.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/sim/system_gaps.hpp"

namespace saltus {

namespace {

template <int Dim>
std::string describe_relaxation(const SimulationModel<Dim>& model, const InitialOverlaps& overlaps) {
  if (overlaps.left > 0)
    return fmt::format("; relaxation failed: after {} passes {:.3g} m are left, of {} and {}",
                       overlaps.relaxation_passes, overlaps.left, model.label(overlaps.left_a),
                       model.label(overlaps.left_b));
  if (overlaps.relaxation_passes > 0)
    return fmt::format("; relaxed in {} passes", overlaps.relaxation_passes);
  return model.scene.scheme.corrects_positions()
             ? ": the first steps push them apart, relax_overlaps would do so before"
             : ": relax_overlaps would push them apart";
}

template <int Dim>
void warn_of_start(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                   std::vector<std::string>& result) {
  const InitialOverlaps& o = state.overlaps;
  if (o.count > 0)
    result.push_back(fmt::format("{} overlaps at the start, the deepest {:.3g} m, of {} and {}{}", o.count,
                                 o.deepest, model.label(o.a), model.label(o.b),
                                 describe_relaxation<Dim>(model, o)));
  else if (o.left > 0)
    result.push_back(
        fmt::format("elastic layers are compressed at the start{}", describe_relaxation<Dim>(model, o)));
  if (o.inside > 0)
    result.push_back(
        fmt::format("at the start {} {} inside the matter of another, {} in {}: nothing holds what "
                    "is beyond a surface (does it face the right way?)",
                    o.inside, o.inside == 1 ? "body lies" : "bodies lie", model.label(o.inside_body),
                    model.label(o.inside_of)));
}

// What taking overlaps back put into the bodies, where that is no trifle beside what contacts took.
std::string describe_separation(const EnergyBalance& energy) {
  constexpr double kTold = 0.05;
  const double taken = std::abs(energy.impact) + std::abs(energy.friction),
               moved = std::abs(energy.projection);
  if (!(moved > kTold * taken)) return {};
  return fmt::format("taking overlaps back did work of {:.3g} J, {:.2g} % of what contacts took", moved,
                     100 * moved / taken);
}

// J: half of what gravity gives to all bodies in a step. At rest nothing moves: beside this, what does is none.
template <int Dim>
double energy_of_fall(const SimulationModel<Dim>& model, const SimulationState<Dim>& state) {
  double fall = 0;
  for (int slot = 0; slot < state.bodies.slots(); ++slot)
    if (state.bodies.alive(slot) && !state.bodies.model[slot].all_prescribed)
      fall += 0.5 * state.bodies.model[slot].mass * model.scene.gravity.squaredNorm();
  return fall * model.scene.scheme.h * model.scene.scheme.h;
}

template <int Dim>
void warn_of_penetration(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                         std::vector<std::string>& result) {
  const RunSummary& sum = state.summary;
  const double worst = sum.penetration_relative.worst(), limit = model.scene.penetration_limit;
  const std::string separation = describe_separation(sum.energy);
  if (!(worst > std::min(kOverlap, limit))) {
    const bool corrects = model.scene.scheme.kind == SchemeKind::moreau_jean;
    if (corrects && !separation.empty() &&
        std::abs(sum.energy.projection) > energy_of_fall<Dim>(model, state))
      result.push_back(separation + ": a smaller step would take less");
    return;
  }
  result.push_back(fmt::format(
      "bodies overlap by up to {:.3g} % of the thickness of the thinner one, at t = {:.6g} s {} and {}; more "
      "than {:g} % in {} of {} steps: a smaller step would leave less{}{}",
      100 * worst, sum.penetration_relative.worst_time(), model.label(sum.penetration_a),
      model.label(sum.penetration_b), 100 * kOverlap, sum.overlap_steps, sum.steps,
      worst > limit ? fmt::format(" (run.penetration_limit is {:g} %)", 100 * limit) : std::string(),
      separation.empty() ? separation : "; " + separation));
}

// Bodies that lie on others do not rest under the direct projection (docs/schemes-projected.md).
template <int Dim>
void warn_of_projection(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                        std::vector<std::string>& result) {
  constexpr double kTold = 0.01;  // of what contacts took
  const SchemeOptions& scheme = model.scene.scheme;
  const EnergyBalance& energy = state.summary.energy;
  const double taken = std::abs(energy.impact) + std::abs(energy.friction),
               moved = std::abs(energy.projection);
  if (scheme.kind != SchemeKind::moreau_jean_projected) return;
  if (moved > 0.5 * (taken + std::abs(energy.gravity) + std::abs(energy.forces)) &&
      moved > kTold * energy_of_fall<Dim>(model, state))
    result.push_back(fmt::format(
        "projections of positions did work of {:.3g} J, more than half of all that contacts, gravity and "
        "forces did: the motion is not to be trusted; a smaller step, or the scheme moreau-jean",
        moved));
  if (scheme.lands() || !(moved > kTold * taken)) return;
  result.push_back(
      fmt::format("projections of positions cost {:.3g} J, {:.2g} % of what contacts took: bodies that lie "
                  "on others do not "
                  "rest with projection = \"direct\"; \"combined\" lets them",
                  moved, taken > 0 ? 100 * moved / taken : 100.0));
}

// The balance closes with what the time discretisation brings; it should take, not give.
template <int Dim>
void warn_of_scheme(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                    std::vector<std::string>& result) {
  constexpr double kTold = 0.1;
  const EnergyBalance& e = state.summary.energy;
  const double moved = std::abs(e.gravity) + std::abs(e.forces) + std::abs(e.drives) + std::abs(e.damping) +
                       std::abs(e.impact) + std::abs(e.friction);
  const double fall = energy_of_fall<Dim>(model, state);
  if (!(e.scheme > kTold * (std::abs(e.kinetic) + std::abs(e.elastic_stored) + moved + fall))) return;
  result.push_back(
      fmt::format("the scheme made {:.3g} J of energy, of {:.3g} J there are: the motion is not to be "
                  "trusted; a smaller step{}",
                  e.scheme, e.kinetic + e.elastic_stored,
                  model.scene.scheme.kind == SchemeKind::moreau_jean && model.scene.scheme.theta <= 0.5
                      ? ", or theta above 1/2"
                      : ""));
}

// What every scheme keeps to round-off, or to its order where Jacobians are not those of detection. Beside all that was moved
// a hundredth is neither.
template <int Dim>
void warn_of_balance(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                     std::vector<std::string>& result) {
  constexpr double kTold = 0.01;
  const EnergyBalance& e = state.summary.energy;
  double moved = std::abs(e.kinetic) + std::abs(e.elastic_stored) + energy_of_fall<Dim>(model, state);
  for (const double part : {e.gravity, e.forces, e.drives, e.damping, e.gyroscopic, e.plastic, e.viscous,
                            e.impact, e.friction, e.elastic, e.cohesion, e.joints, e.scheme, e.projection})
    moved += std::abs(part);
  // Of a run that failed the energies of the last step are not known; that a step is off by more than round-off is.
  constexpr double kRoundOff = 1e-9;
  if (!(std::abs(e.defect) > kTold * moved) || !(state.summary.energy_defect.worst() > kRoundOff)) return;
  result.push_back(
      fmt::format("the balance of energy does not close: {:.3g} J of {:.3g} J come from nowhere, most of a "
                  "step at t = {:.6g} s: the motion is not to be trusted; a smaller step",
                  e.defect, moved, state.summary.energy_defect.worst_time()));
}

// What is driven slowly: the residual that a step may leave is a velocity too, and adds up over many steps.
template <int Dim>
void warn_of_slow_drives(const SimulationModel<Dim>& model, double tolerance,
                         std::vector<std::string>& result) {
  constexpr double kPart = 0.05;
  const auto tell = [&](const std::string& what, double speed) {
    if (speed == 0 || !(tolerance > kPart * speed)) return false;
    result.push_back(
        fmt::format("{} is driven at {:.3g} m/s, and a step may leave a residual of {:.3g} m/s, {:.2g} % of "
                    "that: forces of slow loading "
                    "come out wrong; solver.tolerance_velocity = {:.1g}",
                    what, speed, tolerance, 100 * tolerance / speed, 1e-3 * speed));
    return true;
  };
  const auto speed_of = [](const Drive& drive) {
    const bool is_steady =
        drive.kind == Drive::Kind::velocity && drive.function.kind == TimeFunction::Kind::constant;
    return is_steady ? std::abs(drive.function.value) : 0.0;
  };
  for (std::size_t id = 0; id < model.scene.bodies.size(); ++id)
    for (int i = 0; i < Dim; ++i)
      if (tell("body " + model.label(static_cast<BodyId>(id)),
               speed_of(std::as_const(model.scene.bodies[id].drive)[i])))
        return;
  for (const SceneDeformable<Dim>& body : model.scene.deformable)
    for (const auto& support : body.supports)
      if (body.touches &&
          tell(fmt::format("side \"{}\" of \"{}\"", support.on, body.name), speed_of(support.drive)))
        return;
}

template <int Dim>
void warn_of_laws(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                  std::vector<std::string>& result) {
  const RunSummary& sum = state.summary;
  if (sum.ambiguous_steps > 0)
    result.push_back(fmt::format(
        "in {} of {} steps friction was so large that a sliding contact had several solutions or none "
        "(Painleve): a bounded one was taken",
        sum.ambiguous_steps, sum.steps));
  if (sum.several_steps > 0)
    result.push_back(
        fmt::format("in {} of {} steps bodies at rest (the last time: {} and {}) could stick or move, both "
                    "by Coulomb's law "
                    "(more contacts than degrees of freedom): they stick",
                    sum.several_steps, sum.steps, model.label(sum.several_a), model.label(sum.several_b)));
  if (sum.held_steps > 0)
    result.push_back(
        fmt::format("in {} of {} steps {} held by joints, so that no impulse acts there: left out",
                    sum.held_steps, sum.steps,
                    sum.held_b >= 0 ? fmt::format("a contact (the last time: of {} and {}) was",
                                                  model.label(sum.held_a), model.label(sum.held_b))
                                    : std::string("a bound of a joint or a gap of a system was")));
  if (sum.handed_over_steps > 0)
    result.push_back(
        fmt::format("in {} of {} steps time stepping took over from the event-driven scheme: impacts "
                    "accumulate there, or no state of "
                    "the contacts fits; a smaller h confines such steps",
                    sum.handed_over_steps, sum.steps));
  if (sum.lost_membrane_steps > 0)
    result.push_back(
        fmt::format("in {} of {} steps a membrane found no contour and did not press: its bodies are further "
                    "apart than its "
                    "reach",
                    sum.lost_membrane_steps, sum.steps));
  if (sum.gain_steps > 0) {
    const std::string at =
        sum.gain_gap >= 0 ? fmt::format("at gap \"{}\" of a system", model.parts.gaps[sum.gain_gap].name)
        : sum.gain_b >= 0 ? fmt::format("between {} and {}", model.label(sum.gain_a), model.label(sum.gain_b))
                          : std::string("at the stop of a joint");
    result.push_back(fmt::format(
        "in {} of {} steps a contact law gained energy, {:.3g} J in all and in {} {}; most at t = "
        "{:.6g} s, {:.3g} J, {}: Fremond's law with theta <= 1/(1+e) never does",
        sum.gain_steps, sum.steps, sum.energy.gain, sum.gain_groups,
        sum.gain_groups == 1 ? "place" : "places", sum.energy_gain.worst_time(), sum.energy_gain.worst(),
        at));
  }
}

// With one name the first point is that of the world: the other way round the body hangs by a point far outside it, and moves, wrongly, without
// a complaint from any law.
template <int Dim>
void warn_of_swapped_points(const SimulationModel<Dim>& model, const JointSet<Dim>& joints,
                            std::vector<std::string>& result) {
  for (std::size_t i = 0; i < model.scene.joints.size(); ++i) {
    const SceneJoint<Dim>& joint = model.scene.joints[i];
    const bool two_points =
        joint.kind == JointKind::rod || joint.kind == JointKind::rope || joint.kind == JointKind::spring;
    if (!two_points || !joint.a.empty() || joint.local) continue;
    const BodyId id = joints.joint(static_cast<int>(i)).pair.b;
    if (id < 0 || model.scene.bodies[id].follows >= 0 || !(model.bounding_radius[id] > 0)) continue;
    const Vec<Dim> centre = model.initial_pose(static_cast<int>(id)).position;
    const auto is_outside = [&](const Vec<Dim>& x) {
      return (x - centre).norm() > model.bounding_radius[id];
    };
    if (is_outside(joint.points[1]) && !is_outside(joint.points[0]))
      result.push_back(
          fmt::format("{} {} holds body {} by a point outside it, while its point of the world lies inside: "
                      "`points` are that of the "
                      "world, then that of the body",
                      name(joint.kind), joint.name.empty() ? fmt::format("{}", i) : '"' + joint.name + '"',
                      model.label(id)));
  }
}

// A motor of position holds the value of its direction, which for slides between points and for lengths does not begin at zero. One without a
// limit that begins elsewhere gets there within the time of stabilisation, whatever force it takes.
template <int Dim>
void warn_of_motors(const SimulationModel<Dim>& model, const JointSet<Dim>& joints,
                    std::vector<std::string>& result) {
  constexpr double kFar = 10;  // times what a joint may be off
  for (std::size_t i = 0; i < model.scene.joints.size(); ++i) {
    const SceneJoint<Dim>& from = model.scene.joints[i];
    const Joint<Dim>& joint = joints.joint(static_cast<int>(i));
    for (std::size_t d = 0; d < from.free.size(); ++d) {
      const std::optional<JointMotor>& motor = from.free[d].motor;
      if (!motor || motor->limit || motor->kind != JointMotor::Kind::position) continue;
      const bool turned = turns(joint.free[d]);
      const double time = model.scene.start_time;
      double start = joint.free[d].start, target = motor->target.at(time);
      if (joint.free[d].rotation) {  // told as angles from where it is
        const Vec<3> now = from.rotation_start.value_or(Vec<3>::Zero());
        const Vec<3> asked(motor->rotation[0].at(time), motor->rotation[1].at(time),
                           motor->rotation[2].at(time));
        start = 0, target = vector_of(rotation_of(asked) * rotation_of(now).transpose()).norm();
      }
      if (!(std::abs(target - start) > kFar * (turned ? joint.left_turned : joint.left_alone))) continue;
      result.push_back(
          fmt::format("{}the motor of joint {} asks for {} = {:.6g} {} at the start, where it is {:.6g}: "
                      "without a `limit` it is thrown "
                      "there; positions are those of the direction, not counted from the start",
                      from.where.empty() ? "" : from.where + ": ",
                      from.name.empty() ? fmt::format("{}", i) : '"' + from.name + '"',
                      direction_names<Dim>(from.kind)[d], target, turned ? "rad" : "m", start));
    }
  }
}

// Of the state as it is: what has folded into itself mostly stays so.
template <int Dim>
void warn_of_folds(const SimulationModel<Dim>& model, const CoupledState<Dim>& parts,
                   std::vector<std::string>& result) {
  for (std::size_t i = 0; i < parts.solids.size(); ++i) {
    const SurfaceModel<Dim>& surface = model.parts.surfaces[i];
    const SolidMesh<Dim>& mesh = parts.solids[i]->mesh();
    const Folds folds = find_folds<Dim>(mesh, surface.surface, parts.systems[surface.system]->coordinates());
    if (folds.nodes == 0) continue;
    result.push_back(fmt::format(
        "deformable body \"{}\" has folded into itself: {} of the nodes of its surface {} in elements of it, "
        "the first is node "
        "{} in element {}: {}",
        solid_name(model.scene, static_cast<int>(i)), folds.nodes, folds.nodes == 1 ? "lies" : "lie",
        folds.node, folds.element,
        surface.touches_itself ? "elements that are small beside the radius of the fold would keep it apart"
                               : "self_contact = true lets it touch itself"));
  }
}

template <int Dim>
void warn_of_parts(const SimulationModel<Dim>& model, const SimulationState<Dim>& state,
                   std::vector<std::string>& result) {
  constexpr double kRotation = 5 * std::numbers::pi / 180;
  const auto& worst = state.parts.worst;
  if (worst.rotation > kRotation)
    result.push_back(fmt::format(
        "deformable body \"{}\" turned by {:.3g} degrees at t = {:.6g} s: its elements are for small "
        "displacements, "
        "a rotation of 5 degrees makes a strain of 0.4 % that is not there; kinematics = \"corotational\" "
        "(beams: \"large\") "
        "turns with it",
        solid_name(model.scene, worst.rotated), worst.rotation * 180 / std::numbers::pi,
        worst.rotation_time));
  if (const RunSummary& sum = state.summary; sum.halved_steps > 0 && !model.scene.scheme.control.on)
    result.push_back(
        fmt::format("{} steps had no end that Newton's method found for a deformable body, or were above its "
                    "critical step: they were taken again "
                    "as shorter ones, the shortest {:.3g} s; a smaller h would not need it",
                    sum.halved_steps, sum.shortest_step));
  constexpr double kSlow = 0.05;
  if (const Statistic& ratio = state.summary.inertia_ratio;
      model.scene.scheme.kind == SchemeKind::dynamic_relaxation && ratio.worst() > kSlow)
    result.push_back(fmt::format(
        "inertia of fictitious masses was up to {:.3g} of the internal forces or of the loads, at t = {:.6g} "
        "s (mean "
        "{:.3g}): the motion is slow "
        "only where this is small; a smaller h makes lighter masses, damping_mass settles what swings",
        ratio.worst(), ratio.worst_time(), ratio.mean()));
  const auto joint_label = [&](int joint) {
    const std::string& name = model.scene.joints[joint].name;
    return name.empty() ? fmt::format("{}", joint) : '"' + name + '"';
  };
  const char* remedy =
      "a smaller step would leave less, and a shorter stabilisation_time (the step at least) takes it back "
      "faster";
  if (worst.joint >= 0) {
    const FramePair<Dim>& pair = state.parts.joints.joint(worst.joint).pair;
    double size = 0;
    // A node is as large as its body.
    for (const BodyId id : {pair.a, pair.b})
      if (id >= 0)
        size = std::max(size, model.scene.bodies[id].part != SurfacePart::none ? model.thickness[id]
                                                                               : model.bounding_radius[id]);
    if (size > 0 && worst.gap > 0.01 * size)
      result.push_back(
          fmt::format("joint {} is off by {:.3g} m at t = {:.6g} s, more than 1 % of its bodies: {}",
                      joint_label(worst.joint), worst.gap, worst.gap_time, remedy));
  }
  if (worst.swinging >= 0)
    result.push_back(
        fmt::format("the bodies of joint {} swing under what it carries faster than steps follow, {:.3g} "
                    "rad/s at t = {:.6g} s: unstable, "
                    "steps below {:.3g} s would not be (shorter ones, or links that are longer or heavier)",
                    joint_label(worst.swinging), worst.swing, worst.swing_time, 2 / worst.swing));
  constexpr double kTurned = 0.01;  // rad
  if (worst.turned >= 0 && worst.turn > kTurned)
    result.push_back(fmt::format("the axes of joint {} are off by {:.3g} rad at t = {:.6g} s: {}",
                                 joint_label(worst.turned), worst.turn, worst.turn_time, remedy));
}

}  // namespace

template <int Dim>
std::vector<std::string> Simulation<Dim>::scene_warnings() const {
  const SimulationModel<Dim>& model = engine_->model;
  std::vector<std::string> result;
  for (const PairLaw& law : model.laws.laws()) {
    if (std::string text = law_warning(law, model.scene.scheme.chosen_theta()); !text.empty()) {
      result.push_back(std::move(text));
      break;
    }
  }
  if (model.scene.scheme.kind == SchemeKind::alpha_index3 &&
      (model.scene.default_law || !model.scene.laws.empty()))
    result.push_back(
        "the scheme alpha-index3 has no contacts: its laws of contact are not used, and bodies pass through "
        "each other; generalized-alpha has them");
  for (const SceneLinearSystem& system : model.scene.systems)
    if (std::string text = stiffness_warning(system); !text.empty()) result.push_back(std::move(text));
  for (std::string& finding : describe_overlaps(model.parts.gaps)) result.push_back(std::move(finding));
  warn_of_swapped_points<Dim>(model, engine_->state.parts.joints, result);
  warn_of_motors<Dim>(model, engine_->state.parts.joints, result);
  const std::vector<std::string>& contradictions = engine_->contradictions;
  result.insert(result.end(), contradictions.begin(), contradictions.end());
  return result;
}

template <int Dim>
std::vector<std::string> Simulation<Dim>::warnings() const {
  const SimulationModel<Dim>& model = engine_->model;
  const SimulationState<Dim>& state = engine_->state;
  std::vector<std::string> result = scene_warnings();
  warn_of_start<Dim>(model, state, result);
  const RunSummary& sum = state.summary;
  if (sum.unconverged_steps > 0)
    result.push_back(
        fmt::format("{} of {} steps missed the tolerance; worst residual {:.3g} m/s at t = {:.6g} s; the "
                    "first at t = {:.6g} s: {}",
                    sum.unconverged_steps, sum.steps, sum.residual_rms.worst(), sum.residual_rms.worst_time(),
                    sum.missed_time, std::string_view(sum.missed.data(), sum.missed.size())));
  warn_of_penetration<Dim>(model, state, result);
  warn_of_projection<Dim>(model, state, result);
  // Laws on gaps take back what a step leaves.
  const auto is_on_velocities = [](const Contact<Dim>& c) {
    return c.law && c.law->kind != LawKind::gap_signorini && !is_layer(c.law->kind);
  };
  if (std::any_of(state.contacts.contacts().begin(), state.contacts.contacts().end(), is_on_velocities))
    warn_of_slow_drives<Dim>(model, engine_->work.velocity_tolerance, result);
  warn_of_scheme<Dim>(model, state, result);
  warn_of_balance<Dim>(model, state, result);
  if (sum.fast_steps > 0)
    result.push_back(
        fmt::format("in {} steps a body moved more than half its size (last: {}): contacts may be missed, "
                    "a smaller step would see them",
                    sum.fast_steps, model.label(sum.fastest)));
  warn_of_laws<Dim>(model, state, result);
  if (!state.parts.empty()) warn_of_parts<Dim>(model, state, result);
  warn_of_folds<Dim>(model, state.parts, result);
  return result;
}

template std::vector<std::string> Simulation<2>::scene_warnings() const;
template std::vector<std::string> Simulation<3>::scene_warnings() const;
template std::vector<std::string> Simulation<2>::warnings() const;
template std::vector<std::string> Simulation<3>::warnings() const;

}  // namespace saltus
