// What stands, stands: bricks in running bond do not creep.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus {
namespace {

std::vector<Vec<3>> places(const Simulation<3>& simulation) {
  std::vector<Vec<3>> result;
  for (const Pose<3>& pose : simulation.bodies().pose) result.push_back(pose.position);
  return result;
}

double largest_distance(const std::vector<Vec<3>>& p, const std::vector<Vec<3>>& q) {
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, (p[i] - q[i]).norm());
  return largest;
}

double mean_distance(const std::vector<Vec<3>>& p, const std::vector<Vec<3>>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += (p[i] - q[i]).norm();
  return sum / static_cast<double>(p.size());
}

TEST(Wall, two_hundred_and_five_bricks_stand_and_creep_no_faster_than_the_tolerance_allows) {
  Simulation<3> simulation = test::open_scene<3>("wall-205", {"run.until=2.0"});
  const std::vector<Vec<3>> start = places(simulation);
  while (simulation.time() < 1.0) simulation.step();
  const std::vector<Vec<3>> half = places(simulation);
  while (!simulation.finished()) simulation.step();
  const std::vector<Vec<3>> end = places(simulation);
  const double creep = mean_distance(end, half) / (simulation.time() - 1.0);
  test::show("wall-205, largest creep in the second of two seconds, m/s", largest_distance(end, half));
  test::show("wall-205, mean creep in the second of two seconds, m/s", creep);
  test::show("wall-205, penetration, m", simulation.summary().penetration.worst());
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
  // A joint may move with the residual, rms tol g h over the contacts of a step: ten courses on top of each
  // other add up to ten times that at the top, half of it in the mean.
  const double residual = simulation.scene().solver.tolerance * test::kGravity * simulation.scene().scheme.h;
  EXPECT_LT(creep, 5 * residual);
  // A brick that has left its place has moved by more than a hundredth of its height.
  EXPECT_LT(largest_distance(end, start), 0.002);
}

}  // namespace
}  // namespace saltus
