// Structures of blocks, each block a copy of `model` (material, density, groups...) with its own shape, place
// and name. Lengths in metres; the first axis runs along the structure, the last points up. Structures stand
// on height 0 of their own frame; `place` puts that frame into the world.
#pragma once

#include <vector>

#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
struct Structure {
  SceneBody<Dim> model;
  Pose<Dim> place;
};

// n equal voussoirs with radial joints; `angle` is what the arch spans (pi: semicircular), `radius` the mean
// one. The frame is the centre of the circle. With springings a fixed block carries each end.
struct Arch {
  double radius = 1, thickness = 0.1, angle = 3.14159265358979323846, depth = 1;  // depth: 3D
  int voussoirs = 7;
  bool springings = true;
};
template <int Dim>
std::vector<SceneBody<Dim>> build_arch(const Arch& arch, const Structure<Dim>& structure);

// Columns of drums under a row of architraves, each from the axis of a column to the next (the end ones reach
// to the outer face). In 3D `rows` of columns stand side by side along y, drums are cylinders, or prisms when
// `sides` is 3 or more, and with roof > 0 slabs of that thickness span the rows.
struct Portico {
  int columns = 2, drums = 3, rows = 1, sides = 0;
  double diameter = 1, drum_height = 1, spacing = 3, row_spacing = 3, architrave_height = 1, roof = 0;
};
template <int Dim>
int count_blocks(const Portico& portico);
template <int Dim>
std::vector<SceneBody<Dim>> build_portico(const Portico& portico, const Structure<Dim>& structure);

// 2D: a pile of blocks whose width goes from `width` at the base to `top_width`. 3D: a hollow square tower,
// each course a pinwheel of 4 x `bricks` bricks, every second course mirrored so that joints are covered.
template <int Dim>
struct Tower {
  Vec<Dim> brick = Vec<Dim>::Ones();  // 2D: base width and height of a course
  double top_width = 1;               // 2D
  int courses = 10, bricks = 1;       // bricks: 3D
};
template <int Dim>
std::vector<SceneBody<Dim>> build_tower(const Tower<Dim>& tower, const Structure<Dim>& structure);

}  // namespace saltus
