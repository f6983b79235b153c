#include <gtest/gtest.h>
#include <sys/stat.h>

#include <Eigen/Dense>
#include <fstream>
#include <functional>
#include <limits>

#include "fclib/same_problem.hpp"
#include "files/hdf5_edit.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "temporary_folder.hpp"

namespace saltus::fclib_test {
namespace {

// What reading says, with the (temporary) name of the file replaced by FILE.
std::string message_of(const std::string& path, const FcReadOptions& options = {}) {
  try {
    read_fc_problem(path, options);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), path);
    return "FILE" + std::string(error.what()).substr(path.size());
  }
  return "no error";
}

std::string message_after(const FcProblemFile& file, const std::function<void(Hdf5Edit&)>& change,
                          const FcReadOptions& options = {}) {
  const TemporaryFile place("edited.hdf5");
  write_fclib(place.path(), file);
  {
    Hdf5Edit edit(place.path());
    change(edit);
  }
  return message_of(place.path(), options);
}

void expect_round_trip(const FcProblemFile& file) {
  const TemporaryFile place("round_trip.hdf5");
  write_fclib(place.path(), file);
  const FcProblemFile again = read_fc_problem(place.path());
  expect_same_file(again, file);
  EXPECT_TRUE(again.warnings.empty());
}

TEST(Fclib, problems_survive_being_written_and_read) {
  FcProblemFile file = small_local_file();
  file.description = "two contacts";
  file.solution = FcSolution{Eigen::VectorXd::Ones(6), Eigen::VectorXd::Zero(6), {}, {}};
  file.guesses = {*file.solution, *file.solution};
  expect_round_trip(file);
  file = small_global_file();
  file.solution = FcSolution{Eigen::VectorXd::Ones(2), Eigen::VectorXd::Zero(2), Eigen::VectorXd::Ones(6),
                             Eigen::VectorXd::Ones(1)};
  expect_round_trip(file);
}

TEST(Fclib, rolling_problems_survive_being_written_and_read) {
  ContactProblem problem;
  for (const ConeKind cone : {ConeKind::rolling_2d, ConeKind::rolling_3d}) {
    problem.cone = cone;
    const int block = block_size(cone);
    problem.W = build_block_matrix(Eigen::MatrixXd::Identity(block, block).sparseView(), block);
    problem.b.setOnes(block);
    problem.mu.setConstant(1, 0.3);
    problem.mu_r.setConstant(1, 0.1);
    FcProblemFile file;
    file.problem = problem;
    expect_round_trip(file);
  }
}

TEST(Fclib, a_problem_without_contacts_survives_too) {
  FcProblemFile file;
  ContactProblem problem;
  problem.W = build_block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(0, 0), 3);
  file.problem = problem;
  expect_round_trip(file);
}

TEST(Fclib, the_same_bytes_are_read_from_memory) {
  const TemporaryFile place("image.hdf5");
  write_fclib(place.path(), small_local_file());
  std::ifstream stream(place.path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  expect_same_file(read_fclib_image(bytes, "memory"), small_local_file());
}

TEST(Fclib, the_format_is_told_by_content_not_by_name) {
  const TemporaryFile place("named.dat");
  write_fclib(place.path(), small_local_file());
  expect_same_file(read_fc_problem(place.path()), small_local_file());
}

// 6 x 6 with an entry of its own at every place, in the three encodings of FCLib.
TEST(Fclib, matrices_are_read_in_all_encodings) {
  const auto entry = [](int i, int j) { return 1.0 + 10 * i + j; };
  std::vector<int> triplet_i, triplet_p, pointer, inner;
  std::vector<double> by_columns, by_rows;
  for (int a = 0; a < 6; ++a) {
    pointer.push_back(6 * a);
    for (int b = 0; b < 6; ++b) {
      triplet_i.push_back(b);  // rows
      triplet_p.push_back(a);  // columns
      inner.push_back(b);
      by_columns.push_back(entry(b, a));
      by_rows.push_back(entry(a, b));
    }
  }
  pointer.push_back(36);
  const auto read_with = [&](int nz, const std::vector<int>& p, const std::vector<int>& i,
                             const std::vector<double>& x) {
    const TemporaryFile place("encoded.hdf5");
    write_fclib(place.path(), small_local_file());
    {
      Hdf5Edit edit(place.path());
      edit.integers("/fclib_local/W/nz", {nz});
      edit.integers("/fclib_local/W/p", p);
      edit.integers("/fclib_local/W/i", i);
      edit.reals("/fclib_local/W/x", x);
    }
    return Eigen::MatrixXd(build_sparse(std::get<ContactProblem>(read_fc_problem(place.path()).problem).W));
  };
  for (const Eigen::MatrixXd& W :
       {read_with(-1, pointer, inner, by_columns), read_with(-2, pointer, inner, by_rows),
        read_with(36, triplet_p, triplet_i, by_columns)})
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) EXPECT_EQ(W(i, j), entry(i, j));
}

TEST(Fclib, equality_constraints_are_eliminated_and_mentioned) {
  const FcProblemFile before = small_local_file();
  const TemporaryFile place("equalities.hdf5");
  write_fclib(place.path(), before);
  const auto put = [](Hdf5Edit& edit, const std::string& path, int rows, int cols,
                      const std::vector<double>& x) {
    std::vector<int> row, col;
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) row.push_back(i), col.push_back(j);
    edit.group(path);
    edit.integers(path + "/m", {rows});
    edit.integers(path + "/n", {cols});
    edit.integers(path + "/nz", {rows * cols});
    edit.integers(path + "/i", row);
    edit.integers(path + "/p", col);
    edit.reals(path + "/x", x);
  };
  const std::vector<double> v = {1, 2, 3, 4, 5, 6, 0, 1, 0, -1, 0, 2}, r = {-4, 1, 1, -8}, s = {0.5, -2};
  {
    Hdf5Edit edit(place.path());
    put(edit, "/fclib_local/V", 6, 2, v);
    put(edit, "/fclib_local/R", 2, 2, r);
    edit.reals("/fclib_local/vectors/s", s);
  }
  const FcProblemFile file = read_fc_problem(place.path());
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(file.warnings[0], place.path() + ": 2 equality constraints eliminated into W and q");
  const Eigen::Map<const Eigen::MatrixXd> V(v.data(), 6, 2);
  const Eigen::Map<const Eigen::MatrixXd> R(r.data(), 2, 2);
  const Eigen::Map<const Eigen::VectorXd> S(s.data(), 2);
  const auto& first = std::get<ContactProblem>(before.problem);
  const auto& second = std::get<ContactProblem>(file.problem);
  const Eigen::MatrixXd W = Eigen::MatrixXd(build_sparse(first.W)) - V * R.inverse() * V.transpose();
  const Eigen::VectorXd q = first.b - V * R.inverse() * S;
  // Sums of a few products of numbers of order ten, R well conditioned: a hundred rounding errors at most.
  const double tolerance = 100 * std::numeric_limits<double>::epsilon();
  EXPECT_LT((Eigen::MatrixXd(build_sparse(second.W)) - W).norm(), tolerance * W.norm());
  EXPECT_LT((second.b - q).norm(), tolerance * q.norm());

  {
    Hdf5Edit edit(place.path());
    edit.reals("/fclib_local/R/x", {1, 2, 2, 4});
  }
  EXPECT_EQ(message_of(place.path()),
            "FILE: R is singular, and the equality constraints contradict each other");

  // The same equation twice, as of a door on three hinges: as if it were there once.
  {
    Hdf5Edit edit(place.path());
    edit.reals("/fclib_local/V/x", {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
    edit.reals("/fclib_local/R/x", {-4, -4, -4, -4});
    edit.reals("/fclib_local/vectors/s", {0.5, 0.5});
  }
  const FcProblemFile twice = read_fc_problem(place.path());
  ASSERT_EQ(twice.warnings.size(), 1u);
  EXPECT_EQ(twice.warnings[0],
            place.path() + ": 2 equality constraints (1 of them implied by others) eliminated into W and q");
  const Eigen::VectorXd once = V.col(0);
  const auto& third = std::get<ContactProblem>(twice.problem);
  const Eigen::MatrixXd W_once = Eigen::MatrixXd(build_sparse(first.W)) + once * once.transpose() / 4;
  EXPECT_LT((Eigen::MatrixXd(build_sparse(third.W)) - W_once).norm(), tolerance * W_once.norm());
  EXPECT_LT((third.b - (first.b + once * 0.5 / 4)).norm(), tolerance * third.b.norm());
}

TEST(Fclib, a_solution_that_was_never_written_is_not_taken_for_zeros) {
  const TemporaryFile place("unsolved.hdf5");
  write_fclib(place.path(), small_local_file());
  {
    Hdf5Edit edit(place.path());
    edit.group("/solution");
    edit.announced("/solution/r", 6);
    edit.announced("/solution/u", 6);
  }
  EXPECT_FALSE(read_fc_problem(place.path()).solution.has_value());
}

TEST(Fclib, a_matrix_that_is_not_symmetric_is_read_with_a_warning) {
  FcProblemFile file = small_local_file();
  std::get<ContactProblem>(file.problem).W.value[0 + 3 * 1] = 0.5;
  const TemporaryFile place("unsymmetric.hdf5");
  write_fclib(place.path(), file);
  const auto warnings = read_fc_problem(place.path()).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], place.path() + ": W is not symmetric: max |A - A^T| / max |A| = 0.25");
}

struct BadFile {
  std::function<void(Hdf5Edit&)> change;
  const char* message;
};

TEST(Fclib, every_defect_of_a_local_problem_is_reported_with_its_place_value_and_range) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInfinity = std::numeric_limits<double>::infinity();
  const std::string L = "/fclib_local";
  const BadFile kBad[] = {
      {[&](auto& e) { e.reals(L + "/vectors/mu", {0.3}); },
       "FILE: /fclib_local/vectors/mu has the wrong length: got 1, allowed: 2"},
      {[&](auto& e) {
         e.reals(L + "/vectors/q", {1, 2, 3, 4, 5});
       },
       "FILE: /fclib_local/vectors/q has the wrong length: got 5, allowed: 6"},
      {[&](auto& e) {
         e.reals(L + "/vectors/q", {1, 2, kNan, 4, 5, 6});
       },
       "FILE: /fclib_local/vectors/q[2]: got nan, allowed: a finite number"},
      {[&](auto& e) {
         e.reals(L + "/vectors/mu", {0.3, -0.25});
       },
       "FILE: /fclib_local/vectors/mu[1] is negative: got -0.25, allowed: 0 or more"},
      {[&](auto& e) { e.integers(L + "/W/m", {7}); },
       "FILE: /fclib_local/W/m: got 7, allowed: a multiple of 3"},
      {[&](auto& e) { e.integers(L + "/W/m", {-3}); },
       "FILE: /fclib_local/W/m: got -3, allowed: an integer from 0 to 2147483647"},
      {[&](auto& e) { e.integers(L + "/W/m", {2147483646}); },
       "FILE: /fclib_local/vectors/q has the wrong length: got 6, allowed: 2147483646"},
      {[&](auto& e) { e.integers(L + "/W/n", {5}); },
       "FILE: /fclib_local/W has the wrong size: got 6 x 5, allowed: 6 x 6"},
      {[&](auto& e) { e.integers(L + "/W/nz", {-3}); },
       "FILE: /fclib_local/W/nz: got -3, allowed: an integer from -2 to 2147483647"},
      {[&](auto& e) { e.integers(L + "/W/nz", {2000000000}); },
       "FILE: /fclib_local/W/p is too short: got 7, allowed: 2000000000 or more"},
      {[&](auto& e) {
         e.integers(L + "/W/p", {0, 4, 8, 7, 16, 20, 24});
       },
       "FILE: /fclib_local/W/p[3]: got 7, allowed: a pointer from 8 to 24"},
      {[&](auto& e) {
         e.integers(L + "/W/p", {0, 4, 8, 12, 16, 20, 25});
       },
       "FILE: /fclib_local/W/p[6]: got 25, allowed: a pointer from 20 to 24"},
      {[&](auto& e) {
         e.integers(L + "/W/p", {0, 4});
       },
       "FILE: /fclib_local/W/p has the wrong length: got 2, allowed: 7"},
      {[&](auto& e) { e.integers(L + "/W/i", std::vector<int>(24, 6)); },
       "FILE: /fclib_local/W/i[0]: got 6, allowed: an index from 0 to 5"},
      {[&](auto& e) { e.reals(L + "/W/x", std::vector<double>(24, kInfinity)); },
       "FILE: /fclib_local/W/x[0]: got inf, allowed: a finite number"},
      {[&](auto& e) {
         e.reals(L + "/W/x", {1, 2});
       },
       "FILE: /fclib_local/W/x has the wrong length: got 2, allowed: 24"},
      {[&](auto& e) { e.text(L + "/W/x", "hello"); }, "FILE: /fclib_local/W/x: got text, allowed: reals"},
      {[&](auto& e) { e.compound(L + "/vectors/mu"); },
       "FILE: /fclib_local/vectors/mu: got a compound type, allowed: reals"},
      {[&](auto& e) {
         e.reals(L + "/W/p", {0, 1});
       },
       "FILE: /fclib_local/W/p: got reals, allowed: integers"},
      {[&](auto& e) { e.group(L + "/vectors/q"); },
       "FILE: /fclib_local/vectors/q: got a group, allowed: a dataset"},
      {[&](auto& e) { e.integers(L + "/W", {1}); }, "FILE: /fclib_local/W: got a dataset, allowed: a group"},
      {[&](auto& e) { e.table(L + "/vectors/q", 2, 3); },
       "FILE: /fclib_local/vectors/q: got an array of 2 dimensions, allowed: a one-dimensional array"},
      {[&](auto& e) { e.announced(L + "/vectors/q", 6); },
       "FILE: /fclib_local/vectors/q was never written: got 0 of 6 numbers"},
      {[&](auto& e) { e.outside_link(L + "/vectors/q"); },
       "FILE: /fclib_local/vectors/q is a link out of this file: allowed: an object of this file"},
      {[&](auto& e) { e.remove(L + "/vectors/mu"); }, "FILE: /fclib_local/vectors/mu is missing"},
      {[&](auto& e) { e.remove(L + "/W"); }, "FILE: /fclib_local/W is missing"},
      {[&](auto& e) { e.integers(L + "/spacedim", {4}); },
       "FILE: /fclib_local/spacedim: got 4, allowed: 2 or 3"},
      {[&](auto& e) {
         e.integers(L + "/spacedim", {3, 3});
       },
       "FILE: /fclib_local/spacedim has the wrong length: got 2, allowed: 1"},
      {[&](auto& e) { e.remove(L); },
       "FILE: no problem of FCLib in this HDF5 file: allowed: a group /fclib_local, /fclib_global, "
       "/fclib_local_rolling or /fclib_global_rolling"},
  };
  for (const BadFile& bad : kBad) EXPECT_EQ(message_after(small_local_file(), bad.change), bad.message);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0) << "handles of HDF5 leak";
}

TEST(Fclib, sizes_of_a_global_problem_must_agree) {
  const std::string L = "/fclib_global";
  const BadFile kBad[] = {
      {[&](auto& e) {
         e.reals(L + "/vectors/f", {1, 2});
       },
       "FILE: /fclib_global/vectors/f has the wrong length: got 2, allowed: 6"},
      {[&](auto& e) {
         e.reals(L + "/vectors/w", {1, 2, 3});
       },
       "FILE: /fclib_global/vectors/w has the wrong length: got 3, allowed: 2"},
      {[&](auto& e) { e.integers(L + "/H/m", {5}); },
       "FILE: /fclib_global/H has the wrong size: got 5 x 2, allowed: 6 x 2"},
      {[&](auto& e) { e.integers(L + "/M/n", {5}); },
       "FILE: /fclib_global/M has the wrong size: got 6 x 5, allowed: 6 x 6"},
      {[&](auto& e) {
         e.reals(L + "/vectors/b", {1, 2});
       },
       "FILE: /fclib_global/G has the wrong size: got 6 x 1, allowed: 6 x 2"},
      {[&](auto& e) {
         e.integers(L + "/H/p", {0, 0, 1});
       },
       "FILE: /fclib_global/H/p is too short: got 3, allowed: 4 or more"},
  };
  for (const BadFile& bad : kBad) EXPECT_EQ(message_after(small_global_file(), bad.change), bad.message);
}

TEST(Fclib, a_form_that_the_file_does_not_have_is_refused) {
  EXPECT_EQ(message_after(small_local_file(), [](auto&) {}, {true, {}}),
            "FILE: form of the problem: got /fclib_local, allowed: a global problem, as asked");
  EXPECT_EQ(message_after(small_local_file(), [](auto&) {}, {{}, true}),
            "FILE: rolling friction: got /fclib_local, allowed: a rolling problem, as asked");
}

TEST(Fclib, guesses_that_are_announced_must_be_there) {
  EXPECT_EQ(message_after(small_local_file(),
                          [](auto& e) {
                            e.group("/guesses");
                            e.integers("/guesses/number_of_guesses", {2000000000});
                          }),
            "FILE: /guesses/number_of_guesses: got 2000000000, allowed: 0, the groups there are");
}

TEST(ProblemFile, files_that_cannot_be_read_are_reported) {
  EXPECT_EQ(message_of("/nonexistent/p.hdf5"), "FILE: no such file");
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(message_of(folder), "FILE: is a directory: allowed: a problem file");
  const TemporaryFile place("empty.dat");
  std::ofstream(place.path()).close();
  EXPECT_EQ(message_of(place.path()), "FILE: the file is empty");
}

TEST(ProblemFile, a_file_without_permission_is_reported) {
  constexpr uid_t kNobody = 65534;
  const uid_t user = ::geteuid();
  const TemporaryFile place("secret.dat");
  std::ofstream(place.path()) << "3 0 0 0 0 0 0";
  ::chmod(place.path().c_str(), 0);
  if (user == 0 && ::seteuid(kNobody) != 0)
    GTEST_SKIP() << "root reads every file and cannot become another user here";
  const std::string message = message_of(place.path());
  ASSERT_TRUE(user != 0 || ::seteuid(user) == 0);
  EXPECT_EQ(message, "FILE: cannot be read (Permission denied)");
}

TEST(ProblemFile, a_truncated_HDF5_file_is_reported_with_its_length) {
  const TemporaryFile place("truncated.hdf5");
  write_fclib(place.path(), small_local_file());
  const auto whole = std::filesystem::file_size(place.path());
  std::filesystem::resize_file(place.path(), 1000);
  EXPECT_EQ(message_of(place.path()), "FILE: truncated HDF5 file: got 1000 bytes, allowed: the " +
                                          std::to_string(whole) + " bytes of its superblock");
  std::filesystem::resize_file(place.path(), 20);
  EXPECT_EQ(message_of(place.path()), "FILE: truncated HDF5 file: got 20 bytes, allowed: a whole superblock");
}

TEST(ProblemFile, writing_leaves_a_whole_file_or_none) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path("folder");
  const auto message = [&](const std::string& path) -> std::string {
    try {
      write_fclib(path, small_local_file());
    } catch (const OutputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(folder + "/p.hdf5"), folder + "/p.hdf5: cannot be written: No such file or directory");
  std::filesystem::create_directory(folder);
  EXPECT_EQ(message(folder), folder + ": cannot be written: Is a directory");
  EXPECT_EQ(message(folder + "/p.hdf5"), "no error");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace saltus::fclib_test
