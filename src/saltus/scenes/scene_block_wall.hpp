// A wall of deformable blocks: copies of one body in courses, laid without mortar (docs/scene.md).
#pragma once

#include "saltus/scenes/scene_context.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/sim/scene_deformable.hpp"

namespace saltus {

// Reads the table `wall` of a deformable body: `bricks` in each of `courses`, `bond` and `gap`. The body is the first block, at the
// left end of the lowest course; courses go along x, the next one lies above (along the last axis), in running bond shifted by half
// a pitch. Pitches are the box of the mesh and the gap. Without the table: the body alone. Blocks are named NAME-0, NAME-1...
template <int Dim>
std::vector<SceneDeformable<Dim>> read_block_wall(TableReader& t, const SceneContext& context,
                                                  SceneDeformable<Dim> block);

}  // namespace saltus
