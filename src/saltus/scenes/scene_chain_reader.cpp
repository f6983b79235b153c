#include "saltus/scenes/scene_chain_reader.hpp"

#include <fmt/format.h>

#include <iterator>

#include "saltus/scenes/scene_body_reader.hpp"

namespace saltus {

namespace {

template <int Dim>
ChainSpec<Dim> read_chain(TableReader& t, SceneContext& context) {
  constexpr int kMostLinks = 1000000;
  ChainSpec<Dim> chain;
  chain.where = t.where();
  chain.name = t.text("name", "chain");
  chain.model = read_body_template<Dim>(t, context);
  chain.line = t.vectors<Dim>("points");
  if (chain.line.size() < 2)
    t.fail("points", fmt::format("{} points", chain.line.size()),
           "two or more: the line that the chain lies along");
  chain.links = static_cast<int>(t.integer("links", 1, kMostLinks));
  chain.width = t.number("width", Range{1e-9, 1e9});
  if (Dim == 3 && t.has("axis")) {
    chain.axis.template head<Dim>() = t.vector<Dim>("axis");
    if (!(chain.axis.norm() > 0)) t.fail("axis", "[0, 0, 0]", "a direction, or none for spherical joints");
  }
  chain.start = t.text("start", "");
  chain.end = t.text("end", "");
  chain.friction.constant = t.number("friction", 0, kNotNegative);
  chain.friction.coefficient = t.number("friction_coefficient", 0, kNotNegative);
  if (chain.friction.coefficient > 0) chain.friction.radius = t.number("pin_radius", kPositive);
  if (t.has("stabilisation_time")) chain.stabilisation_time = t.number("stabilisation_time", kNotNegative);
  t.finish();
  return chain;
}

}  // namespace

template <int Dim>
void read_chains(TableReader& scene, SceneContext& context, Scene<Dim>& into) {
  for (TableReader& t : scene.tables("chains")) {
    const ChainSpec<Dim> spec = read_chain<Dim>(t, context);
    if (static_cast<std::int64_t>(into.bodies.size()) + spec.links > context.limits.bodies)
      t.fail("links", fmt::format("{} links", spec.links),
             fmt::format("up to {} bodies in all", context.limits.bodies));
    Chain<Dim> chain = generate_chain(spec);
    std::move(chain.bodies.begin(), chain.bodies.end(), std::back_inserter(into.bodies));
    std::move(chain.joints.begin(), chain.joints.end(), std::back_inserter(into.joints));
  }
}

template void read_chains<2>(TableReader&, SceneContext&, Scene<2>&);
template void read_chains<3>(TableReader&, SceneContext&, Scene<3>&);

}  // namespace saltus
