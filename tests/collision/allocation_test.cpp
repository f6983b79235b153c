// Counts allocations: after warm-up a step must make none, at rest and through rebuilds of the broad phase.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "collision/random_shapes.hpp"
#include "counting_allocations.hpp"
#include "saltus/collision/detector.hpp"

namespace saltus::allocation_test {
namespace {

using testing::allocations;

template <int Dim>
long count_allocations(unsigned seed) {
  RandomShapes random(seed);
  Detector<Dim> detector;
  std::vector<Pose<Dim>> poses;
  detector.add(HalfSpace<Dim>{}, {.fixed = true});
  poses.emplace_back();
  for (int k = 0; k < 200; ++k) {
    const auto shape = k % 10 ? random.template any<Dim>() : random.template polytope<Dim>();
    detector.add(to_shape<Dim>(shape));
    poses.push_back(random.template turned<Dim>(8 * random.template vector<Dim>()));
  }
  const auto away = poses;
  long before = 0;
  // The same path three times: the first two make every buffer as large as it gets.
  for (int lap = 0; lap < 3; ++lap) {
    if (lap == 2) before = allocations;
    poses = away;
    for (int step = 0; step < 20; ++step) {
      for (auto& pose : poses) pose.position *= 0.97;
      detector.update(poses, {}, 0.1);
    }
  }
  EXPECT_GT(detector.contacts().size(), 100u);
  EXPECT_GT(detector.statistics().rebuilds, 10);
  return allocations - before;
}

TEST(Detector, allocates_nothing_after_warm_up) {
  EXPECT_EQ(count_allocations<2>(41), 0);
  EXPECT_EQ(count_allocations<3>(42), 0);
}

}  // namespace
}  // namespace saltus::allocation_test
