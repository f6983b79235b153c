// A rattleback against the equations of a body that rolls without slipping.
#include <Eigen/LU>
#include <utility>

#include "validation/library_run.hpp"

namespace saltus::rattleback_slow_test {
namespace {

// A rattleback as a body that rolls without slipping on its ellipsoid, in its own axes: `up` is the vertical, w the spin. With r from
// the centre of mass to the point that touches (the support along -up) and v = r x w,
//     I w' - m r x (r x w') = -w x I w + m r x (r' x w + w x (r x w) + g up),   up' = up x w.
struct RollingEllipsoid {
  double mass = 1;
  Vec<3> semi_axes{0.2, 0.03, 0.02}, middle{0, 0, 0.01};  // of the ellipsoid, from the centre of mass
  Mat<3> inertia;
  using State = Eigen::Matrix<double, 6, 1>;

  State rate(const State& y) const {
    const Vec<3> up = y.head<3>(), w = y.tail<3>(), squares = semi_axes.cwiseAbs2(),
                 scaled = squares.cwiseProduct(up), turning = up.cross(w);
    const double length = semi_axes.cwiseProduct(up).norm();
    const Vec<3> r = middle - scaled / length;
    const Vec<3> moved =
        -squares.cwiseProduct(turning) / length + scaled * scaled.dot(turning) / (length * length * length);
    Mat<3> cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    const Vec<3> pushed = moved.cross(w) + w.cross(r.cross(w)) + test::kGravity * up;
    const Vec<3> moment = -w.cross(inertia * w) + mass * r.cross(pushed);
    State out;
    out << turning, (inertia - mass * cross * cross).inverse() * moment;
    return out;
  }

  // The classical Runge-Kutta method: its error, seen by halving the step, is far below what is compared.
  void advance(State& y, double h) const {
    const State k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

// Rates about the vertical at the end: of the scene, and of the rolling equations.
std::pair<double, double> spin_rattleback(double spin, double h, double until) {
  Simulation<3> simulation =
      test::open_scene<3>("rattleback", {spin < 0 ? "bodies.1.spin=[0,0,-5]" : "bodies.1.spin=[0,0,5]",
                                         spin < 0 ? "bodies.1.velocity=[0.001527050265212205,0,0]"
                                                  : "bodies.1.velocity=[-0.001527050265212205,0,0]",
                                         test::set("scheme.h", h), test::set("run.until", until)});
  RollingEllipsoid exact;
  exact.inertia << 2e-4, -2e-5, 0, -2e-5, 16e-4, 0, 0, 0, 17e-4;
  RollingEllipsoid::State y;
  const Vec<3> up = simulation.bodies().pose[1].unrotated(Vec<3>::UnitZ());
  y << up, spin * up;
  while (!simulation.finished()) {
    simulation.step();
    exact.advance(y, h);
  }
  return {simulation.bodies().spin_world(1).z(), y.tail<3>().dot(y.head<3>())};
}

// The rattling grows by itself from half a degree, e-fold in 0.25 s, and so does what a step gets wrong: hence the comparison before it is
// large, at 3 s, where the exact rate is 4.930 rad/s.
TEST(Rattleback, it_turns_back_when_spun_the_wrong_way_only) {
  const auto [coarse, answer] = spin_rattleback(-5, 5e-4, 3);
  const auto [fine, same] = spin_rattleback(-5, 2.5e-4, 3);
  test::show("rattleback, rate after 3 s, h = 5e-4, rad/s", coarse, answer);
  test::show("rattleback, the same, h = 2.5e-4", fine, same);
  // First order at least: halving the step halves the error.
  EXPECT_LT(std::abs(fine - same), 0.5 * std::abs(coarse - answer));
  const auto [back, back_answer] = spin_rattleback(-5, 5e-4, 6);
  test::show("rattleback spun the wrong way, rate after 6 s, rad/s", back, back_answer);
  EXPECT_GT(back, 0);
  EXPECT_GT(back_answer, 0);
  const auto [on, on_answer] = spin_rattleback(5, 5e-4, 6);
  test::show("rattleback spun the other way, rate after 6 s, rad/s", on, on_answer);
  // It loses 0.017 rad/s exactly, and a step no more than that on top.
  EXPECT_NEAR(on, on_answer, 0.017);
}

}  // namespace
}  // namespace saltus::rattleback_slow_test
