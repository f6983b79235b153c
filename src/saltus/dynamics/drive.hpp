// What decides the motion of one degree of freedom of a rigid body.
//
//   free          forces and contacts
//   locked        does not move
//   velocity      v(t) = function
//   position      x(t) = function (rotation: angle); x is measured from where the body starts,
//                 so the function usually begins at 0
//   acceleration  v(t) = v(0) + integral of the function: an accelerogram
//
// To contacts a degree that is not free has infinite mass. Degrees of freedom are, in order,
// x, y, rotation (2D) and x, y, z, rotations about the world axes x, y, z (3D). In 3D the locked and
// driven rotations are about world axes through the centre of mass.
#pragma once

#include "saltus/dynamics/time_function.hpp"
#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
inline constexpr int kDofs = Dim + kSpins<Dim>;

struct Drive {
  enum class Kind { free, locked, velocity, position, acceleration };
  Kind kind = Kind::free;
  TimeFunction function;

  bool is_free() const { return kind == Kind::free; }
};

// Velocity at the end of a step from t0 to t1 = t0 + h, and how far the degree moves in it.
// A position drive ends every step exactly on its curve; its velocity is the slope there.
struct DrivenStep {
  double velocity = 0, displacement = 0;
};
DrivenStep compute_driven_step(const Drive& drive, double v0, double t0, double t1, double theta);

}  // namespace saltus
