// The same bits from the same scene, whatever the number of threads.
#include <cstdint>

#include "validation/library_run.hpp"

namespace saltus::determinism_test {
namespace {

template <int Dim>
std::uint64_t hash_after(const std::string& name, const std::string& solver, int threads, int steps) {
  Simulation<Dim> simulation =
      test::open_scene<Dim>(name, {"solver.name=" + solver, "solver.threads=" + std::to_string(threads)});
  for (int i = 0; i < steps; ++i) simulation.step();
  return simulation.state_hash();
}

template <int Dim>
void check_hash(const std::string& name, const std::string& solver, int steps) {
  SCOPED_TRACE(name + " with " + solver);
  const std::uint64_t once = hash_after<Dim>(name, solver, 1, steps);
  EXPECT_EQ(hash_after<Dim>(name, solver, 1, steps), once) << "run twice";
  EXPECT_EQ(hash_after<Dim>(name, solver, 2, steps), once) << "2 threads";
  EXPECT_EQ(hash_after<Dim>(name, solver, 4, steps), once) << "4 threads";
  EXPECT_NE(hash_after<Dim>(name, solver, 1, steps - 1), once) << "the hash sees a step";
}

TEST(Determinism, a_wall_that_is_hit_has_one_end) {
  check_hash<2>("demo", "nlgs", 250);
  check_hash<2>("demo", "auto", 20);
}
TEST(Determinism, a_drum_of_disks_has_one_end) { check_hash<2>("drum", "nlgs", 60); }
TEST(Determinism, a_wall_of_space_has_one_end) { check_hash<3>("peers-wall-210", "nlgs", 10); }
TEST(Determinism, a_stack_with_the_heaviest_on_top_has_one_end) {
  check_hash<3>("stack-1000-to-1", "auto", 40);
}

}  // namespace
}  // namespace saltus::determinism_test
