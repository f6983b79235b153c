#include "apps/program.hpp"

namespace saltus::fc_compare_test {

namespace fs = std::filesystem;

class FcCompare : public ProgramTest {
 protected:
  FcCompare() {
    fs::create_directory(folder_ / "data");
    write("data/one.dat", kOneContact);
    write("data/gfc_one.dat", kGlobalContact);
    write("data/notes.txt", "not a problem");
  }
};

TEST_F(FcCompare, every_solver_meets_every_problem_in_table_csv_and_picture) {
  const Outcome outcome =
      run("fc compare data --solvers auto,nlgs --tolerance 1e-6 --repeat-for 0.001 --out results/deep");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* text : {"one.dat", "gfc_one.dat", "auto", "nlgs", "solved"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("notes.txt"), std::string::npos);

  const std::string csv = read_text(folder_ / "results/deep/comparison.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2) << csv;
  EXPECT_EQ(csv.rfind("file,dimension,contacts,degrees_of_freedom,solver,status,", 0), 0u);
  EXPECT_NE(csv.find("\none.dat,3,1,3,nlgs,converged,"), std::string::npos) << csv;

  const std::string svg = read_text(folder_ / "results/deep/profile.svg");
  EXPECT_NE(svg.find("auto (2 of 2)"), std::string::npos) << svg;
  EXPECT_NE(svg.find("nlgs (2 of 2)"), std::string::npos) << svg;
}

TEST_F(FcCompare, a_bad_file_is_left_out_and_told) {
  write("data/bad.dat", "3 one");
  const Outcome outcome = run("fc compare data --solvers nlgs --tolerance 1e-6 --out results");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("bad.dat"), std::string::npos) << outcome.err;
  EXPECT_NE(read_text(folder_ / "results/profile.svg").find("nlgs (2 of 2)"), std::string::npos);
}

TEST_F(FcCompare, a_folder_that_is_missing_or_empty_is_told) {
  const Outcome missing = run("fc compare nowhere --solvers nlgs --tolerance 1e-6 --out results");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("nowhere: cannot list the folder"), std::string::npos) << missing.err;
  fs::create_directory(folder_ / "empty");
  const Outcome empty = run("fc compare empty --solvers nlgs --tolerance 1e-6 --out results");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_NE(empty.err.find("empty: there is no problem in this folder"), std::string::npos) << empty.err;
}

}  // namespace saltus::fc_compare_test
