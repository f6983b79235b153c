// Principal stresses of deformable bodies as crosses: a line along each principal direction, as long as the stress is large,
// in one colour for compression and another for tension.
#pragma once

#include <vector>

#include "saltus/drawing/render_canvas.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

enum class StressMarks { none, elements, bodies };

inline constexpr Colour kCompression{0.10, 0.25, 0.55}, kTension{0.85, 0.10, 0.10};

template <int Dim>
struct StressCross {
  Vec<Dim> place = Vec<Dim>::Zero();     // m
  Vec<Dim> stress = Vec<Dim>::Zero();    // principal, of the plane or of space, Pa; tension positive
  Mat<Dim> axes = Mat<Dim>::Identity();  // their directions, columns
  double size = 0;                       // m, of what it stands for
};

// One per element, or one per body: there the mean by volume, which in equilibrium is the moment tensor of the forces on it over its
// volume. Displacements times `magnify`. Throws InputError when the trajectory holds no stresses.
template <int Dim>
std::vector<StressCross<Dim>> build_crosses(const TrajectoryReader<Dim>& reader, const Frame<Dim>& frame,
                                            StressMarks marks, double magnify);

// Pa: the stress whose line is as long as its element or body; the largest of them but for the one in fifty that is larger.
template <int Dim>
double full_stress(const std::vector<StressCross<Dim>>& crosses);

}  // namespace saltus
