#include <sstream>

#include "apps/program.hpp"

namespace saltus::command_line_test {

using CommandLine = ProgramTest;

TEST_F(CommandLine, the_version_is_one_line_and_success) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.rfind("saltus ", 0), 0u) << outcome.out;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
}

TEST_F(CommandLine, the_help_of_every_command_has_examples) {
  for (const std::string command : {"", "fc", "fc info", "fc solve", "fc compare"}) {
    const Outcome outcome = run(command + " --help");
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_NE(outcome.out.find("Examples:\n  saltus " + command), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "");
  }
}

// A line is as wide as the usual terminal, 80, where it is words: names of options with their kinds, and examples to be copied, are whole.
TEST_F(CommandLine, what_help_says_of_options_ends_at_the_width_of_a_terminal) {
  for (const std::string command : {"", "run", "render", "plot", "measure", "export", "import", "fc solve"}) {
    std::istringstream lines(run(command + " --help").out);
    int words = 0;
    for (std::string line; std::getline(lines, line) && line != "Examples:";) {
      if (line.rfind("  -", 0) == 0 && line.size() > 80) line = line.substr(30);  // a name beyond its column
      const bool is_name =
          line.find("Excludes:") != std::string::npos || line.find("TEXT:") != std::string::npos;
      EXPECT_TRUE(line.size() <= 80 || is_name) << command << ": " << line;
      words += line.rfind(std::string(30, ' '), 0) == 0;
    }
    if (!command.empty()) EXPECT_GT(words, 3) << command;  // lines that go on below
  }
}

TEST_F(CommandLine, no_command_is_bad_input) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("A subcommand is required"), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, an_unknown_command_gets_the_nearest_one_and_the_list) {
  const Outcome first = run("fx solve");
  EXPECT_EQ(first.exit_code, 2);
  EXPECT_NE(first.err.find("unknown command: got fx"), std::string::npos) << first.err;
  const Outcome second = run("fc slove problem.dat");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(
      second.err.find("unknown command: got slove (did you mean solve?), allowed: info, solve, compare"),
      std::string::npos)
      << second.err;
}

TEST_F(CommandLine, results_that_cannot_be_written_are_not_success) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  const std::string command = "'" SALTUS_PROGRAM "' fc solve " + kStack + " >/dev/full 2>/dev/null";
  EXPECT_NE(std::system(command.c_str()), 0);
}

TEST_F(CommandLine, an_unknown_option_gets_the_nearest_one) {
  const Outcome outcome = run("fc solve problem.dat --tolerence 1e-4");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("unknown option: got --tolerence (did you mean --tolerance?), allowed: "),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(run("run demo --dt -1").err.find("--dt: got -1, allowed: a number above 0"), std::string::npos);
}

TEST_F(CommandLine, a_misspelt_solver_gets_the_nearest_one_and_the_list) {
  const Outcome outcome = run("fc solve problem.dat --solver nlsg");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("--solver: unknown solver: got nlsg (did you mean nlgs?), allowed: "),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("auto"), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, a_solver_like_no_other_gets_the_list_alone) {
  const Outcome outcome = run("fc compare . --solvers auto,gradient --tolerance 1e-4 --out x");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("unknown solver: got gradient, allowed: "), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, numbers_that_mean_nothing_are_refused) {
  const std::string problem = write("one.dat", kOneContact);
  for (const std::string option :
       {"--tolerance 0", "--tolerance -1e-8", "--tolerance nan", "--tolerance inf", "--tolerance small",
        "--time-limit -1", "--max-iterations 0", "--threads -1", "--residual energy", "--form both",
        "--local-solver best"}) {
    const Outcome outcome = run("fc solve " + problem + " " + option);
    EXPECT_EQ(outcome.exit_code, 2) << option;
    const std::string name = option.substr(0, option.find(' '));
    EXPECT_NE(outcome.err.find(name), std::string::npos) << option << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << option;
  }
}

}  // namespace saltus::command_line_test
