#include "apps/program.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/residual.hpp"

namespace saltus::fc_solve_test {

using FcSolve = ProgramTest;

TEST_F(FcSolve, json_has_one_object_per_problem_with_every_field) {
  write("one.dat", kOneContact);
  write("gfc_one.dat", kGlobalContact);
  const Outcome outcome = run("fc solve one.dat gfc_one.dat --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto results = lines_of_json(outcome.out);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["file"], "one.dat");
  EXPECT_EQ(results[1]["file"], "gfc_one.dat");
  for (const auto& result : results) {
    EXPECT_EQ(result["dimension"], 3);
    EXPECT_EQ(result["contacts"], 1);
    EXPECT_EQ(result["degrees_of_freedom"], 3);
    EXPECT_EQ(result["solver"], "auto");
    EXPECT_EQ(result["status"], "converged");
    EXPECT_TRUE(result["iterations"].is_number_integer());
    EXPECT_LE(result["residual_scaled"].get<double>(), 1e-8);  // the default kind and tolerance
    for (const char* field :
         {"residual_abs", "residual_relative_b", "residual_siconos", "cpu_seconds", "wall_seconds"})
      EXPECT_GE(result.at(field).get<double>(), 0.0) << field;
    EXPECT_FALSE(result["reason"].get<std::string>().empty());
  }
}

TEST_F(FcSolve, the_table_names_the_residual_that_was_asked_for) {
  write("one.dat", kOneContact);
  const Outcome outcome = run("fc solve one.dat --residual siconos");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("siconos"), std::string::npos);
  EXPECT_NE(outcome.out.find("converged"), std::string::npos);
}

TEST_F(FcSolve, a_problem_that_does_not_converge_says_why_and_exits_with_3) {
  const std::string arguments = "fc solve " + kStack + " --solver nlgs --max-iterations 1 --tolerance 1e-12";
  const Outcome table = run(arguments);
  EXPECT_EQ(table.exit_code, 3);
  EXPECT_NE(table.out.find("max_iterations"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("why: "), std::string::npos) << table.out;
  const Outcome json = run(arguments + " --json");
  EXPECT_EQ(json.exit_code, 3);
  EXPECT_EQ(lines_of_json(json.out).at(0)["status"], "max_iterations");
}

TEST_F(FcSolve, relative_b_of_a_global_problem_divides_by_its_condensed_b) {
  // A plane body (M = 2 I) pushed by f = (-2, -2) into two walls with normals (1, 0) and (0.6, 0.8).
  // Frames are orthonormal, so |H^T M^-1 f + w| = sqrt(2) |f| / 2 = 2, while |f| = sqrt(8).
  write("gfc_two.dat",
        "2 2  0 2 2  2 2  2 0 0 2   0 2 4  2 4  1 0  0 1  0.6 0.8  -0.8 0.6   -2 -2   0 0 0 0   0.3 0.3\n");
  const Outcome outcome =
      run("fc solve gfc_two.dat --solver nlgs --max-iterations 1 --tolerance 1e-14 --json");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;  // the second wall moves the body against the first
  const auto result = lines_of_json(outcome.out).at(0);
  const double absolute = result["residual_abs"], relative = result["residual_relative_b"];
  EXPECT_GT(absolute, 1e-6);
  EXPECT_NEAR(absolute / relative, 2.0, 1e-12);  // round-off of a handful of operations
}

TEST_F(FcSolve, a_bad_file_is_reported_and_the_others_are_solved) {
  write("one.dat", kOneContact);
  write("bad.dat", "3 1 0 3 3 3 3 15 -1");
  const Outcome outcome = run("fc solve missing.dat bad.dat one.dat --json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("missing.dat: no such file"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("bad.dat"), std::string::npos) << outcome.err;
  const auto results = lines_of_json(outcome.out);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["status"], "converged");
}

TEST_F(FcSolve, a_bad_file_weighs_more_than_one_that_did_not_converge) {
  const Outcome outcome =
      run("fc solve missing.dat " + kStack + " --solver nlgs --max-iterations 1 --tolerance 1e-12 --json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(lines_of_json(outcome.out).at(0)["status"], "max_iterations");
}

TEST_F(FcSolve, a_problem_without_contacts_is_solved) {
  write("empty.dat", kNoContact);
  const Outcome outcome = run("fc solve empty.dat --json --out empty.hdf5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = lines_of_json(outcome.out).at(0);
  EXPECT_EQ(result["contacts"], 0);
  EXPECT_EQ(result["status"], "converged");
  EXPECT_EQ(result["residual_relative_b"], 0.0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "empty.hdf5"));
}

TEST_F(FcSolve, form_settles_what_the_name_of_a_text_file_does_not_tell) {
  write("one.dat", kGlobalContact);
  const Outcome outcome = run("fc solve one.dat --form global --json --out solved.hdf5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const FcProblemFile file = read_fc_problem((folder_ / "solved.hdf5").string());
  ASSERT_TRUE(file.is_global());
  ASSERT_TRUE(file.solution);
  // r = (2, 0, 0) holds the body: M v = H r + f = 0. Converged to 1e-8 in units of |b| = 1, W = 1/2.
  EXPECT_NEAR(file.solution->r[0], 2.0, 4e-8);
  ASSERT_EQ(file.solution->v.size(), 3);
  EXPECT_NEAR(file.solution->v.norm(), 0.0, 2e-8);
}

TEST_F(FcSolve, what_out_writes_is_the_problem_with_an_answer_that_satisfies_it) {
  write("one.dat", kOneContact);
  ASSERT_EQ(run("fc solve one.dat --residual relative-b --tolerance 1e-10 --out solved.hdf5").exit_code, 0);
  const FcProblemFile file = read_fc_problem((folder_ / "solved.hdf5").string());
  const auto& problem = std::get<ContactProblem>(file.problem);
  ASSERT_TRUE(file.solution);
  EXPECT_LE(compute_residuals(problem, file.solution->r, file.solution->u).relative_b, 1e-10);
  const Outcome again = run("fc info solved.hdf5");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.out.find("a solution"), std::string::npos) << again.out;
}

TEST_F(FcSolve, repeated_solves_report_how_many_there_were) {
  write("one.dat", kOneContact);
  const auto result = lines_of_json(run("fc solve one.dat --repeat-for 0.01 --json").out).at(0);
  EXPECT_GT(result["repetitions"], 1);
  // All of them together last at least as long as asked, but for the round-off of the mean.
  EXPECT_GE(result["cpu_seconds"].get<double>() * result["repetitions"].get<int>(), 0.01 * (1 - 1e-12));
}

TEST_F(FcSolve, a_matrix_that_is_not_symmetric_is_warned_of_and_solved) {
  write("one.dat", "3 1  0 3 3  3 3  15 -1 -2  -1 14 1  -2 2 16   -1 2 3   0.1\n");
  const Outcome outcome = run("fc solve one.dat --json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("warning: one.dat: W is not symmetric"), std::string::npos) << outcome.err;
}

TEST_F(FcSolve, contacts_are_listed_with_impulse_and_velocity) {
  write("gfc_one.dat", kGlobalContact);
  const Outcome outcome = run("fc solve gfc_one.dat --contacts");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // r = (2, 0, 0) and u = 0; six digits are printed, the answer has eight.
  EXPECT_NE(outcome.out.find("\n         0             2             0"), std::string::npos) << outcome.out;
}

}  // namespace saltus::fc_solve_test
