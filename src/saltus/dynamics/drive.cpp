#include "saltus/dynamics/drive.hpp"

namespace saltus {

DrivenStep compute_driven_step(const Drive& drive, double v0, double t0, double t1, double theta) {
  const double h = t1 - t0;
  const auto trapeze = [&](double v1) { return DrivenStep{v1, h * (theta * v1 + (1 - theta) * v0)}; };
  switch (drive.kind) {
    case Drive::Kind::velocity: return trapeze(drive.function.at(t1));
    case Drive::Kind::acceleration: return trapeze(v0 + drive.function.integral(t0, t1));
    case Drive::Kind::position:
      return {drive.function.slope_before(t1), drive.function.at(t1) - drive.function.at(t0)};
    case Drive::Kind::locked:
    case Drive::Kind::free: break;
  }
  return {};
}

}  // namespace saltus
