// What stands, stands: bricks in running bond, boxes under a heavy one.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus::standing_slow_test {
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

TEST(Stack, twenty_boxes_with_the_heaviest_on_top_stand) {
  Simulation<3> simulation = test::open_scene<3>("stack-1000-to-1");
  const std::vector<Vec<3>> start = places(simulation);
  while (!simulation.finished()) simulation.step();
  const double moved = largest_distance(places(simulation), start);
  const RunSummary& summary = simulation.summary();
  test::show("stack-1000-to-1, largest displacement in 5 s, m", moved);
  test::show("stack-1000-to-1, penetration, m", summary.penetration.worst());
  test::show("stack-1000-to-1, steps not converged", static_cast<double>(summary.unconverged_steps));
  EXPECT_EQ(summary.unconverged_steps, 0);
  // The residual, 1e-4 g h = 4.9e-6 m/s, is what a joint may creep: 2.5e-5 m in 5 s, or a lean of 2.5e-4 rad
  // over half its width; 20 joints, 2 m below the top in the mean, carry that to 1e-2 m at the top.
  EXPECT_LT(moved, 1e-2);
}

}  // namespace
}  // namespace saltus::standing_slow_test
