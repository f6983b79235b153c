#include "apps/program.hpp"

namespace saltus::fc_output_test {

namespace fs = std::filesystem;

using FcOutput = ProgramTest;

TEST_F(FcOutput, several_inputs_go_to_a_folder_by_their_stems) {
  write("one.dat", kOneContact);
  write("gfc_one.dat", kGlobalContact);
  const Outcome outcome = run("fc solve one.dat gfc_one.dat --out solved/");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_ / "solved/one.hdf5"));
  EXPECT_TRUE(fs::exists(folder_ / "solved/gfc_one.hdf5"));
}

TEST_F(FcOutput, one_input_goes_into_a_folder_that_exists) {
  write("one.dat", kOneContact);
  fs::create_directory(folder_ / "solved");
  EXPECT_EQ(run("fc solve one.dat --out solved").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "solved/one.hdf5"));
}

TEST_F(FcOutput, an_input_is_never_overwritten) {
  write("one.dat", kOneContact);
  ASSERT_EQ(run("fc solve one.dat --out one.hdf5").exit_code, 0);
  const std::string before = read_text(folder_ / "one.hdf5");
  for (const std::string arguments :
       {"one.hdf5 --out ./one.hdf5", "one.hdf5 --out .", "one.dat one.hdf5 --out ."}) {
    const Outcome outcome = run("fc solve " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.err.rfind("saltus: error: --out: ", 0), 0u) << outcome.err;
    EXPECT_EQ(read_text(folder_ / "one.hdf5"), before) << arguments;
  }
}

TEST_F(FcOutput, a_missing_parent_is_told_before_anything_is_solved) {
  write("one.dat", kOneContact);
  for (const std::string arguments : {"one.dat --out no/such/one.hdf5", "one.dat one.dat --out no/such"}) {
    const Outcome outcome = run("fc solve " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find("--out: there is no such folder: got no"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(FcOutput, a_file_cannot_take_several_results) {
  write("one.dat", kOneContact);
  write("two.dat", kOneContact);
  write("taken", "text");
  const Outcome outcome = run("fc solve one.dat two.dat --out taken");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("several inputs need a folder, and this is a file: got taken"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(read_text(folder_ / "taken"), "text");
}

TEST_F(FcOutput, two_inputs_of_one_stem_are_refused) {
  fs::create_directory(folder_ / "other");
  write("one.dat", kOneContact);
  write("other/one.dat", kOneContact);
  const Outcome outcome = run("fc solve one.dat other/one.dat --out solved");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("two inputs would write solved/one.hdf5: got one.dat and other/one.dat"),
            std::string::npos)
      << outcome.err;
}

}  // namespace saltus::fc_output_test
