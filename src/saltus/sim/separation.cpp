#include "saltus/sim/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "saltus/joints/joint_positions.hpp"

namespace saltus {

namespace {

// Passes come in rounds. The first one takes overlaps back to the slop. Where overlaps that can be seen are left others follow, for these
// alone: in crowds of thin bodies one gives way to the next, and what were left would be seen from the wrong side by the next step.
// Bodies whose overlaps a round does not change are given up: they are wedged. Those that end it deeper are not, upon which a neighbour that
// gave way has come. Each decides for itself, so that far bodies do not matter.
constexpr int kRound = 8, kMostRounds = 5;
constexpr double kSeen = 5e-3;  // of the thickness of the thinner body
constexpr double kSame = 0.01;  // of its overlap before a round: one that changes by less is given up
constexpr std::int64_t kSweeps = 60;
// Surfaces this near take part, so that bodies are not pushed into their neighbours; of a body's thickness, on its side.
constexpr double kNear = 0.01;

template <int Dim>
double thinner(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies, int slot_a, int slot_b) {
  const double a = in.thickness[bodies.id[slot_a]], b = in.thickness[bodies.id[slot_b]];
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

template <int Dim>
bool is_ignored(const SeparationInput<Dim>& in, int slot) {
  return !in.ignored.empty() && in.ignored[slot];
}

// Cannot be moved: no pass would change anything between two of them.
template <int Dim>
bool stands(const SeparationInput<Dim>& in, int slot) {
  return is_ignored(in, slot) || is_immovable<Dim>(in.motion.free[slot]);
}

// How far a displacement takes a feature of the body at most, m.
template <int Dim>
double way(const SeparationInput<Dim>& in, const BodyVelocity<Dim>& by, BodyId id) {
  return Eigen::Map<const Vec<Dim>>(by.v).norm() + Eigen::Map<const Spin<Dim>>(by.w).norm() * in.turning[id];
}

// Of a displacement that takes it so far, what it goes in a pass.
template <int Dim>
double part_of_way(const SeparationInput<Dim>& in, double farthest, BodyId id) {
  const double limit = kFarthest * in.thickness[id];
  return limit > 0 && farthest > limit ? limit / farthest : 1;
}

// Calls f with the two bodies of each pair that a joint acts on.
template <int Dim, class F>
void for_each_pair(const Joint<Dim>& joint, F&& f) {
  f(joint.pair.a, joint.pair.b);
  for (const CombinedTerm<Dim>& term : joint.combined) f(term.pair.a, term.pair.b);
  if (joint.combined.size() > 1) f(joint.combined[0].pair.b, joint.combined[1].pair.b);
}

template <int Dim>
Vec<Dim> image_shift(const SeparationInput<Dim>& in, const ContactPoint<Dim>& p) {
  return p.image.template cast<double>().cwiseProduct(in.period);
}

template <int Dim>
void displace(const BodyVelocity<Dim>& by, int slot, BodySet<Dim>& bodies) {
  const BodyModel<Dim>& model = bodies.model[slot];
  const Spin<Dim> spin = bodies.spin_world(slot), turn = Eigen::Map<const Spin<Dim>>(by.w);
  bodies.pose[slot].position += Eigen::Map<const Vec<Dim>>(by.v);
  if (turn.isZero(0)) return;
  bodies.pose[slot].rotate(turn);
  if (Dim == 3 && (model.spherical || !model.all_free)) bodies.set_spin_world(slot, spin);
}

}  // namespace

template <int Dim>
bool Separator<Dim>::may_overlap(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                                 std::span<const Contact<Dim>> contacts, std::span<const double> travel) {
  looked_.assign(bodies.slots(), false);
  bool any = false;
  for (const Contact<Dim>& c : contacts) {
    if (-c.gap_end <= kSlop * in.finest || !is_separated(*c.law)) continue;
    if (-c.gap_end <= slop(*c.law, thinner(in, bodies, c.a, c.b), in.fall())) continue;
    // What stands is looked at with the body that touches it: others upon it are none of its business.
    for (const int slot : {c.a, c.b})
      if (!stands(in, slot)) looked_[slot] = any = true;
  }
  // A feature that was not listed comes in by a turn after detection, or by a motion that was not foreseen.
  const auto is_foreseen = [&](int s, double unseen, double listed) {
    const double turned =
        in.h * Eigen::Map<const Spin<Dim>>(in.solved[s].w).norm() * in.turning[bodies.id[s]];
    const double moved = in.h * Eigen::Map<const Vec<Dim>>(in.solved[s].v).norm();
    return in.mean * turned <= unseen && moved + turned <= travel[s] + listed + unseen;
  };
  const auto unseen = [](double thickness) { return 0.5 * kSlop * thickness; };
  const auto listed = [&](double thickness) {
    return 0.5 * (in.alert < 0 ? -in.alert * thickness : in.alert);
  };
  // Most steps end here: nothing overlaps, and no motion would matter to the thinnest of all.
  const double finest_unseen = unseen(in.finest), finest_listed = listed(in.finest);
  bool quiet = !any;
  for (int s = 0; quiet && s < bodies.slots(); ++s)
    quiet = !bodies.alive(s) || is_foreseen(s, finest_unseen, finest_listed);
  if (quiet) return false;
  find_thinnest(in, bodies, contacts);
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s) && !is_foreseen(s, unseen(thinnest_[s]), listed(thinnest_[s])))
      looked_[s] = any = true;
  return any;
}

// Of each body the thinnest that it touches, itself among them.
template <int Dim>
void Separator<Dim>::find_thinnest(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                                   std::span<const Contact<Dim>> contacts) {
  thinnest_.assign(bodies.slots(), std::numeric_limits<double>::infinity());
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s) && in.thickness[bodies.id[s]] > 0) thinnest_[s] = in.thickness[bodies.id[s]];
  for (const Contact<Dim>& c : contacts) note_thickness(thinner(in, bodies, c.a, c.b), c.a, c.b);
}

template <int Dim>
void Separator<Dim>::note_thickness(double thickness, int a, int b) {
  if (!(thickness > 0)) return;
  thinnest_[a] = std::min(thinnest_[a], thickness);
  thinnest_[b] = std::min(thinnest_[b], thickness);
}

template <int Dim>
void Separator<Dim>::measure(const ContactPoint<Dim>& p, double unit, double allowed) {
  const double depth = -p.gap, relative = depth / unit;
  Overlap& worst = depth > allowed ? deep_ : shallow_;
  if (depth > allowed) {
    watched_[p.a] = watched_[p.b] = true;
    for (const int slot : {p.a, p.b}) depth_[slot] = std::max(depth_[slot], relative);
  }
  worst.depth = std::max(worst.depth, depth);
  if (relative > worst.relative) worst.relative = relative, worst.a = p.a, worst.b = p.b;
}

// The problem of a pass; whether anything is to open. Measures what there is on the way.
template <int Dim>
bool Separator<Dim>::collect(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                             std::span<const ContactPoint<Dim>> points) {
  problem_.start(in.motion.free);
  for (int s = 0; s < static_cast<int>(in.ignored.size()); ++s)
    if (in.ignored[s]) problem_.hold(s);
  deep_ = {};
  depth_.assign(bodies.slots(), 0);
  bool opens = false;
  for (const ContactPoint<Dim>& p : points) {
    const double unit = thinner(in, bodies, p.a, p.b);
    if (!(unit > 0) || is_ignored(in, p.a) || is_ignored(in, p.b)) continue;
    const PairLaw& law = in.laws.require(bodies.model[p.a].material, bodies.model[p.b].material);
    if (is_soft(law)) continue;
    const double allowed = slop(law, unit, in.fall());
    if (is_separated(law)) measure(p, unit, allowed);
    for (const int slot : {p.a, p.b})
      if (stands(in, slot)) watched_[slot] = false;
    // How far the contact is to open, m; below 0: how far it may close. In the first round that also goes for shallow ones of the
    // bodies that are looked at: left on the brink they would call for a correction soon, one after the other, and what stands
    // would be moved again and again.
    double wanted = -p.gap - kKept / kSlop * allowed;
    const bool is_deep = -p.gap > std::max(allowed, least_ * unit);
    if (!is_separated(law) || given_up_[p.a] || given_up_[p.b] || !(is_deep || least_ == 0))
      wanted = std::min(0.0, wanted);
    note_thickness(unit, p.a, p.b);
    opens |= problem_.add(p, bodies.pose, image_shift(in, p), wanted) && wanted > 0 && is_deep;
  }
  if (!opens) return false;
  tie(in, bodies);
  return true;
}

// Only joints of bodies that may move take part: what a joint is off stays as it is.
template <int Dim>
void Separator<Dim>::tie(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies) {
  ties_.clear();
  const auto slot = [&](BodyId id) { return id < 0 ? -1 : in.slot_of[id]; };
  const int joints = in.joints ? in.joints->count() : 0;
  for (int i = 0; i < joints; ++i)
    for_each_pair<Dim>(in.joints->joint(i),
                       [&](BodyId a, BodyId b) { ties_.emplace_back(slot(a), slot(b)); });
  problem_.drop_closed_groups(ties_);
  for (int i = 0; i < joints; ++i) {
    bool open = false;
    double reach = 0;  // what the bodies of the joint can go in a pass
    for_each_pair<Dim>(in.joints->joint(i), [&](BodyId a, BodyId b) {
      for (const int s : {slot(a), slot(b)}) {
        open |= s >= 0 && problem_.is_open(s);
        if (s >= 0) reach += kFarthest * in.thickness[bodies.id[s]];
      }
    });
    if (open && in.joints->is_there(i, in.slot_of))
      add_kept_blocks<Dim>(*in.joints, i, in.slot_of, bodies.pose, reach, problem_.coupling());
  }
}

// Contacts of the bodies that are watched; from then on those that are too deep are.
template <int Dim>
bool Separator<Dim>::look(const SeparationInput<Dim>& in, Detector<Dim>& detector,
                          const BodySet<Dim>& bodies) {
  const std::vector<ContactPoint<Dim>>& points = detector.update(bodies.pose, near_, 0, watched_, false);
  std::fill(watched_.begin(), watched_.end(), false);
  return collect(in, bodies, points);
}

// After the first: gives up what the last one did not help, and looks at what can be seen of the rest.
template <int Dim>
bool Separator<Dim>::open_round(const SeparationInput<Dim>& in, Detector<Dim>& detector,
                                const BodySet<Dim>& bodies) {
  least_ = kSeen;
  for (int s = 0; s < bodies.slots(); ++s)
    if (depth_[s] > kSeen && std::abs(depth_[s] - depth_before_[s]) <= kSame * depth_before_[s])
      given_up_[s] = true;
  return look(in, detector, bodies);
}

// Bodies that joints tie go the same part of their ways; where joints hold them so that they do not move, another pass would find
// the same, and they are given up.
template <int Dim>
void Separator<Dim>::move(const SeparationInput<Dim>& in, BodySet<Dim>& bodies) {
  const ContactGroups<Dim>& groups = problem_.groups();
  const auto tied_group = [&](int s) {
    const int group = groups.group_of_body(s);
    return group >= 0 && groups.is_coupled(group) ? group : -1;
  };
  const bool is_tied = !problem_.coupling().blocks.empty();
  std::vector<double> part_of_group(is_tied ? groups.count() : 0, 1.0);
  std::vector<char> moves(is_tied ? groups.count() : 0, false);
  for (int s = 0; is_tied && s < bodies.slots(); ++s) {
    const int group = bodies.alive(s) ? tied_group(s) : -1;
    if (group < 0) continue;
    const double farthest = way(in, problem_.displacement(s), bodies.id[s]);
    part_of_group[group] = std::min(part_of_group[group], part_of_way(in, farthest, bodies.id[s]));
    if (farthest > 0.1 * kSlop * thinnest_[s]) moves[group] = true;
  }
  for (int s = 0; s < bodies.slots(); ++s) {
    if (!bodies.alive(s)) continue;
    const int group = tied_group(s);
    if (group >= 0 && !moves[group]) given_up_[s] = true;
    const double together = group >= 0 ? part_of_group[group] : 1;
    BodyVelocity<Dim> by = problem_.displacement(s);
    Eigen::Map<Vec<Dim>> d(by.v), sum(moved_[s].v);
    Eigen::Map<Spin<Dim>> turn(by.w), sum_turn(moved_[s].w);
    if (d.isZero(0) && turn.isZero(0)) continue;
    const double farthest = way(in, by, bodies.id[s]);
    if (!std::isfinite(farthest)) continue;
    if (const double part = std::min(together, part_of_way(in, farthest, bodies.id[s])); part < 1) {
      d *= part;
      turn *= part;
    }
    displace(by, s, bodies);
    if (farthest > 0.1 * kSlop * thinnest_[s]) watched_[s] = true;
    sum += d;
    sum_turn += turn;
    const StepLoad<Dim>& load = in.motion.load(s);
    result_.gravity += bodies.model[s].mass * in.gravity.dot(d);
    result_.forces += (load.force.dot(d) + load.torque.dot(turn)) / in.h;
  }
}

template <int Dim>
void Separator<Dim>::follow_layers(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                                   std::span<Contact<Dim>> contacts) {
  for (Contact<Dim>& c : contacts) {
    if (!is_layer(c.law->kind)) continue;
    const Vec<Dim> image = c.image.template cast<double>().cwiseProduct(in.period),
                   arm_a = c.point - bodies.pose[c.a].position,
                   arm_b = c.point - bodies.pose[c.b].position - image;
    const double opens =
        c.normal.dot(point_velocity<Dim>(moved_[c.b], arm_b) - point_velocity<Dim>(moved_[c.a], arm_a));
    if (opens == 0) continue;
    result_.elastic += stored_energy(*c.law, c.gap_end, c.history);
    c.gap_end += opens;
    result_.elastic -= stored_energy(*c.law, c.gap_end, c.history);
  }
}

template <int Dim>
const typename Separator<Dim>::Result& Separator<Dim>::run(const SeparationInput<Dim>& in,
                                                           Detector<Dim>& detector, BodySet<Dim>& bodies) {
  result_ = {};
  result_.looked = true;
  near_.resize(bodies.slots());
  for (int s = 0; s < bodies.slots(); ++s)
    near_[s] = bodies.alive(s) ? kNear * in.thickness[bodies.id[s]] : 0;
  tolerance_.resize(bodies.slots());
  for (int s = 0; s < bodies.slots(); ++s) {
    const double thickness = bodies.alive(s) ? in.thickness[bodies.id[s]] : 0;
    tolerance_[s] = thickness > 0 ? 0.1 * kSlop * thickness : std::numeric_limits<double>::infinity();
  }
  given_up_.assign(bodies.slots(), false);
  moved_.assign(bodies.slots(), {});
  watched_ = looked_;
  shallow_ = {};
  least_ = 0;
  try {
    bool opens = look(in, detector, bodies);
    while (opens && result_.passes < kMostRounds * kRound) {
      const bool begins = result_.passes % kRound == 0;
      if (begins && result_.passes > 0 && !(opens = open_round(in, detector, bodies))) break;
      if (begins) depth_before_ = depth_;
      result_.sweeps += problem_.solve(tolerance_, kSweeps);
      move(in, bodies);
      ++result_.passes;
      opens = look(in, detector, bodies);
    }
    opens |= least_ > 0 && deep_.depth > 0;
    result_.left = opens || std::find(given_up_.begin(), given_up_.end(), true) != given_up_.end();
  } catch (const std::domain_error&) {
    // A body without a place: the audit tells which.
  }
  detector.drop_contacts();
  result_.worst = deep_.relative > shallow_.relative ? deep_ : shallow_;
  result_.worst.depth = std::max(deep_.depth, shallow_.depth);
  return result_;
}

template class Separator<2>;
template class Separator<3>;

}  // namespace saltus
