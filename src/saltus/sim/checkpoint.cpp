#include "saltus/base/hash.hpp"
#include "saltus/sim/archive.hpp"
#include "saltus/sim/fingerprint.hpp"
#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

constexpr std::uint64_t kMagic = 0x41746174735f6c73;  // "sl_statA", little endian

template <class Archive>
void transfer(Archive& archive, RunSummary& s) {
  archive(s.steps), archive(s.contact_updates), archive(s.iterations), archive(s.unconverged_steps);
  archive(s.time), archive(s.bodies), archive(s.contacts_max), archive(s.contacts_sum);
  for (Statistic* statistic : {&s.residual_rms, &s.residual_max, &s.residual_rms_gh, &s.residual_max_gh,
                               &s.momentum, &s.energy_defect, &s.penetration, &s.penetration_solver,
                               &s.energy_gain, &s.penetration_relative, &s.compression})
    statistic->transfer(archive);
  archive(s.energy), archive(s.fast_steps), archive(s.ambiguous_steps), archive(s.fastest), archive(s.cpu);
  archive(s.gain_steps), archive(s.gain_groups), archive(s.gain_a), archive(s.gain_b);
  archive(s.overlap_steps), archive(s.penetration_a), archive(s.penetration_b),
      archive(s.lost_membrane_steps);
  archive(s.several_steps), archive(s.several_a), archive(s.several_b);
  archive(s.bonds_start), archive(s.bonds_formed), archive(s.bonds_broken);
}

template <class Archive, int Dim>
void transfer(Archive& archive, Contact<Dim>& c) {
  archive(c.a), archive(c.b), archive(c.feature), archive(c.image), archive(c.history);
  archive(c.point), archive(c.normal), archive(c.input.gap), archive(c.impulse), archive(c.velocity);
}

// Everything but the bodies' slots, which save and restore treat differently.
template <class Archive, int Dim>
void transfer_scalars(Archive& archive, typename Simulation<Dim>::State& s) {
  archive(s.steps), archive(s.next_event), archive(s.bonds), archive(s.finite), archive(s.overlaps);
  transfer(archive, s.summary);
}

// What a joint that began in the course of the run took from where its bodies were.
template <class Archive, int Dim>
void transfer_begun(Archive& archive, Joint<Dim>& joint) {
  const auto transfer_pair = [&](FramePair<Dim>& pair) {
    for (JointFrame<Dim>* frame : {&pair.frame_a, &pair.frame_b}) archive(frame->point), archive(frame->axes);
  };
  transfer_pair(joint.pair);
  for (FreeDirection& free : joint.free) {
    archive(free.start);
    if (free.limits) archive(free.limits->upper);  // the length of a rope
  }
  for (CombinedTerm<Dim>& term : joint.combined) transfer_pair(term.pair), archive(term.start);
  archive(joint.length), archive(joint.total), archive(joint.left_alone), archive(joint.left_turned);
}

// Systems, joints and gaps: their number follows from the scene, so only values are written.
template <class Archive, int Dim>
void transfer_parts(Archive& archive, CoupledParts<Dim>& parts) {
  for (const std::unique_ptr<System>& system : parts.systems) {
    Eigen::VectorXd q = system->coordinates(), v = system->velocity();
    for (Eigen::Index i = 0; i < q.size(); ++i) archive(q[i]), archive(v[i]);
    system->set_state(q, v);
  }
  for (GapState& gap : parts.gap_states) archive(gap.history), archive(gap.started);
  for (int i = 0; i < parts.joints.count(); ++i) {
    JointState& joint = parts.joints.states()[i];
    archive(joint.begun), archive(joint.late);
    if (joint.late) transfer_begun<Archive, Dim>(archive, parts.joints.joint(i));
    archive(joint.started), archive(joint.impulse), archive(joint.moment), archive(joint.row);
    archive(joint.motor_work), archive(joint.turning[0]), archive(joint.turning[1]);
    for (std::vector<double>* values :
         {&joint.r, &joint.value, &joint.rate, &joint.effort, &joint.motor, &joint.term})
      for (double& value : *values) archive(value);
  }
  auto& worst = parts.worst;
  archive(worst.rotation), archive(worst.rotation_time), archive(worst.rotated);
  archive(worst.gap), archive(worst.gap_time), archive(worst.joint);
}

}  // namespace

template <int Dim>
void Simulation<Dim>::save(const ByteSink& sink) const {
  State& s = *state_;
  ByteWriter archive(sink);
  archive(kMagic);
  archive(compute_fingerprint(s.scene));
  transfer_scalars<ByteWriter, Dim>(archive, s);
  archive(s.bodies.id);
  archive(s.bodies.pose);
  archive(s.bodies.velocity);
  archive(s.bodies.spin);
  archive(s.contacts.contacts().size());
  for (Contact<Dim>& c : s.contacts.contacts()) transfer(archive, c);
  transfer_parts<ByteWriter, Dim>(archive, s.parts);
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
        "the saved state is of another version of the program: finish the run with that one, or start again "
        "(--force)");
  if (print != compute_fingerprint(of))
    throw InputError(
        "",
        "the saved state belongs to another scene (bodies, shapes, masses, drives, forces, laws, scheme, "
        "gravity or period differ)");

  Simulation fresh(of);
  State& s = *fresh.state_;
  transfer_scalars<ByteReader, Dim>(archive, s);
  std::vector<BodyId> ids;
  archive(ids);
  const int slots = static_cast<int>(ids.size());
  s.detector = Detector<Dim>();
  for (const auto& [g, h] : s.scene.excluded_groups) s.detector.exclude_groups(g, h);
  s.detector.set_period(s.scene.period);
  s.bodies.clear(slots);
  for (int slot = 0; slot < slots; ++slot) {
    const BodyId id = ids[slot];
    if (id < -1 || id >= static_cast<BodyId>(s.scene.bodies.size()))
      throw InputError("", "the saved state names a body the scene has not");
    const SceneBody<Dim>& body = s.scene.bodies[std::max<BodyId>(id, 0)];
    if (id >= 0) s.bodies.put(slot, id, s.build_model(static_cast<int>(id)));
    // Empty slots are filled for a moment, so that slots of the detector and of the bodies agree.
    s.detector.add(
        s.shape_about_mass(static_cast<int>(std::max<BodyId>(id, 0))),
        {id >= 0 && s.bodies.model[slot].all_prescribed && body.follows < 0, body.group, body.mask},
        body.where);
  }
  for (int slot = 0; slot < slots; ++slot)
    if (ids[slot] < 0) s.detector.remove(slot);
  archive(s.bodies.pose);
  archive(s.bodies.velocity);
  archive(s.bodies.spin);
  if (s.bodies.pose.size() != ids.size() || s.bodies.velocity.size() != ids.size() ||
      s.bodies.spin.size() != ids.size())
    throw InputError("", "the saved state is damaged: bodies without pose, velocity or spin");
  std::size_t count = 0;
  archive(count);
  if (count > bytes.size()) throw InputError("", "the saved state is damaged: a length that cannot be");
  s.contacts.contacts().resize(count);
  for (Contact<Dim>& c : s.contacts.contacts()) {
    transfer(archive, c);
    if (c.a < 0 || c.a >= slots || c.b < 0 || c.b >= slots)
      throw InputError("", "the saved state is damaged: a contact of a body that is not there");
  }
  transfer_parts<ByteReader, Dim>(archive, s.parts);
  if (!archive.at_end()) throw InputError("", "the saved state is longer than it should be");
  s.update_means();
  s.keep_joined_apart();
  return fresh;
}

template <int Dim>
std::uint64_t Simulation<Dim>::state_hash() const {
  const State& s = *state_;
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
  for (const GapState& gap : s.parts.gap_states) {
    add(gap.history.impulse);
    hash.add(static_cast<int>(gap.history.status));
  }
  for (const JointState& joint : s.parts.joints.states()) {
    for (const double r : joint.r) hash.add(r);
    for (const double value : joint.value) hash.add(value);
  }
  return hash.value();
}

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
