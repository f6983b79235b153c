#include "saltus/scenes/scene_block_wall.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

template <int Dim>
Vec<Dim> extent_of(const SolidMesh<Dim>& mesh) {
  Vec<Dim> low = mesh.nodes[0], high = low;
  for (const Vec<Dim>& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return high - low;
}

template <int Dim>
SceneDeformable<Dim> move_block(const SceneDeformable<Dim>& block, const Vec<Dim>& by, int number) {
  SceneDeformable<Dim> moved = block;
  auto mesh = std::make_shared<SolidMesh<Dim>>(*block.mesh);
  for (Vec<Dim>& x : mesh->nodes) x += by;
  moved.mesh = mesh;
  moved.place.position += by;
  if (!block.name.empty()) moved.name = fmt::format("{}-{}", block.name, number);
  return moved;
}

}  // namespace

template <int Dim>
std::vector<SceneDeformable<Dim>> read_block_wall(TableReader& t, const SceneContext& context,
                                                  SceneDeformable<Dim> block) {
  std::optional<TableReader> wall = t.optional_table("wall");
  if (!wall) return {std::move(block)};
  const int bricks = static_cast<int>(wall->integer("bricks", 1, 100000));
  const int courses = static_cast<int>(wall->integer("courses", 1, 100000));
  const bool running = wall->choice("bond", {"running", "stack"}, 0) == 0;
  const double gap = wall->number("gap", 0, kNotNegative);
  const double nodes = static_cast<double>(block.mesh->nodes.size()) * bricks * courses;
  if (nodes > static_cast<double>(context.limits.bodies))
    wall->fail("bricks", fmt::format("{} nodes in all", nodes), fmt::format("up to {}", context.limits.bodies));
  wall->finish();
  const Vec<Dim> pitch = extent_of<Dim>(*block.mesh) + Vec<Dim>::Constant(gap);
  std::vector<SceneDeformable<Dim>> blocks;
  for (int course = 0; course < courses; ++course)
    for (int brick = 0; brick < bricks; ++brick) {
      Vec<Dim> by = Vec<Dim>::Zero();
      by[0] = pitch[0] * (brick + (running && course % 2 == 1 ? 0.5 : 0.0));
      by[Dim - 1] = pitch[Dim - 1] * course;
      blocks.push_back(move_block<Dim>(block, by, static_cast<int>(blocks.size())));
    }
  return blocks;
}

template std::vector<SceneDeformable<2>> read_block_wall<2>(TableReader&, const SceneContext&,
                                                            SceneDeformable<2>);
template std::vector<SceneDeformable<3>> read_block_wall<3>(TableReader&, const SceneContext&,
                                                            SceneDeformable<3>);

}  // namespace saltus
