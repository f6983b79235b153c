#include <gtest/gtest.h>

#include <string>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"

namespace saltus::siconos_text_test {
namespace {

std::string message_of(const std::string& text, const std::string& where = "p.dat",
                       const FcReadOptions& options = {}) {
  try {
    read_siconos_text(text, where, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const FcReadOptions kLocal{false, {}}, kGlobal{true, {}};

ContactProblem local(const FcProblemFile& file) { return std::get<ContactProblem>(file.problem); }
GlobalProblem global(const FcProblemFile& file) { return std::get<GlobalProblem>(file.problem); }
Eigen::MatrixXd dense(const BlockMatrix& matrix) { return build_sparse(matrix); }

Eigen::MatrixXd numbered(int rows, int cols) {  // entry (i, j) is 10 (i + 1) + j + 1
  return Eigen::MatrixXd::NullaryExpr(
      rows, cols, [](Eigen::Index i, Eigen::Index j) { return double(10 * (i + 1) + j + 1); });
}

const std::string kColumns2 = "11 21 12 22";  // numbered(2, 2), column by column
const std::string kBanner =
    "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";

TEST(SiconosText, a_dense_matrix_is_stored_by_columns) {
  const FcProblemFile file = read_siconos_text("2 1\n0 2 2\n2 2\n" + kColumns2 + "\n-1 2\n0.3\n", "p.dat");
  EXPECT_EQ(dense(local(file).W), numbered(2, 2));
  EXPECT_EQ(local(file).b, Eigen::Vector2d(-1, 2));
  EXPECT_EQ(local(file).mu[0], 0.3);
  EXPECT_EQ(local(file).cone, ConeKind::coulomb_2d);
}

TEST(SiconosText, sparse_blocks_may_differ_in_size) {
  // M in blocks of (1 + 2) x (2 + 1), three of the four stored.
  const std::string M = "1 3 3  3  2 2  1 3  2 3  3 3  0 1 3  0 0 1  0  11 12  1  21 31 22 32  2  23 33";
  const std::string H = "0 3 2  3 2  1 0 0  0 1 0";
  const FcProblemFile file = read_siconos_text("2 1 " + M + " " + H + " 7 8 9  5 6  0.3 1\n", "gfc2d_p.dat");
  Eigen::MatrixXd expected = numbered(3, 3);
  expected(0, 2) = 0;
  EXPECT_EQ(Eigen::MatrixXd(global(file).M), expected);
  EXPECT_EQ(global(file).f, Eigen::Vector3d(7, 8, 9));
  EXPECT_EQ(global(file).w, Eigen::Vector2d(5, 6));
}

TEST(SiconosText, dumps_of_CSparse_are_read_in_all_their_forms) {
  const std::string tail = "-1 2\n0.3\n";
  const std::string triplet =
      "2 1 2 2 2\n1\n" + kBanner +
      "triplet: 2-by-2, nzmax: 9 nnz: 4\n    0 0 : 11\n    1 0 : 21\n    1 1 : 22\n    0 1 : 12\n";
  const std::string columns =
      "2 1 2 2 2\n2\n" + kBanner +
      "2-by-2, nzmax: 4 nnz: 4, 1-norm: 34\n    col 0 : locations 0 to 1\n      0 : 11\n      1 : 21\n"
      "    col 1 : locations 2 to 3\n      0 : 12\n      1 : 22\n";
  const std::string rows =
      "2 1 2 2 2\n3\n" + kBanner +
      "csr: 2-by-2, nzmax: 4 nnz: 4, 1-norm: 34\n    row 0 : locations 0 to 1\n      0 : 11\n      1 : 12\n"
      "    row 1 : locations 2 to 3\n      0 : 21\n      1 : 22\n";
  for (const std::string& text : {triplet, columns, rows})
    EXPECT_EQ(dense(local(read_siconos_text(text + tail, "p.dat")).W), numbered(2, 2)) << text;
}

TEST(SiconosText, half_a_symmetric_matrix_is_completed) {
  const std::string text =
      "2 1 2 2 2\n4\n" + kBanner + "triplet: 2-by-2, nzmax: 3 nnz: 3\n 0 0 : 4\n 1 0 : 1\n 1 1 : 3\n-1 2 0.3";
  EXPECT_EQ(dense(local(read_siconos_text(text, "p.dat")).W), (Eigen::Matrix2d() << 4, 1, 1, 3).finished());
  const std::string both =
      "2 1 2 2 2\n4\n" + kBanner + "triplet: 2-by-2, nzmax: 3 nnz: 3\n 0 1 : 4\n 1 0 : 1\n 1 1 : 3\n-1 2 0.3";
  EXPECT_EQ(message_of(both, "p.dat", kLocal),
            "p.dat:6: W is stored as one half of a symmetric matrix: got entries of both halves, "
            "allowed: entries of one half");
}

TEST(SiconosText, repeated_entries_add_up) {
  const std::string text =
      "2 1 2 2 2\n1\n" + kBanner + "triplet: 2-by-2, nzmax: 3 nnz: 3\n 0 0 : 4\n 0 0 : 1\n 1 1 : 3\n-1 2 0.3";
  EXPECT_EQ(dense(local(read_siconos_text(text, "p.dat")).W), (Eigen::Matrix2d() << 5, 0, 0, 3).finished());
}

TEST(SiconosText, no_contacts_is_a_valid_problem) {
  EXPECT_EQ(local(read_siconos_text("3 0 0 0 0 0 0", "p.dat")).contacts(), 0);
  EXPECT_EQ(local(read_siconos_text("3 0 1 0 0 0", "p.dat")).W.rows, 0);
  const FcProblemFile file = read_siconos_text(
      "2 0 0 2 2 2 2 1 0 0 1\n2 2 0\n2\n" + kBanner + "2-by-0, nzmax: 1 nnz: 0, 1-norm: 0\n 5 6\n\n\n",
      "gfc2d.dat");
  EXPECT_EQ(global(file).degrees_of_freedom(), 2);
  EXPECT_EQ(global(file).contacts(), 0);
}

TEST(SiconosText, rolling_is_told_by_five_components_or_by_the_caller) {
  std::string W5 = "0 5 5 5 5", W3 = "0 3 3 3 3 1 0 0 0 1 0 0 0 1 ";
  for (int k = 0; k < 25; ++k) W5 += k % 6 == 0 ? " 1" : " 0";
  const ContactProblem five = local(read_siconos_text("5 1 " + W5 + " 1 2 3 4 5 0.3 0.1", "p.dat"));
  EXPECT_EQ(five.cone, ConeKind::rolling_3d);
  EXPECT_EQ(five.rolling(0), 0.1);
  const ContactProblem three = local(read_siconos_text("3 1 " + W3 + "1 2 3 0.3 0.1", "p.dat", {{}, true}));
  EXPECT_EQ(three.cone, ConeKind::rolling_2d);
  EXPECT_EQ(three.rolling(0), 0.1);
  EXPECT_EQ(local(read_siconos_text("3 1 " + W3 + "1 2 3 0.3 0.1", "RFC2D_p.dat")).cone,
            ConeKind::rolling_2d);
  EXPECT_EQ(message_of("2 1 0 2 2", "p.dat", {{}, true}),
            "p.dat:1: components per contact with rolling friction: got 2, allowed: 3 or 5");
  EXPECT_EQ(message_of("5 1 0 5 5", "p.dat", {{}, false}),
            "p.dat:1: components per contact without rolling friction: got 5, allowed: 2 or 3");
  EXPECT_EQ(message_of("4 1 0 4 4"), "p.dat:1: components per contact: got 4, allowed: 2, 3 or 5");
}

TEST(SiconosText, content_decides_when_the_name_says_nothing_or_lies) {
  const std::string globally = "2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1\n0 3 2 3 2 1 0 0 0 1 0\n7 8 9\n5 6\n0.3\n";
  const std::string locally = "2 1 0 2 2 2 2 1 0 0 1\n-1 2\n0.3\n";
  const FcProblemFile found = read_siconos_text(globally, "p.dat");
  EXPECT_TRUE(found.is_global());
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_EQ(found.warnings[0], "p.dat: read as a global problem: its content does not fit the local form");
  EXPECT_FALSE(read_siconos_text(locally, "gfc2d_p.dat").is_global());
  EXPECT_FALSE(read_siconos_text(locally, "gfc2d_p-condensed.dat").is_global());
  EXPECT_EQ(message_of(globally, "p.dat", kLocal), "p.dat:1: size of W: got 3 x 3, allowed: 2 x 2");
}

TEST(SiconosText, of_two_complaints_the_one_that_came_furthest_is_shown) {
  const std::string globally = "2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1\n0 3 2 3 2 1 0 0 0 1 0\n7 8 9\n5 6\n-0.3\n";
  EXPECT_EQ(message_of(globally), "p.dat:5: mu[0] is negative: got -0.3, allowed: 0 or more");
}

TEST(SiconosText, words_after_the_problem_are_mentioned_but_for_one) {
  const std::string text = "2 1 0 2 2 2 2 1 0 0 1\n-1 2\n0.3\n";
  EXPECT_TRUE(read_siconos_text(text + "1\n", "p.dat").warnings.empty());
  const FcProblemFile file = read_siconos_text(text + "1 2 3", "p.dat");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(file.warnings[0],
            "p.dat: 3 words after the problem are ignored (local or global form, or rolling "
            "friction, may have to be given)");
}

TEST(SiconosText, a_matrix_that_is_not_symmetric_is_read_with_a_warning) {
  const FcProblemFile file = read_siconos_text("2 1 0 2 2 2 2 4 1 0.5 4 -1 2 0.3", "p.dat");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(file.warnings[0], "p.dat: W is not symmetric: max |A - A^T| / max |A| = 0.125");
}

TEST(SiconosText, numbers_are_read_as_the_C_library_would) {
  const FcProblemFile file = read_siconos_text(
      "3 1 0 3 3 3 3 +1e0 0 0 0 1.E+00 0 0 0 .5 1e-400 -0 4.9406564584124654e-324 0.3", "p.dat");
  EXPECT_EQ(dense(local(file).W).diagonal(), Eigen::Vector3d(1, 1, 0.5));
  EXPECT_EQ(local(file).b, Eigen::Vector3d(0, 0, 4.9406564584124654e-324));
}

struct BadText {
  const char* text;
  const char* message;
};

const BadText kBad[] = {
    {"", "p.dat:1: the text ends where components per contact should be: allowed: an integer from 2 to 5"},
    {"\n\nhello world", "p.dat:3: components per contact: got 'hello', allowed: an integer from 2 to 5"},
    {"3.0 1", "p.dat:1: components per contact: got '3.0', allowed: an integer from 2 to 5"},
    {"3\n-1\n", "p.dat:2: number of contacts: got '-1', allowed: an integer from 0 to 715827882"},
    {"3\n99999999999999999999\n",
     "p.dat:2: number of contacts: got '99999999999999999999', allowed: an integer from 0 to 715827882"},
    {"3\n700000000\n0 3 3\n",
     "p.dat:2: the text is too short for mu: got 7 characters, allowed: room for 700000000 numbers"},
    {"2 1\n7 2 2\n", "p.dat:2: storage of W: got '7', allowed: an integer from 0 to 2"},
    {"2 1\n0 2 3\n2 3\n1 0 0 1 0 0\n-1 2\n0.3", "p.dat:4: size of W: got 2 x 3, allowed: 2 x 2"},
    {"2 1\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 2\n0.3", "p.dat:4: size of W: got 3 x 3, allowed: 2 x 2"},
    {"2 1\n0 2 2\n2 3\n", "p.dat:3: W is announced twice with different sizes: got 2 x 3, allowed: 2 x 2"},
    {"2 1\n0 2000000000 2000000000\n2000000000 2000000000\n1 2",
     "p.dat:3: the text is too short for W: got 4 characters, allowed: room for 4000000000000000000 numbers"},
    {"2 1\n1 2 2\n-4\n",
     "p.dat:3: number of blocks of W: got '-4', allowed: an integer from 0 to 2147483647"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n-1\n", "p.dat:6: the text ends where q[1] should be"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n-1", "p.dat:5: the text ends where q[1] should be"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n-1 2\n", "p.dat:6: the text ends where mu[0] should be"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n-1 nan\n0.3", "p.dat:5: q[1]: got 'nan', allowed: a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 inf\n-1 2\n0.3", "p.dat:4: W[3]: got 'inf', allowed: a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1e999\n-1 2\n0.3", "p.dat:4: W[3]: got '1e999', allowed: a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 x 1\n-1 2\n0.3", "p.dat:4: W[2]: got 'x', allowed: a number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n-1 2\n-0.3", "p.dat:6: mu[0] is negative: got -0.3, allowed: 0 or more"},
    {"2 1\n1 2 2\n1\n1 1\n2 2\n2 1\n0 1\n3\n0\n1 0 0 1\n-1 2\n0.3",
     "p.dat:8: column index of W: got '3', allowed: an integer from 0 to 0"},
    {"2 1\n1 2 2\n1\n1 1\n2 2\n2 1\n0 2\n0\n0\n1 0 0 1\n-1 2\n0.3",
     "p.dat:7: row pointers of W: got '2', allowed: an integer from 0 to 1"},
    {"2 1\n1 2 2\n1\n1 1\n3 2\n",
     "p.dat:5: ends of the block rows of W: got '3', allowed: an integer from 0 to 2"},
    {"2 1\n1 2 2\n1\n1 1\n1 2\n",
     "p.dat:5: ends of the block rows of W do not end at the size of the matrix: got 1, allowed: 2"},
    {"2 1\n2 2 2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 1\n0 2 : 1\n-1 2\n0.3",
     "p.dat:6: column index of W: got '2', allowed: an integer from 0 to 1"},
    {"2 1\n2 2 2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2000000000\n0 1 : 1\n-1 2\n0.3",
     "p.dat:5: the text is too short for W: got 17 characters, allowed: room for 2000000000 numbers"},
    {"2 1\n2 2 2\n1\nCSparse\ntriplet: 2x2, nzmax: 2 nnz: 1\n",
     "p.dat:5: sizes of a sparse matrix: got '2x2,', allowed: ROWS-by-COLUMNS,"},
    {"2 1\n2 2 2\n2\nCSparse\n2-by-2, nzmax: 2 nnz: 2, 1-norm: 3\ncol 0 : locations 0 to 2\n",
     "p.dat:6: locations of W: got '2', allowed: an integer from -1 to 1"},
    {"2 1\n2 2 2\n2\nCSparse\n2-by-2, nzmax: 2 nnz: 2, 1-norm: 3\nrow 0 : locations 0 to 1\n",
     "p.dat:6: unexpected word: got 'row', allowed: 'col'"},
};

TEST(SiconosText, every_defect_is_reported_with_its_line_value_and_range) {
  for (const BadText& bad : kBad) EXPECT_EQ(message_of(bad.text, "p.dat", kLocal), bad.message) << bad.text;
}

TEST(SiconosText, sizes_of_a_global_problem_must_agree) {
  EXPECT_EQ(message_of("2 1\n0 2 3\n2 3\n1 0 0 1 0 0\n", "p.dat", kGlobal),
            "p.dat:4: size of M: got 2 x 3, allowed: 2 x 2");
  EXPECT_EQ(message_of("2 1\n0 2 2\n2 2\n1 0 0 1\n0 2 3\n2 3\n1 0 0 1 0 0\n", "p.dat", kGlobal),
            "p.dat:7: size of H: got 2 x 3, allowed: 2 x 2");
  // Nothing but a vector that is there may confirm a size: an empty matrix of any size takes four words.
  EXPECT_EQ(message_of("2 0\n1 2000000000 2000000000 0\n1 2000000000 0 0\n1 2 3", "p.dat", kGlobal),
            "p.dat:3: the text is too short for q: got 6 characters, allowed: room for 2000000000 numbers");
}

}  // namespace
}  // namespace saltus::siconos_text_test
