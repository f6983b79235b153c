#include "saltus/systems/kept_columns.hpp"

#include <gtest/gtest.h>

namespace saltus::kept_columns_test {
namespace {

// Seven masses in a row, of which number 3 is held: the unknowns of the factor are the others.
TEST(KeptColumns, every_entry_is_there_whoever_is_on_the_surface) {
  constexpr int n = 7;
  const std::vector<int> free_dofs = {0, 1, 2, 4, 5, 6};
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(6, 6);
  for (int i = 0; i < 6; ++i) {
    dense(i, i) = 4 + i;
    if (i > 0) dense(i, i - 1) = dense(i - 1, i) = -1;
  }
  DefiniteFactor factor;
  ASSERT_TRUE(factor.compute(dense.sparseView()));
  const Eigen::MatrixXd inverse = dense.inverse();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) whole(free_dofs[i], free_dofs[j]) = inverse(i, j);

  for (const std::vector<int>& surface : {std::vector<int>{}, {0, 6}, {0, 3, 5, 6}, {0, 1, 2, 3, 4, 5, 6}}) {
    KeptColumns columns;
    columns.reset(n, surface);
    for (const std::vector<int>& dofs :
         {std::vector<int>{0, 6}, {1, 3, 6}, {5, 2, 0}, {0, 1, 2, 3, 4, 5, 6}}) {
      Eigen::MatrixXd between;
      columns.fill(factor, free_dofs, dofs, between);
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t j = 0; j < dofs.size(); ++j)
          EXPECT_NEAR(between(i, j), whole(dofs[i], dofs[j]), 1e-15) << dofs[i] << " " << dofs[j];
    }
    // Of the surface its rows, of others all.
    const std::size_t outside = surface.size(), inside = n - outside;
    EXPECT_EQ(columns.numbers(), outside * outside + inside * n);
  }
}

}  // namespace
}  // namespace saltus::kept_columns_test
