// What a program sets between two steps: loads on bodies, speeds of drives, targets and limits of motors. Part of the state: a
// checkpoint holds it, and it acts until it is set again. Where nothing is set, the functions of the scene act.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "saltus/dynamics/body_set.hpp"

namespace saltus {

inline constexpr double kNotSet = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct BodyControl {
  BodyId body = -1;
  std::array<double, kDofs<Dim>> load{};  // N then N m, world axes, beside the forces of the scene
  std::array<double, kDofs<Dim>>
      speed{};  // m/s, rad/s of driven degrees of freedom; kNotSet: that of the scene

  BodyControl() { speed.fill(kNotSet); }
};

struct MotorControl {
  int joint = -1, direction = 0;
  double target = kNotSet, limit = kNotSet;  // in the units of JointMotor; kNotSet: those of the scene
};

template <int Dim>
struct Controls {
  std::vector<BodyControl<Dim>> bodies;
  std::vector<int> of_body;  // of each scene body, its place above; -1 or not there: none
  std::vector<MotorControl> motors;

  BodyControl<Dim>* find(BodyId body);
  BodyControl<Dim>& find_or_add(BodyId body);

  template <class Archive, class Self>
  static void transfer(Archive& archive, Self& self) {
    archive.list(self.bodies,
                 [&](auto& body) { archive(body.body), archive(body.load), archive(body.speed); });
    archive(self.of_body);
    archive.list(self.motors, [&](auto& motor) {
      archive(motor.joint), archive(motor.direction), archive(motor.target), archive(motor.limit);
    });
  }
};

}  // namespace saltus
