// Coordinates of two frames: rates against finite differences, forces that balance.
#include "saltus/joints/coordinate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::coordinate_test {
namespace {

using Draw = std::mt19937;

template <int Dim>
Vec<Dim> draw_vector(Draw& draw) {
  std::uniform_real_distribution<double> any(-1, 1);
  Vec<Dim> v;
  for (int i = 0; i < Dim; ++i) v[i] = any(draw);
  return v;
}

Pose<2> draw_pose(Draw& draw, const Vec<2>& at) { return Pose<2>(at, 3 * draw_vector<2>(draw).x()); }
Pose<3> draw_pose(Draw& draw, const Vec<3>& at) {
  return Pose<3>(at, exponential_map(2 * draw_vector<3>(draw)));
}
Mat<2> draw_axes(Draw& draw, const Vec<2>&) {
  return Pose<2>(Vec<2>::Zero(), draw_vector<2>(draw).x()).rotation();
}
Mat<3> draw_axes(Draw& draw, const Vec<3>&) {
  return exponential_map(2 * draw_vector<3>(draw)).toRotationMatrix();
}

template <int Dim>
void advance(Pose<Dim>& pose, const Eigen::Matrix<double, kDofs<Dim>, 1>& velocity, double h) {
  pose.position += h * velocity.template head<Dim>();
  pose.rotate(Spin<Dim>(h * velocity.template tail<kSpins<Dim>>()));
}

// `aligned`: coordinates that are held have their rates where the two frames agree.
template <int Dim>
void check_rates(Coordinate coordinate, bool aligned, bool crossed, unsigned seed) {
  Draw draw(seed);
  JointFrame<Dim> a{draw_vector<Dim>(draw), draw_axes(draw, Vec<Dim>())},
      b{draw_vector<Dim>(draw), Mat<Dim>::Identity()};
  Pose<Dim> pose_a = draw_pose(draw, draw_vector<Dim>(draw)),
            pose_b = draw_pose(draw, draw_vector<Dim>(draw));
  b.axes = draw_axes(draw, Vec<Dim>());
  const Mat<Dim> world = pose_a.rotation() * a.axes;
  if (aligned) b.axes = pose_b.rotation().transpose() * world;
  if constexpr (Dim == 3)
    if (crossed)
      b.axes = pose_b.rotation().transpose() * world *
               Eigen::AngleAxisd(0.7, Vec<3>::UnitX()).toRotationMatrix() *
               Eigen::AngleAxisd(-0.4, Vec<3>::UnitY()).toRotationMatrix();
  Eigen::Matrix<double, kDofs<Dim>, 1> va, vb;
  for (int i = 0; i < kDofs<Dim>; ++i) va[i] = draw_vector<2>(draw).x(), vb[i] = draw_vector<2>(draw).x();
  if constexpr (Dim == 3)
    if (crossed) {
      // Only what the held row of a universal joint allows: its angles are coordinates on that.
      const Mat<3> f = pose_b.rotation() * b.axes;
      vb.template tail<3>() = va.template tail<3>() + 0.8 * world.col(0) - 0.5 * f.col(1);
    }
  const auto at = [&](double h) {
    Pose<Dim> moved_a = pose_a, moved_b = pose_b;
    advance<Dim>(moved_a, va, h);
    advance<Dim>(moved_b, vb, h);
    return evaluate<Dim>(coordinate, place_frames<Dim>(a, &moved_a, b, &moved_b));
  };
  const CoordinateRow<Dim> row = at(0);
  const double rate = row.a.dot(va) + row.b.dot(vb), h = 1e-5;
  const double difference = (at(h).value - at(-h).value) / (2 * h);
  // Central differences: h^2 times third derivatives of order 10, and round-off 1e-16/h.
  EXPECT_NEAR(rate, difference, 1e-8) << "coordinate " << static_cast<int>(coordinate) << " seed " << seed;

  // Force and counterforce, moments about the origin too.
  const Vec<Dim> force = row.a.template head<Dim>() + row.b.template head<Dim>();
  const Spin<Dim> turn = row.a.template tail<kSpins<Dim>>() + row.b.template tail<kSpins<Dim>>() +
                         moment(pose_a.position, Vec<Dim>(row.a.template head<Dim>())) +
                         moment(pose_b.position, Vec<Dim>(row.b.template head<Dim>()));
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(turn.norm(), 1e-13);
}

TEST(Coordinates, rates_are_derivatives_and_forces_balance) {
  using C = Coordinate;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    for (const C c : {C::x, C::y, C::turn_z, C::distance}) check_rates<2>(c, false, false, seed);
    for (const C c : {C::x, C::y, C::z, C::distance, C::swing, C::twist})
      check_rates<3>(c, false, false, seed);
    for (const C c : {C::turn_x, C::turn_y, C::turn_z, C::about_x, C::about_y, C::about_z, C::cross})
      check_rates<3>(c, true, false, seed);
    for (const C c : {C::cross, C::fork, C::spider}) check_rates<3>(c, false, true, seed);
  }
}

TEST(Coordinates, angles_are_followed_over_whole_turns) {
  JointFrame<3> frame;
  double near = 0;
  for (int k = 0; k <= 100; ++k) {
    const double angle = 0.3 * k;
    Pose<3> pose(Vec<3>::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vec<3>::UnitZ())));
    near = evaluate<3>(Coordinate::turn_z, place_frames<3>(frame, nullptr, frame, &pose), near).value;
    EXPECT_NEAR(near, angle, 1e-12);
  }
}

TEST(Coordinates, the_rotation_vector_is_that_of_the_exponential_map) {
  const Vec<3> turn(0.3, -0.7, 1.1);
  JointFrame<3> frame;
  const Pose<3> pose(Vec<3>::Zero(), exponential_map(turn));
  EXPECT_LT((rotation_between(place_frames<3>(frame, nullptr, frame, &pose)) - turn).norm(), 1e-14);
}

}  // namespace
}  // namespace saltus::coordinate_test
