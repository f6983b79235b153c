// Orders of all schemes, side by side: on smooth motion with joints, and with impacts in graph distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "joints/joint_scenes.hpp"
#include "saltus/schemes/generalized_alpha.hpp"

namespace saltus::orders_test {
namespace {

SchemeOptions scheme_of(SchemeKind kind, double theta = 0.5) {
  SchemeOptions scheme;
  scheme.kind = kind;
  scheme.theta = theta;
  if (kind == SchemeKind::generalized_alpha) scheme.alpha = alpha_options(0.8);
  if (kind == SchemeKind::newmark) scheme.alpha = alpha_options(0, 0);
  if (kind == SchemeKind::hht) scheme.alpha = alpha_options(0, 0.05);
  return scheme;
}

// A double pendulum of rods after 0.4 s of falling: where its end is.
Vec<2> pendulum_end(SchemeOptions scheme, double h) {
  scheme.h = h;
  Scene<2> scene = test::bare_scene_2d(h);
  scene.scheme = scheme;
  scene.bodies = {test::unit_body("upper", Vec<2>(0.5, 0), 1.0 / 12),
                  test::unit_body("lower", Vec<2>(1.5, 0), 1.0 / 12)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "upper", Vec<2>::Zero()),
                  test::joint<2>(JointKind::revolute, "upper", "lower", Vec<2>(1, 0))};
  for (SceneJoint<2>& joint : scene.joints) joint.stabilisation_time = 0;
  Simulation<2> simulation(scene);
  for (int k = 0; k < std::lround(0.4 / h); ++k) simulation.step();
  return simulation.bodies().pose[1].position;
}

// Three steps, each half the last: differences fall by 2^order, within what the next order adds at these steps.
TEST(Orders, of_smooth_motion_with_joints) {
  struct Case {
    const char* name;
    SchemeOptions scheme;
    int order;
  };
  const Case cases[] = {{"moreau-jean, theta 1/2", scheme_of(SchemeKind::moreau_jean), 2},
                        {"moreau-jean, theta 0.8", scheme_of(SchemeKind::moreau_jean, 0.8), 1},
                        {"moreau-jean, theta 1", scheme_of(SchemeKind::moreau_jean, 1), 1},
                        {"moreau-jean-projected", scheme_of(SchemeKind::moreau_jean_projected), 2},
                        {"generalized-alpha", scheme_of(SchemeKind::generalized_alpha), 2},
                        {"newmark", scheme_of(SchemeKind::newmark), 2},
                        {"hht", scheme_of(SchemeKind::hht), 2}};
  for (const Case& c : cases) {
    const Vec<2> coarse = pendulum_end(c.scheme, 8e-3), middle = pendulum_end(c.scheme, 4e-3),
                 fine = pendulum_end(c.scheme, 2e-3);
    const double order = std::log2((coarse - middle).norm() / (middle - fine).norm());
    RecordProperty(c.name, std::to_string(order));
    EXPECT_NEAR(order, c.order, 0.15) << c.name;
  }
}

// The graph of the velocity of a ball that falls from 1 m with restitution 0.8, g = 10: lines between impacts, and vertical ones
// at them. Distance of (g t, v) from it, m/s: a jump that comes a little early or late is as far off as it is in time.
class BounceGraph {
 public:
  explicit BounceGraph(double until) {
    double t = 0, v = 0, flight = std::sqrt(2.0 / kG);
    while (t < until) {
      lines_.push_back({Vec<2>(kG * t, v), Vec<2>(kG * (t + flight), v - kG * flight)});
      pieces_.push_back({t, lines_.size() == 1 ? 1.0 : 0.0, v});
      t += flight;
      const double down = v - kG * flight;
      v = -0.8 * down;
      lines_.push_back({Vec<2>(kG * t, down), Vec<2>(kG * t, v)});
      flight = 2 * v / kG;
    }
  }
  double distance(double t, double v) const {
    double nearest = 1e300;
    for (const auto& [from, to] : lines_) {
      const Vec<2> p(kG * t, v), along = to - from;
      const double part = std::clamp(along.dot(p - from) / along.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (p - from - part * along).norm());
    }
    return nearest;
  }
  double height(double t) const {
    const Piece* piece = &pieces_.front();
    for (const Piece& next : pieces_)
      if (next.start <= t) piece = &next;
    const double s = t - piece->start;
    return piece->height + piece->velocity * s - 0.5 * kG * s * s;
  }

  static constexpr double kG = 10;

 private:
  struct Piece {
    double start, height, velocity;
  };
  std::vector<std::pair<Vec<2>, Vec<2>>> lines_;
  std::vector<Piece> pieces_;
};

double bounce_error(SchemeOptions scheme, double h) {
  constexpr double kUntil = 2.2;  // four impacts
  scheme.h = h;
  PairLaw law = test::law(LawKind::newton);
  law.restitution = 0.8;
  Scene<2> scene = test::scene<2>(law, h);
  scene.gravity = Vec<2>(0, -BounceGraph::kG);
  scene.scheme = scheme;
  SceneBody<2> ball = test::body<2>(Ball<2>{0.5}, Vec<2>(0, 1.5));
  scene.bodies = {test::ground<2>(), ball};
  Simulation<2> simulation(scene);
  const BounceGraph exact(kUntil + 1);
  double worst = 0;
  while (simulation.time() < kUntil) {
    simulation.step();
    const double t = simulation.time();
    worst = std::max({worst, exact.distance(t, simulation.bodies().velocity[1].y()),
                      std::abs(simulation.bodies().pose[1].position.y() - 0.5 - exact.height(t))});
  }
  return worst;
}

TEST(Orders, with_impacts_in_graph_distance) {
  struct Case {
    const char* name;
    SchemeOptions scheme;
  };
  SchemeOptions combined = scheme_of(SchemeKind::moreau_jean_projected), direct = combined;
  direct.projection.kind = ProjectionKind::direct;
  const Case cases[] = {{"moreau-jean, theta 1/2", scheme_of(SchemeKind::moreau_jean)},
                        {"moreau-jean, theta 1", scheme_of(SchemeKind::moreau_jean, 1)},
                        {"moreau-jean-projected, direct", direct},
                        {"moreau-jean-projected, combined", combined},
                        {"schatzman-paoli", scheme_of(SchemeKind::schatzman_paoli)},
                        {"generalized-alpha", scheme_of(SchemeKind::generalized_alpha)},
                        {"newmark", scheme_of(SchemeKind::newmark)},
                        {"hht", scheme_of(SchemeKind::hht)}};
  for (const Case& c : cases) {
    // Where in the step an impact falls changes the error by a factor of up to 5 or so, a third of the order seen over 32 steps in one.
    const double coarse = bounce_error(c.scheme, 6.4e-3), fine = bounce_error(c.scheme, 2e-4);
    const double order = std::log(coarse / fine) / std::log(32.0);
    RecordProperty(c.name, std::to_string(order));
    EXPECT_GT(order, 0.7) << c.name << ' ' << coarse << ' ' << fine;
    // A step of travel at 4.5 m/s for each of the four impacts, and g h of velocity.
    EXPECT_LT(fine, 4 * (4.5 + BounceGraph::kG) * 2e-4 * 4) << c.name;
  }
}

}  // namespace
}  // namespace saltus::orders_test
