// Every problem of the shared collection, where it is at hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "fclib/same_problem.hpp"
#include "paths.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "temporary_folder.hpp"

namespace saltus::shared_problems_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> collection() {
  const char* given = std::getenv("SALTUS_SHARED");
  std::vector<fs::path> paths;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(fs::path(given ? given : SALTUS_SHARED) / "fclib", absent))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

FcProblemFile read(const fs::path& path) {
  FcProblemFile file;
  EXPECT_NO_THROW(file = read_fc_problem(path.string())) << path;
  return file;
}

TEST(SharedProblems, every_file_survives_being_written_and_read_again) {
  const auto paths = collection();
  if (paths.empty())
    GTEST_SKIP() << "no shared collection: set SALTUS_SHARED to the folder that holds fclib/";
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / "copy.hdf5";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.filename().string());
    const FcProblemFile file = read(path);
    write_fclib(copy.string(), file);
    expect_same_file(read(copy), file);
  }
}

// x^T A y with x_i = 1 + i mod 5 and y_j = 1 + j mod 7: sees a transposed or shifted matrix.
double probe(const Eigen::SparseMatrix<double>& matrix) {
  double sum = 0;
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it)
      sum += double(1 + it.row() % 5) * it.value() * double(1 + j % 7);
  return sum;
}

double probe(const Eigen::VectorXd& vector) {
  double sum = 0;
  for (Eigen::Index i = 0; i < vector.size(); ++i) sum += vector[i] * double(1 + i % 5);
  return sum;
}

struct Probes {
  const char* name;
  int contacts;
  double matrix, other, vectors;  // W or M; W or H; q or f and w
};

// Figures of an independent reader (numpy and h5py), one file or more for every storage.
const Probes kProbes[] = {
    {"BoxesStack1-i100000-32.hdf5.dat", 52, 2.5083589708129e+06, 2.5083589708129e+06, -4.1593416822259e+02},
    {"Capsules-i125-1213.hdf5", 286, 3.8839692192568e+04, 3.8839692192568e+04, 6.2327476411648e+01},
    {"Chute-ndof-768-nc-4-3.hdf5", 4, 3.2020761516444e+03, 7.4972668526862e+01, -4.1868608351177e+02},
    {"GFC3D_TwoRods1.dat", 3, -1.8765878184392e+03, 2.6647191103300e+01, -3.0659241143714e+01},
    {"GRFC3D_Chute-ndof-768-nc-4-3.dat", 4, 3.2020759788525e+03, 7.4972710920000e+01, -4.1868608351177e+02},
    {"Rover4613.dat", 5, 8.0467992680229e+00, 8.0467992680229e+00, -2.4038450121766e+01},
    {"RockPile_tob1.dat", 463, 1.4577219258996e+05, 1.4577219258996e+05, -1.8834012779931e+03},
    {"Spheres-i099-356-679.hdf5", 356, 8.6110315519542e+04, -6.8935129421114e+03, -5.4395991868400e+04},
    {"dump_wall_step20.dat", 1016, 1.1422912278687e+03, 1.1422912278687e+03, -9.2042287256818e+01},
    {"fc2d_granularflowonwall_07002_00801.dat", 7002, 5.4055246776523e+08, 5.4055246776523e+08,
     -7.1480870739302e+01},
    {"gfc2d_granularflowonwall_00230_00206.dat", 230, 1.3941131092234e+02, -7.7189396534538e+02,
     -8.7992196121961e+01},
    {"rockfall_21_54029.dat", 21, 1.9287750739617e+00, 1.9287750739617e+00, -1.2194050732463e+00}};

TEST(SharedProblems, entries_agree_with_an_independent_reader) {
  const auto paths = collection();
  if (paths.empty())
    GTEST_SKIP() << "no shared collection: set SALTUS_SHARED to the folder that holds fclib/";
  for (const Probes& expected : kProbes) {
    SCOPED_TRACE(expected.name);
    const FcProblemFile file = read(paths.front().parent_path() / expected.name);
    const auto* global = std::get_if<GlobalProblem>(&file.problem);
    const auto* local = std::get_if<ContactProblem>(&file.problem);
    const auto W = local ? build_sparse(local->W) : Eigen::SparseMatrix<double>();
    EXPECT_EQ(local ? local->contacts() : global->contacts(), expected.contacts);
    // The sums run in another order and the figures have 14 digits; sums of up to 1e5 terms of
    // mixed sign lose four digits to cancellation at most.
    const auto near = [](double value, double reference) {
      EXPECT_NEAR(value, reference, 1e-10 * std::abs(reference));
    };
    near(probe(local ? W : global->M), expected.matrix);
    near(probe(local ? W : global->H), expected.other);
    near(local ? probe(local->b) : probe(global->f) + probe(global->w), expected.vectors);
  }
}

}  // namespace
}  // namespace saltus::shared_problems_test
