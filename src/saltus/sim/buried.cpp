#include "saltus/geometry/matter.hpp"
#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

template <int Dim>
class BuriedSearch {
 public:
  explicit BuriedSearch(typename Simulation<Dim>::State& state)
      : state_(state), found_(state.bodies.slots(), 0) {
    for (const auto& [g, h] : state.scene.excluded_groups) filter_.exclude_groups(g, h);
  }

  bool is_ground(int slot) const {
    return state_.bodies.alive(slot) && state_.thickness[state_.bodies.id[slot]] == 0;
  }

  // Whether the centre of the body, seen by way of the period, is in the matter of the other.
  void look(int body, int other, const Matter<Dim>& matter, const Vec<Dim>& shift) {
    if (found_[body] || body == other || !state_.bodies.is_moving(body)) return;
    if (!filter_.may_touch(body, flags(body), other, flags(other))) return;
    const BodySet<Dim>& bodies = state_.bodies;
    if (!matter.contains(bodies.pose[other].to_local(bodies.pose[body].position + shift))) return;
    found_[body] = 1;
    InitialOverlaps& overlaps = state_.overlaps;
    if (++overlaps.inside > 1) return;
    overlaps.inside_body = bodies.id[body];
    overlaps.inside_of = bodies.id[other];
  }

 private:
  BodyFlags flags(int slot) const {
    const SceneBody<Dim>& body = state_.scene.bodies[state_.bodies.id[slot]];
    return {state_.bodies.model[slot].all_prescribed, body.group, body.mask};
  }

  typename Simulation<Dim>::State& state_;
  PairFilter filter_;
  std::vector<char> found_;
};

// The whole periods that bring a body nearest to the origin of another.
template <int Dim>
Vec<Dim> nearest_image(const Vec<Dim>& from, const Vec<Dim>& to, const Vec<Dim>& period) {
  Vec<Dim> shift = Vec<Dim>::Zero();
  for (int k = 0; k < Dim; ++k)
    if (period[k] > 0) shift[k] = period[k] * std::round((to[k] - from[k]) / period[k]);
  return shift;
}

}  // namespace

// Walls and ground reach far: every body is looked at. A solid that holds the centre of another overlaps it,
// and their contacts are known.
template <int Dim>
void find_buried(typename Simulation<Dim>::State& state) {
  const BodySet<Dim>& bodies = state.bodies;
  BuriedSearch<Dim> search(state);
  const auto shape = [&](int slot) -> const Shape<Dim>& {
    return state.shape_about_mass(static_cast<int>(bodies.id[slot]));
  };
  for (int other = 0; other < bodies.slots(); ++other) {
    if (!search.is_ground(other)) continue;
    const Matter<Dim> matter(shape(other));
    // Walls do not repeat.
    const bool repeats = !is_unbounded<Dim>(shape(other));
    for (int body = 0; body < bodies.slots(); ++body) {
      if (!bodies.alive(body)) continue;
      search.look(body, other, matter,
                  repeats ? nearest_image<Dim>(bodies.pose[body].position, bodies.pose[other].position,
                                               state.scene.period)
                          : Vec<Dim>(Vec<Dim>::Zero()));
    }
  }
  for (const ContactPoint<Dim>& p : state.detector.update(bodies.pose, {}, state.alert)) {
    if (p.gap >= 0 || search.is_ground(p.a) || search.is_ground(p.b)) continue;
    const Vec<Dim> shift = p.image.template cast<double>().cwiseProduct(state.scene.period);
    search.look(p.b, p.a, Matter<Dim>(shape(p.a)), shift);
    search.look(p.a, p.b, Matter<Dim>(shape(p.b)), -shift);
  }
}

template void find_buried<2>(Simulation<2>::State&);
template void find_buried<3>(Simulation<3>::State&);

}  // namespace saltus
