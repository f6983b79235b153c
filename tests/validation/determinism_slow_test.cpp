// The same bits from the same scene, wherever memory happens to be.
#include <cstdint>
#include <memory>

#include "validation/library_run.hpp"

namespace saltus::determinism_slow_test {
namespace {

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
}  // namespace saltus::determinism_slow_test
