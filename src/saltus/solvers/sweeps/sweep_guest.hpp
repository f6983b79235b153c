// What takes part in sweeps beside packed contacts: visited once per sweep, after them, against the same velocities
// and pushed by the same extrapolation (sweeper.hpp).
#pragma once

#include <span>

#include "saltus/solvers/sweeps/sweep_kernel.hpp"

namespace saltus {

class SweepOrder;

// Velocities of the bodies of a sweep by their place: v at velocity + place * stride, w `spin_at` numbers behind it.
struct SweptBodies {
  double* velocity = nullptr;
  int stride = 0, spin_at = 0;
};

struct GuestResidual {
  double sum = 0, largest = 0;  // of squares, (m/s)^2
};

template <int Dim>
class SweepGuest {
 public:
  virtual ~SweepGuest() = default;
  virtual int blocks() const = 0;

  // Bodies hold free velocities: finds its bodies in the sweep and adds its warm start to their velocities.
  virtual void start(const SweepOrder& order, std::span<const SweepBody<Dim>> bodies, SweptBodies now) = 0;
  // The iterate becomes the frozen one, and its own velocities are pushed on, as those of the bodies are.
  virtual void push(double extrapolation) = 0;
  virtual void visit(const SweepPass& pass, SweptBodies now, SweptBodies frozen, SweepSums& sums) = 0;

  virtual void keep_before() = 0;  // the iterate before the last sweep is the best
  virtual void take_before() = 0;  // back to it
  virtual void take_best() = 0;
  // Adds its impulses to the velocities of bodies, which have felt those of packed contacts alone.
  virtual GuestResidual apply_and_judge(std::span<SweepBody<Dim>> bodies) = 0;
};

}  // namespace saltus
