#include "apps/program.hpp"

namespace saltus::fc_info_test {

using FcInfo = ProgramTest;

TEST_F(FcInfo, a_local_problem_is_described) {
  write("one.dat", kOneContact);
  const Outcome outcome = run("fc info one.dat");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // |b| = sqrt(1 + 4 + 9)
  for (const char* text :
       {"local: u = W r + b", "contacts           1", "degrees of freedom 3", "friction           0.1",
        "1 blocks of 3 x 3", "asymmetry of W     0.0e+00", "|b|                3.74166", "no solution"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
}

TEST_F(FcInfo, a_global_problem_has_its_hyperstaticity_and_its_condensed_b) {
  write("gfc_one.dat", kGlobalContact);
  const Outcome outcome = run("fc info gfc_one.dat");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* text : {"global: M v = H r + f", "c = 1 ", "M 3, H 3, G 0", "|b|                1\n"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
}

TEST_F(FcInfo, bad_files_are_reported_and_the_others_described) {
  write("one.dat", kOneContact);
  const Outcome outcome = run("fc info missing.dat one.dat");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("missing.dat: no such file"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("one.dat\n", 0), 0u) << outcome.out;
}

TEST_F(FcInfo, a_problem_without_contacts_is_described) {
  write("empty.dat", kNoContact);
  const Outcome outcome = run("fc info empty.dat");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("friction           none"), std::string::npos) << outcome.out;
}

}  // namespace saltus::fc_info_test
