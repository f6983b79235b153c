// Walls of courses of blocks: bonds, leaves, openings, lintels, rubble.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/generate/generate_masonry.hpp"

namespace saltus {

// How the blocks of a course lie. A stretcher shows its length l, a header its end: (l - head joint)/2 in the
// plane; in space its depth d, and it goes through the wall, which then is one length thick, with stretchers
// in two rows. Courses count from 0; ends are cut flush.
enum class Bond {
  running,  // stretchers, every second course shifted by half a pitch
  stack,    // stretchers over each other
  header,   // headers, every second course shifted by half a pitch
  english,  // stretchers, then headers shifted by half a pitch of theirs
  flemish,  // stretcher and header in turn, every second course shifted by half of both
  rubble    // stretchers of random lengths, courses of random heights
};
const std::vector<std::string>& bond_names();

// Without blocks from `low` to `high` (m along the wall, from its middle) in the courses from `first` up to
// and without `last`. A lintel is one block as high as the course above, which rests on `bearing` of wall on
// either side; 0: none.
struct WallOpening {
  double low = 0, high = 0, bearing = 0;
  int first = 0, last = 1;
  std::string where;  // place in the input, opens error messages
};

// The frame is in the middle of the base.
template <int Dim>
struct BrickWall {
  Vec<Dim> brick = Vec<Dim>::Ones();  // length, (depth,) height
  int courses = 1, bricks = 1;        // bricks in a course of whole stretchers
  double head_joint = 0, bed_joint = 0;
  Bond bond = Bond::running;
  std::vector<WallOpening> openings;
  // 3D, bonds of stretchers: rows of blocks one behind the other, a joint between them.
  int leaves = 1;
  double collar_joint = 0;
  // rubble: lengths and heights are those of the brick times 1 - spread to 1 + spread, equally likely.
  double length_spread = 0, height_spread = 0;
  std::uint64_t seed = 1;

  double length() const { return bricks * (brick[0] + head_joint) - head_joint; }
};

// InputError for openings outside of the wall, that meet each other or the lintel of another, lintels without
// a course or a wall to rest on, and bricks too deep for a bond with headers.
template <int Dim>
void check(const BrickWall<Dim>& wall, const std::string& where);
template <int Dim>
std::int64_t count_blocks(const BrickWall<Dim>& wall);
// Blocks are numbered from below, lintels are called NAME-lintel-NUMBER of the opening.
template <int Dim>
std::vector<SceneBody<Dim>> build_brick_wall(const BrickWall<Dim>& wall, const Structure<Dim>& structure);

}  // namespace saltus
