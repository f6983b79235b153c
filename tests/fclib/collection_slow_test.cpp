// `auto` on every problem of the shared collection, to the accuracy that no other code reaches on
// all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "paths.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus::collection_slow_test {
namespace {

namespace fs = std::filesystem;

TEST(Collection, auto_solves_every_problem_to_1e_minus_8_of_b) {
  const char* given = std::getenv("SALTUS_SHARED");
  const fs::path folder = fs::path(given ? given : SALTUS_SHARED) / "fclib";
  if (!fs::exists(folder))
    GTEST_SKIP() << "no shared collection: set SALTUS_SHARED to the folder that holds fclib/";
  std::vector<fs::path> paths(fs::directory_iterator(folder), fs::directory_iterator{});
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const FcProblemFile file = read_fc_problem(path.string());
    const auto* local = std::get_if<ContactProblem>(&file.problem);
    const ContactProblem problem = local ? *local : condense(std::get<GlobalProblem>(file.problem));
    SolveOptions options;
    options.tolerance = 1e-8;
    options.residual = ResidualKind::relative_b;
    Eigen::VectorXd r, u;
    const SolveReport report = solve("auto", problem, options, r, u);
    EXPECT_EQ(report.status, SolveStatus::converged) << path.filename() << ": " << report.reason;
    EXPECT_LE(compute_residuals(problem, r, u).relative_b, 1e-8) << path.filename();
  }
}

}  // namespace
}  // namespace saltus::collection_slow_test
