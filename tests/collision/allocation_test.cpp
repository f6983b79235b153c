// Counts allocations: after warm-up a step must make none, at rest and through rebuilds of the broad phase.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "collision/random_shapes.hpp"
#include "saltus/collision/detector.hpp"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, whole > 0 ? whole : alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace saltus {
namespace {

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
}  // namespace saltus
