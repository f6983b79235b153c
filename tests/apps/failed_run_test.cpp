// Runs whose numbers leave the range of doubles: stored as failed, with body, key and time; never a fault of
// the program.
#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::failed_run_test {
namespace {

class FailedRun : public ProgramTest {
 protected:
  // An end that puts none of the thousand moments at which formulas are checked on 0.05 s.
  FailedRun() { write("fall.toml", falling_ball("until = 0.0987", "")); }
};

TEST_F(FailedRun, it_is_stored_as_failed_with_body_key_and_time) {
  const std::string change = "--set 'bodies.0.force.y=\"sqrt(abs(t - 0.05) - 1e-7)\"'";
  const Outcome first = run("run fall.toml --out f.h5 --summary f.json " + change);
  EXPECT_EQ(first.exit_code, 3) << first.err;
  for (const char* part : {"\"ball\"", "fall.toml:", "force.y", "sqrt(abs(t - 0.05) - 1e-7)", "t = 0.05"})
    EXPECT_NE(first.err.find(part), std::string::npos) << part << " in " << first.err;
  EXPECT_NE(read_text(folder_ / "f.json").find("\"failure\": \"body"), std::string::npos);
  const Outcome info = run("info f.h5");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("failed: "), std::string::npos) << info.out;
  EXPECT_EQ(info.out.find("finished"), std::string::npos) << info.out;
  const Outcome again = run("run fall.toml --out f.h5 --resume " + change);
  EXPECT_EQ(again.exit_code, 3) << again.err;
  EXPECT_NE(again.err.find("sqrt(abs(t - 0.05) - 1e-7)"), std::string::npos) << again.err;
}

// 1e308 N are finite, and so is the velocity that they give; its square is not.
TEST_F(FailedRun, a_formula_beyond_the_size_of_numbers_is_refused_with_key_and_time) {
  for (const std::string formula : {"1e308", "exp(2000*t)"}) {
    const Outcome outcome = run("run fall.toml --out g.h5 --set 'bodies.0.force.x=\"" + formula + "\"'");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    for (const char* part : {"force.x", "too large", "at t = ", "1e+30"})
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }
}

// Between the moments at which formulas are looked at: 1e200 N for less than one of 1000 parts of the run.
TEST_F(FailedRun, energies_that_are_not_finite_fail_the_run) {
  const Outcome outcome =
      run("run fall.toml --out g.h5 --set 'bodies.0.force.x=\"1e200*step(1e-7 - abs(t - 0.05))\"'");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  for (const char* part : {"\"ball\"", "fall.toml:", "force.x", "beyond 1e+30", "t = 0.05"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  const Outcome info = run("info g.h5");
  EXPECT_NE(info.out.find("failed: "), std::string::npos) << info.out;
}

TEST_F(FailedRun, numbers_beyond_all_measure_are_never_a_fault_of_the_program) {
  for (const std::string set :
       {"gravity=[0,-1e300]", "gravity=[0,-1e308]", "scheme.h=1e300", "scheme.h=1e-300", "run.until=1e300",
        "law.cohesion=1e300", "law.friction=1e300", "bodies.0.density=1e300", "bodies.0.density=1e-300",
        "bodies.0.shape.radius=1e300", "bodies.0.velocity=[1e300,0]", "bodies.0.position=[1e300,0]"}) {
    const Outcome outcome = run("run fall.toml --no-output --steps 3 --set '" + set + "'");
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 2 || outcome.exit_code == 3)
        << set << ": exit " << outcome.exit_code << ", " << outcome.err;
    EXPECT_EQ(outcome.err.find("fault of the program"), std::string::npos) << set << ": " << outcome.err;
  }
}

TEST_F(FailedRun, a_drive_that_is_no_number_names_itself) {
  for (const std::string kind : {"velocity", "position", "acceleration"}) {
    const Outcome outcome =
        run("run fall.toml --no-output --set 'bodies.0.drive={x={" + kind + "=\"log(t-2)\"}}'");
    EXPECT_TRUE(outcome.exit_code == 2 || outcome.exit_code == 3) << kind << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("log(t-2)"), std::string::npos) << kind << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("fault of the program"), std::string::npos) << kind << ": " << outcome.err;
  }
}

TEST_F(FailedRun, too_little_memory_is_told_as_such) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer reserves terabytes of address space";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the address sanitizer reserves terabytes of address space";
#endif
#endif
  // The program alone takes less than 60 MB of address space, 10^5 spheres with it more than 180 MB.
  const std::string command = "cd '" + folder_.string() +
                              "' && (ulimit -v 150000; exec '" SALTUS_PROGRAM
                              "' run spheres-100000 --no-output --steps 1 >.out 2>.err)";
  const int status = std::system(command.c_str());
  const std::string said = read_text(folder_ / ".err");
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2) << said;
  EXPECT_NE(said.find("memory"), std::string::npos) << said;
}

}  // namespace
}  // namespace saltus::failed_run_test
