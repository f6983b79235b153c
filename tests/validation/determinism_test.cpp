// The same bits from the same scene, whatever the number of threads and wherever memory happens to be.
#include <cstdint>
#include <memory>

#include "validation/library_run.hpp"

namespace saltus {
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

// Sums that a vector unit cuts by the address of their first entry differ in their last bits between runs:
// blocks of odd sizes, kept while a run lasts, move its arrays. Twenty iterations, converged or not, are
// enough to tell.
std::uint64_t hash_elsewhere(const std::string& solver, int move) {
  std::vector<std::unique_ptr<char[]>> kept;
  for (int i = 0; i < 50 * move; ++i) kept.push_back(std::make_unique<char[]>(24 + 16 * (i * move % 7)));
  kept.push_back(std::make_unique<char[]>(140000 + 16 * move));
  Simulation<3> simulation =
      test::open_scene<3>("peers-wall-210", {"solver.name=" + solver, "solver.max_iterations=20"});
  for (int i = 0; i < 2; ++i) simulation.step();
  return simulation.state_hash();
}

TEST(Determinism, bits_do_not_depend_on_where_memory_is) {
  for (const char* solver : {"nlgs", "newton", "admm", "ipm", "auto"}) {
    const std::uint64_t here = hash_elsewhere(solver, 0);
    for (int move = 1; move < 4; ++move)
      EXPECT_EQ(hash_elsewhere(solver, move), here) << solver << ", move " << move;
  }
}

}  // namespace
}  // namespace saltus
