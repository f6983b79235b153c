#include "saltus/geometry/matter.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

template <int Dim>
class BuriedSearch {
 public:
  BuriedSearch(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies, InitialOverlaps& overlaps)
      : model_(model), bodies_(bodies), overlaps_(overlaps), found_(bodies.slots(), 0) {
    for (const auto& [g, h] : model.scene.excluded_groups) filter_.exclude_groups(g, h);
  }

  // Facets of deformable bodies are no ground that reaches far.
  bool is_ground(int slot) const {
    return bodies_.alive(slot) && model_.thickness[bodies_.id[slot]] == 0 &&
           model_.scene.bodies[bodies_.id[slot]].follows < 0;
  }

  // Whether the centre of the body, seen by way of the period, is in the matter of the other.
  void look(int body, int other, const Matter<Dim>& matter, const Vec<Dim>& offset) {
    if (found_[body] || body == other || !bodies_.is_moving(body)) return;
    if (!filter_.may_touch(body, flags(body), other, flags(other))) return;
    if (!matter.contains(bodies_.pose[other].to_local(bodies_.pose[body].position + offset))) return;
    found_[body] = 1;
    if (++overlaps_.inside > 1) return;
    overlaps_.inside_body = bodies_.id[body];
    overlaps_.inside_of = bodies_.id[other];
  }

 private:
  BodyFlags flags(int slot) const {
    const SceneBody<Dim>& body = model_.scene.bodies[bodies_.id[slot]];
    return flags_of(body, bodies_.model[slot].all_prescribed);
  }

  const SimulationModel<Dim>& model_;
  const BodySet<Dim>& bodies_;
  InitialOverlaps& overlaps_;
  PairFilter filter_;
  std::vector<char> found_;
};

// The whole periods that bring a body nearest to the origin of another.
template <int Dim>
Vec<Dim> nearest_image(const Vec<Dim>& from, const Vec<Dim>& to, const Vec<Dim>& period) {
  Vec<Dim> offset = Vec<Dim>::Zero();
  for (int k = 0; k < Dim; ++k)
    if (period[k] > 0) offset[k] = period[k] * std::round((to[k] - from[k]) / period[k]);
  return offset;
}

}  // namespace

// Walls and ground reach far: every body is looked at. A solid that holds the centre of another overlaps it,
// and their contacts are known.
template <int Dim>
void find_buried(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies, Detector<Dim>& detector,
                 InitialOverlaps& overlaps) {
  BuriedSearch<Dim> search(model, bodies, overlaps);
  const auto shape = [&](int slot) -> const Shape<Dim>& {
    return model.shape_about_mass(static_cast<int>(bodies.id[slot]));
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
                                               model.scene.period)
                          : Vec<Dim>(Vec<Dim>::Zero()));
    }
  }
  for (const ContactPoint<Dim>& p : detector.update(bodies.pose, {}, model.alert)) {
    if (p.gap >= 0 || model.thickness[bodies.id[p.a]] == 0 || model.thickness[bodies.id[p.b]] == 0) continue;
    const Vec<Dim> offset = p.image.template cast<double>().cwiseProduct(model.scene.period);
    search.look(p.b, p.a, Matter<Dim>(shape(p.a)), offset);
    search.look(p.a, p.b, Matter<Dim>(shape(p.b)), -offset);
  }
}

template void find_buried<2>(const SimulationModel<2>&, const BodySet<2>&, Detector<2>&, InitialOverlaps&);
template void find_buried<3>(const SimulationModel<3>&, const BodySet<3>&, Detector<3>&, InitialOverlaps&);

}  // namespace saltus
