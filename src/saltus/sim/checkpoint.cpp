#include <type_traits>

#include "saltus/base/hash.hpp"
#include "saltus/sim/archive.hpp"
#include "saltus/sim/fingerprint.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

constexpr std::uint64_t kMagic = 0x4c746174735f6c73;  // "sl_statL", little endian

}  // namespace

// Of doubles alone.
template <>
inline constexpr bool kIsPacked<EnergyBalance> = true;
template <>
inline constexpr bool kIsPacked<PhaseTimes> = true;
template <>
inline constexpr bool kIsPacked<Pose<3>> = sizeof(Pose<3>) == 7 * sizeof(double);

namespace {

// Each describes writing, of what is const, and reading.
template <class Archive, class Summary>
void transfer_summary(Archive& archive, Summary& s) {
  archive(s.steps), archive(s.contact_updates), archive(s.iterations), archive(s.unconverged_steps);
  archive(s.missed), archive(s.missed_time);
  archive(s.time), archive(s.bodies), archive(s.contacts_max), archive(s.contacts_sum);
  for (auto* statistic :
       {&s.residual_rms, &s.residual_max, &s.residual_rms_gh, &s.residual_max_gh, &s.momentum,
        &s.energy_defect, &s.penetration, &s.penetration_solver, &s.energy_gain, &s.penetration_relative,
        &s.compression, &s.inertia_ratio, &s.newton})
    Statistic::transfer(archive, *statistic);
  archive(s.energy), archive(s.fast_steps), archive(s.ambiguous_steps), archive(s.fastest), archive(s.cpu);
  archive(s.gain_steps), archive(s.gain_groups), archive(s.gain_a), archive(s.gain_b), archive(s.gain_gap);
  archive(s.overlap_steps), archive(s.penetration_a), archive(s.penetration_b),
      archive(s.lost_membrane_steps), archive(s.handed_over_steps);
  archive(s.halved_steps), archive(s.shortest_step);
  archive(s.several_steps), archive(s.several_a), archive(s.several_b);
  archive(s.held_steps), archive(s.held_a), archive(s.held_b);
  archive(s.separated_steps), archive(s.left_steps), archive(s.separation_passes),
      archive(s.separation_sweeps);
  archive(s.bonds_start), archive(s.bonds_formed), archive(s.bonds_broken);
}

template <class Archive, class History>
void transfer_history(Archive& archive, History& h) {
  archive(h.impulse), archive(h.moment), archive(h.slip), archive(h.damage), archive(h.status),
      archive(h.bonded);
}

template <class Archive, class Overlaps>
void transfer_overlaps(Archive& archive, Overlaps& o) {
  archive(o.count), archive(o.deepest), archive(o.a), archive(o.b), archive(o.layers), archive(o.compression);
  archive(o.relaxation_passes), archive(o.left), archive(o.left_a), archive(o.left_b);
  archive(o.inside), archive(o.inside_body), archive(o.inside_of);
}

void transfer_pose(ByteWriter& archive, const Pose<2>& pose) {
  archive(pose.position), archive(pose.angle());
}
void transfer_pose(ByteReader& archive, Pose<2>& pose) {
  double angle = 0;
  archive(pose.position), archive(angle);
  pose.set_angle(angle);
}
template <class Archive, class SpacePose>
void transfer_pose(Archive& archive, SpacePose& pose) {
  archive(pose);
}

template <class Archive, class OneContact>
void transfer_contact(Archive& archive, OneContact& c) {
  archive(c.a), archive(c.b), archive(c.feature), archive(c.image);
  transfer_history(archive, c.history);
  archive(c.point), archive(c.normal), archive(c.input.gap), archive(c.impulse), archive(c.velocity);
  archive(c.residual);
}

// Everything but the bodies' slots, which save and restore treat differently.
template <class Archive, class State>
void transfer_scalars(Archive& archive, State& s) {
  archive(s.steps), archive(s.next_event), archive(s.bonds), archive(s.finite);
  transfer_overlaps(archive, s.overlaps);
  archive(s.halvings), archive(s.last_part), archive(s.overlap);
  transfer_summary(archive, s.summary);
}

// What a joint that began in the course of the run took from where its bodies were.
template <class Archive, class Joint>
void transfer_begun(Archive& archive, Joint& joint) {
  const auto transfer_pair = [&](auto& pair) {
    for (auto* frame : {&pair.frame_a, &pair.frame_b}) archive(frame->point), archive(frame->axes);
  };
  transfer_pair(joint.pair);
  for (auto& free : joint.free) {
    archive(free.start);
    if (free.limits) archive(free.limits->upper);  // the length of a rope
  }
  for (auto& term : joint.combined) transfer_pair(term.pair), archive(term.start);
  archive(joint.length), archive(joint.total), archive(joint.left_alone), archive(joint.left_turned);
}

// Systems, joints and gaps: their number follows from the scene, so only values are written.
template <class Archive, class Parts>
void transfer_parts(Archive& archive, Parts& parts) {
  for (const std::unique_ptr<System>& system : parts.systems) {
    Eigen::VectorXd q = system->coordinates(), v = system->velocity();
    for (Eigen::Index i = 0; i < q.size(); ++i) archive(q[i]), archive(v[i]);
    std::vector<double> memory = system->memory();
    for (double& value : memory) archive(value);
    if constexpr (!std::is_const_v<Parts>) system->set_state(q, v), system->set_memory(memory);
  }
  for (auto& gap : parts.gaps) transfer_history(archive, gap.history), archive(gap.off);
  for (int i = 0; i < parts.joints.count(); ++i) {
    auto& joint = parts.joints.states()[i];
    archive(joint.begun), archive(joint.late);
    if (joint.late) transfer_begun(archive, parts.joints.joint(i));
    archive(joint.started), archive(joint.jolted), archive(joint.impulse), archive(joint.moment),
        archive(joint.row);
    archive(joint.stretch);
    archive(joint.motor_work), archive(joint.turning[0]), archive(joint.turning[1]);
    for (auto* values :
         {&joint.r, &joint.value, &joint.rate, &joint.effort, &joint.motor, &joint.motor_force, &joint.term})
      for (auto& value : *values) archive(value);
  }
  auto& worst = parts.worst;
  archive(worst.rotation), archive(worst.rotation_time), archive(worst.rotated);
  archive(worst.gap), archive(worst.gap_time), archive(worst.joint);
  archive(worst.turn), archive(worst.turn_time), archive(worst.turned);
  archive(worst.swing), archive(worst.swing_time), archive(worst.swinging), archive(worst.swift_looks);
}

// Fills the bodies and their places in the detector, slot by slot.
template <int Dim>
void put_bodies(const SimulationModel<Dim>& model, const std::vector<BodyId>& ids, BodySet<Dim>& bodies,
                Detector<Dim>& detector) {
  const int slots = static_cast<int>(ids.size());
  detector = build_detector(model.scene);
  bodies.clear(slots);
  for (int slot = 0; slot < slots; ++slot) {
    const BodyId id = ids[slot];
    if (id < -1 || id >= static_cast<BodyId>(model.scene.bodies.size()))
      throw InputError("", "the saved state names a body the scene has not");
    const SceneBody<Dim>& body = model.scene.bodies[std::max<BodyId>(id, 0)];
    if (id >= 0) bodies.put(slot, id, model.build_body(static_cast<int>(id)));
    // Empty slots are filled for a moment, so that slots of the detector and of the bodies agree.
    detector.add(model.shape_about_mass(static_cast<int>(std::max<BodyId>(id, 0))),
                 flags_of(body, id >= 0 && bodies.model[slot].all_prescribed && body.follows < 0),
                 body.where);
  }
  for (int slot = 0; slot < slots; ++slot)
    if (ids[slot] < 0) detector.remove(slot);
}

// `longest`: more contacts there cannot be.
template <int Dim>
void read_contacts(ByteReader& archive, std::size_t longest, int slots, ContactSet<Dim>& contacts) {
  std::size_t count = 0;
  archive(count);
  if (count > longest) throw InputError("", "the saved state is damaged: a length that cannot be");
  contacts.contacts().resize(count);
  for (Contact<Dim>& c : contacts.contacts()) {
    transfer_contact(archive, c);
    if (c.a < 0 || c.a >= slots || c.b < 0 || c.b >= slots)
      throw InputError("", "the saved state is damaged: a contact of a body that is not there");
  }
}

// Places and numbers that can be; what they do was checked when they were set.
template <int Dim>
void check_controls(const Scene<Dim>& scene, const Controls<Dim>& controls) {
  const auto is_place = [](auto place, std::size_t size) {
    return place >= 0 && static_cast<std::size_t>(place) < size;
  };
  bool right = controls.of_body.size() <= scene.bodies.size();
  for (const BodyControl<Dim>& control : controls.bodies)
    right &= is_place(control.body, scene.bodies.size());
  for (const int place : controls.of_body) right &= place == -1 || is_place(place, controls.bodies.size());
  for (const MotorControl& m : controls.motors)
    right = right && is_place(m.joint, scene.joints.size()) &&
            is_place(m.direction, scene.joints[m.joint].free.size()) &&
            scene.joints[m.joint].free[m.direction].motor;
  if (!right) throw InputError("", "the saved state is damaged: controls of what the scene has not");
}

}  // namespace

template <int Dim>
void Simulation<Dim>::save(const ByteSink& sink) const {
  const SimulationState<Dim>& state = engine_->state;
  ByteWriter archive(sink);
  archive(kMagic);
  archive(compute_fingerprint(scene()));
  transfer_scalars(archive, state);
  archive(state.bodies.id);
  archive.list(state.bodies.pose, [&](auto& pose) { transfer_pose(archive, pose); });
  archive(state.bodies.velocity);
  archive(state.bodies.spin);
  archive(state.contacts.contacts().size());
  for (const Contact<Dim>& c : state.contacts.contacts()) transfer_contact(archive, c);
  transfer_parts(archive, state.parts);
  if (is_alpha(scene().scheme.kind)) AlphaState<Dim>::transfer(archive, state.alpha);
  Controls<Dim>::transfer(archive, state.controls);
  archive.finish();
}

template <int Dim>
std::vector<std::byte> Simulation<Dim>::save() const {
  std::vector<std::byte> bytes;
  save([&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  return bytes;
}

template <int Dim>
void Simulation<Dim>::restore(std::span<const std::byte> bytes) {
  *this = restored(scene(), bytes);
}

template <int Dim>
Simulation<Dim> Simulation<Dim>::restored(const Scene<Dim>& of, std::span<const std::byte> bytes) {
  ByteReader archive(bytes);
  std::uint64_t magic = 0, print = 0;
  archive(magic);
  archive(print);
  if (magic != kMagic)
    throw InputError(
        "",
        "the saved state is of another version of saltus: go on with the version that wrote it, or "
        "begin anew (saltus run --force)");
  if (print != compute_fingerprint(of))
    throw InputError(
        "",
        "the saved state belongs to another scene (bodies, shapes, masses, drives, forces, laws, scheme, "
        "gravity or period differ)");

  Simulation fresh(of);
  Engine& engine = *fresh.engine_;
  SimulationState<Dim>& state = engine.state;
  transfer_scalars(archive, state);
  std::vector<BodyId> ids;
  archive(ids);
  put_bodies(engine.model, ids, state.bodies, engine.work.detector);
  archive.list(state.bodies.pose, [&](auto& pose) { transfer_pose(archive, pose); });
  archive(state.bodies.velocity);
  archive(state.bodies.spin);
  if (state.bodies.pose.size() != ids.size() || state.bodies.velocity.size() != ids.size() ||
      state.bodies.spin.size() != ids.size())
    throw InputError("", "the saved state is damaged: bodies without pose, velocity or spin");
  read_contacts(archive, bytes.size(), static_cast<int>(ids.size()), state.contacts);
  transfer_parts(archive, state.parts);
  if (is_alpha(of.scheme.kind)) AlphaState<Dim>::transfer(archive, state.alpha);
  Controls<Dim>::transfer(archive, state.controls);
  if (!archive.at_end()) throw InputError("", "the saved state is longer than it should be");
  check_controls(engine.model.scene, state.controls);
  engine.update_means();
  engine.keep_joined_apart();
  engine.apply_controls();
  return fresh;
}

namespace {

template <int Dim>
std::uint64_t compute_hash(const SimulationState<Dim>& s) {
  StateHash hash;
  const auto add = [&](const auto& matrix) {
    for (int i = 0; i < matrix.size(); ++i) hash.add(matrix.data()[i]);
  };
  hash.add(s.steps);
  for (int slot = 0; slot < s.bodies.slots(); ++slot) {
    hash.add(s.bodies.id[slot]);
    if (!s.bodies.alive(slot)) continue;
    add(s.bodies.pose[slot].position);
    if constexpr (Dim == 2)
      hash.add(s.bodies.pose[slot].angle());
    else
      add(s.bodies.pose[slot].orientation().coeffs());
    add(s.bodies.velocity[slot]);
    add(s.bodies.spin[slot]);
  }
  for (const Contact<Dim>& c : s.contacts.contacts()) {
    hash.add(c.a), hash.add(c.b), hash.add(c.feature);
    add(c.history.impulse), add(c.history.moment), add(c.history.slip);
    hash.add(c.history.damage), hash.add(static_cast<int>(c.history.status)), hash.add(c.history.bonded);
  }
  for (const std::unique_ptr<System>& system : s.parts.systems)
    add(system->coordinates()), add(system->velocity());
  for (const GapState& gap : s.parts.gaps) {
    add(gap.history.impulse);
    hash.add(static_cast<int>(gap.history.status));
  }
  for (const JointState& joint : s.parts.joints.states()) {
    for (const double r : joint.r) hash.add(r);
    for (const double value : joint.value) hash.add(value);
  }
  return hash.value();
}

}  // namespace

template <int Dim>
std::uint64_t Simulation<Dim>::state_hash() const {
  return compute_hash(engine_->state);
}

// Bodies come and go between steps only, so that slots stay.
template <int Dim>
void Simulation<Dim>::Engine::keep_state() {
  StartOfStep<Dim>& start = work.start;
  start.pose = state.bodies.pose;
  start.velocity = state.bodies.velocity;
  start.spin = state.bodies.spin;
  start.contacts = state.contacts.contacts();
  start.bonds = state.bonds;
  start.parts.clear();
  if (state.parts.empty()) return;
  const ByteSink sink = [&](std::span<const std::byte> part) {
    start.parts.insert(start.parts.end(), part.begin(), part.end());
  };
  ByteWriter archive(sink);
  transfer_parts(archive, std::as_const(state.parts));
  archive.finish();
}

template <int Dim>
void Simulation<Dim>::Engine::restore_state() {
  const StartOfStep<Dim>& start = work.start;
  state.bodies.pose = start.pose;
  state.bodies.velocity = start.velocity;
  state.bodies.spin = start.spin;
  state.contacts.contacts() = start.contacts;
  state.bonds = start.bonds;
  state.finite = true;
  // The clock: back by what the step had added.
  if (state.part == 0) --state.steps, state.part = 1;
  state.part -= state.last_part;
  if (state.parts.empty()) return;
  ByteReader archive(start.parts);
  transfer_parts(archive, state.parts);
  place_followers();
}

template void Simulation<2>::Engine::keep_state();
template void Simulation<3>::Engine::keep_state();
template void Simulation<2>::Engine::restore_state();
template void Simulation<3>::Engine::restore_state();
template void Simulation<2>::save(const ByteSink&) const;
template void Simulation<3>::save(const ByteSink&) const;
template std::vector<std::byte> Simulation<2>::save() const;
template std::vector<std::byte> Simulation<3>::save() const;
template void Simulation<2>::restore(std::span<const std::byte>);
template Simulation<2> Simulation<2>::restored(const Scene<2>&, std::span<const std::byte>);
template void Simulation<3>::restore(std::span<const std::byte>);
template Simulation<3> Simulation<3>::restored(const Scene<3>&, std::span<const std::byte>);
template std::uint64_t Simulation<2>::state_hash() const;
template std::uint64_t Simulation<3>::state_hash() const;

}  // namespace saltus
