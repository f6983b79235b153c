// Mixed problems in FCLib files: equations as rows, half lines as contacts without friction.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/bilateral.hpp"
#include "solvers/random_mixed.hpp"
#include "temporary_folder.hpp"

namespace saltus::mixed_problem_test {
namespace {

using testing::MixedRecipe;
using testing::random_mixed_global;

const std::vector<SetKind> kRows = {SetKind::coulomb, SetKind::half_line, SetKind::space};

TEST(MixedFile, blocks_of_the_whole_space_are_rows_of_g) {
  const TemporaryFolder folder;
  MixedRecipe recipe;
  recipe.kinds = kRows;
  FcProblemFile file;
  file.problem = random_mixed_global(recipe, 7);
  const std::string path = folder.path("global.hdf5");
  write_fclib(path, file);
  const FcProblemFile read = read_fc_problem(path);
  const auto& problem = std::get<GlobalProblem>(read.problem);
  const GlobalProblem rows = build_bilateral_rows(std::get<GlobalProblem>(file.problem));
  ASSERT_GT(problem.bilateral(), 0);
  EXPECT_EQ((problem.G - rows.G).norm(), 0.0);
  EXPECT_EQ((problem.H - rows.H).norm(), 0.0);
  EXPECT_EQ(problem.c, rows.c);
  EXPECT_EQ(problem.mu, rows.mu);
}

TEST(MixedFile, a_ball_is_refused) {
  const TemporaryFolder folder;
  MixedRecipe recipe;
  recipe.kinds = {SetKind::ball};
  FcProblemFile file;
  file.problem = random_mixed_global(recipe, 1);
  EXPECT_THROW(write_fclib(folder.path("ball.hdf5"), file), InputError);
}

}  // namespace
}  // namespace saltus::mixed_problem_test
