// How fast joints under load make bodies swing, and with it how long a step may be.
//
// A body that pins pull apart swings about its centre of mass: forces F on it at arms r turn it back by
//
//     moment = -K turn,     K = sum over its joints of  (F.r) 1 - (F r^T + r F^T)/2
//
// and between rods and ropes of length l under tension T a body is drawn back across them by T/l each, by twice that where its
// neighbours move against it. Joints that hold on velocities take the directions of their forces from the pose that is foreseen without
// them: these stiffnesses are explicit, and a step h is unstable where h omega > 2, with the fastest of
//
//     omega^2 = K/J,     omega^2 = (2/m) sum T/l
//
// In a chain of bars of length L and mass m under tension T the first is 12 T/(m L), that of its highest mode (bars that turn
// against each other about their centres). Motions that a joint holds are left out: of hinges in space only the turn about their
// axis counts, of other joints that hold turns none; compression and the loads of gears and pulleys do not.
#pragma once

#include <span>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/joints/joint_set.hpp"

namespace saltus {

template <int Dim>
class JointSwing {
 public:
  struct Fastest {
    double rate = 0;  // omega, rad/s
    int joint = -1;   // one of the joints of the body; -1: none swings
  };
  // With the loads of the last step, which took h.
  Fastest find(const JointSet<Dim>& joints, std::span<const int> slot_of, const BodySet<Dim>& bodies, double h);

 private:
  enum class Turn { free, about_axis, held };
  struct Body {
    int slot = -1, joint = -1;
    Inertia<Dim> stiffness = Inertia<Dim>::Zero();  // K, world axes, N m
    Spin<Dim> axis = Spin<Dim>::Zero();
    Turn turn = Turn::free;
    double across = 0;  // sum T/l, N/m
  };

  void index(const JointSet<Dim>& joints);
  double square(const Body& body, const BodySet<Dim>& bodies) const;  // omega^2

  std::vector<Body> bodies_;         // with a joint
  std::vector<int> first_, second_;  // of each joint in `bodies_`; -1: the world
};

extern template class JointSwing<2>;
extern template class JointSwing<3>;

}  // namespace saltus
