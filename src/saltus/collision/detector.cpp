#include "saltus/collision/detector.hpp"

#include <algorithm>
#include <cassert>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/collision/candidates.hpp"

namespace saltus {

template <int Dim>
struct Detector<Dim>::State {
  std::vector<typename Candidates<Dim>::Body> bodies;
  PairFilter filter;
  Vec<Dim> period = Vec<Dim>::Zero();
  Candidates<Dim> candidates;
  std::vector<double> reach;  // per body, at least its side of a pair
  std::vector<double> still;  // zeros
  std::vector<double> width;  // per body, m
  bool has_widths = false;
  std::vector<double> alert;  // per body, m: of two the smaller counts; as long as
  double alert_for = 0;       // this is asked for
  std::vector<std::vector<ContactPoint<Dim>>> waves;
  std::vector<ContactPoint<Dim>> contacts;
  long pairs = 0;
};

namespace {

constexpr std::int64_t kPairsPerChunk = 128;

// Walls and ground, which meet no others of theirs, count as wide as the widest body.
template <int Dim>
void measure_widths(std::span<const typename Candidates<Dim>::Body> bodies, std::vector<double>& width) {
  width.assign(bodies.size(), 0.0);
  double widest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].present || bodies[i].collider.unbounded || bodies[i].collider.ground) continue;
    const Bounds<Dim> box = bodies[i].collider.bounds(Pose<Dim>());
    width[i] = (box.high - box.low).minCoeff();
    widest = std::max(widest, width[i]);
  }
  for (double& own : width)
    if (own == 0) own = widest;
}

template <int Dim>
struct Workspace {
  NarrowPhase<Dim> narrow_phase;
  std::vector<ManifoldPoint<Dim>> points;
};

template <int Dim>
void collide(const typename Candidates<Dim>::Body& a, const Pose<Dim>& pose_a,
             const typename Candidates<Dim>::Body& b, Pose<Dim> pose_b, const BodyPair<Dim>& pair,
             const Vec<Dim>& period, double reach, bool same_a, bool rolls,
             std::vector<ContactPoint<Dim>>& contacts) {
  thread_local Workspace<Dim> workspace;  // keeps its buffers from step to step
  if constexpr (Dim == 3) {
    // Which of their edges are sharp is known to who made the facets: one entry stands for the pair, its gap for the reach.
    if (a.flags.part == SurfacePart::facet && b.flags.part == SurfacePart::facet)
      return contacts.push_back({pair.a, pair.b, 0, Vec<3>::Zero(), Vec<3>::Zero(), reach, pair.image});
  }
  pose_b.position += pair.image.template cast<double>().cwiseProduct(period);
  workspace.narrow_phase.collide(a.collider, pose_a, b.collider, pose_b, reach, workspace.points, same_a,
                                 rolls);
  for (const ManifoldPoint<Dim>& p : workspace.points) {
    contacts.push_back({pair.a, pair.b, p.feature, p.point, p.normal, p.gap, pair.image});
  }
}

}  // namespace

template <int Dim>
Detector<Dim>::Detector() : state_(std::make_unique<State>()) {}
template <int Dim>
Detector<Dim>::~Detector() = default;
template <int Dim>
Detector<Dim>::Detector(Detector&&) noexcept = default;
template <int Dim>
Detector<Dim>& Detector<Dim>::operator=(Detector&&) noexcept = default;

template <int Dim>
int Detector<Dim>::add(const Shape<Dim>& shape, const BodyFlags& flags, const std::string& where) {
  check<Dim>(shape, where);
  auto& bodies = state_->bodies;
  std::size_t body = first_free_;
  while (body < bodies.size() && bodies[body].present) ++body;
  if (body == bodies.size()) bodies.emplace_back();
  first_free_ = body + 1;
  bodies[body].collider = build_collider<Dim>(shape);
  bodies[body].flags = flags;
  bodies[body].present = true;
  state_->has_widths = false;
  state_->candidates.invalidate();
  return static_cast<int>(body);
}

template <int Dim>
void Detector<Dim>::remove(int body) {
  assert(body >= 0 && body < size() && state_->bodies[body].present);
  auto& bodies = state_->bodies;
  bodies[body] = {};
  state_->has_widths = false;
  first_free_ = std::min(first_free_, static_cast<std::size_t>(body));
  while (!bodies.empty() && !bodies.back().present) bodies.pop_back();
  state_->filter.forget(body);
  state_->candidates.invalidate();
}

template <int Dim>
void Detector<Dim>::reserve(int bodies) {
  state_->bodies.reserve(bodies);
}

template <int Dim>
void Detector<Dim>::set_flags(int body, const BodyFlags& flags) {
  state_->bodies[body].flags = flags;
  state_->candidates.invalidate();
}

// Boxes are looked at in every update: candidates stay good while it stays in its own.
template <int Dim>
void Detector<Dim>::move_corners(int body, std::span<const Vec<Dim>> corners) {
  Collider<Dim>& collider = state_->bodies[body].collider;
  assert(collider.ground);
  collider.ground->surface.move_corners(corners);
  collider.ground->bounds = {};
  collider.radius = 0;
  for (const Vec<Dim>& x : corners) {
    collider.ground->bounds.add(x);
    collider.radius = std::max(collider.radius, x.norm());
  }
}

template <int Dim>
int Detector<Dim>::size() const {
  return static_cast<int>(state_->bodies.size());
}

template <int Dim>
void Detector<Dim>::exclude_groups(int g, int h) {
  assert(g >= 0 && g < 32 && h >= 0 && h < 32);
  state_->filter.exclude_groups(g, h);
  state_->candidates.invalidate();
}

template <int Dim>
void Detector<Dim>::exclude_pairs(std::span<const std::pair<int, int>> pairs) {
  state_->filter.exclude_pairs(pairs);
  state_->candidates.invalidate();
}

template <int Dim>
void Detector<Dim>::set_period(const Vec<Dim>& lengths) {
  state_->period = lengths;
  state_->candidates.invalidate();
}

template <int Dim>
const Vec<Dim>& Detector<Dim>::period() const {
  return state_->period;
}

template <int Dim>
const std::vector<ContactPoint<Dim>>& Detector<Dim>::contacts() const {
  return state_->contacts;
}

template <int Dim>
void Detector<Dim>::drop_contacts() {
  release_if_large(state_->contacts);
}

template <int Dim>
typename Detector<Dim>::Statistics Detector<Dim>::statistics() const {
  return {state_->pairs, state_->candidates.rebuilds()};
}

template <int Dim>
const std::vector<ContactPoint<Dim>>& Detector<Dim>::update(std::span<const Pose<Dim>> poses,
                                                            std::span<const double> travel, double alert,
                                                            std::span<const char> watched, bool rolls) {
  State& s = *state_;
  assert(static_cast<int>(poses.size()) >= size());
  assert(travel.empty() || static_cast<int>(travel.size()) >= size());
  s.reach.resize(s.bodies.size());
  const bool changed = !s.has_widths;
  if (changed) measure_widths<Dim>(s.bodies, s.width);
  s.has_widths = true;
  if (changed || alert != s.alert_for) {
    s.alert_for = alert;
    s.alert.resize(s.bodies.size());
    for (std::size_t i = 0; i < s.bodies.size(); ++i) s.alert[i] = alert < 0 ? -alert * s.width[i] : alert;
  }
  if (travel.empty()) s.still.resize(s.bodies.size());
  const double *own = s.alert.data(), *travels = travel.empty() ? s.still.data() : travel.data();
  // Half of either body's own is at least half of the pair's.
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.reach[i] = own[i] / 2 + travels[i];
  const auto& pairs = s.candidates.update(s.bodies, poses, s.reach, s.period, s.filter);
  const auto count = static_cast<std::int64_t>(pairs.size());
  s.contacts.clear();
  s.contacts.reserve(pairs.size());
  append_in_waves(count, kPairsPerChunk, s.waves, s.contacts, [&](auto begin, auto end, auto& found) {
    int last = -1;
    for (auto k = begin; k < end; ++k) {
      const BodyPair<Dim>& p = pairs[k];
      if (!watched.empty() && !watched[p.a] && !watched[p.b]) continue;
      if (s.candidates.are_apart(p, s.period)) continue;
      const double reach = std::min(own[p.a], own[p.b]) + travels[p.a] + travels[p.b];
      collide<Dim>(s.bodies[p.a], poses[p.a], s.bodies[p.b], poses[p.b], p, s.period, reach, p.a == last,
                   rolls, found);
      last = p.a;
    }
  });
  s.pairs = static_cast<long>(count);
  return s.contacts;
}

template class Detector<2>;
template class Detector<3>;

}  // namespace saltus
