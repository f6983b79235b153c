// measure, plot and study as a user runs them.
#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::study_test {
namespace {

const char* const kStudy = R"(scene = "fall.toml"
[[parameters]]
name = "g"
values = [5, 10, 20]
formula = "-t"
keys = ["gravity.1"]
[[parameters]]
name = "seconds"
values = [0.1, 0.2]
keys = ["run.until"]
[[collect]]
name = "speed"
measure = "ball.velocity_y"
formula = "-t"
[[collect]]
name = "steps"
summary = "steps"
[[figures]]
file = "speed"
x = "g"
y = ["speed"]
by = "seconds"
)";

bool has_gnuplot() { return std::system("command -v gnuplot > /dev/null") == 0; }

class StudyCommand : public ProgramTest {
 protected:
  StudyCommand() { write("fall.toml", falling_ball("until = 0.1", "every = 0.05\nmeasure_every = 10")); }
};

TEST_F(StudyCommand, a_grid_of_cases_becomes_one_table) {
  write("fall-study.toml", kStudy);
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = run("study fall-study.toml --jobs 2");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string csv = read_text(folder_ / "fall-study" / "fall-study.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "case,g,seconds,speed,steps");
  int rows = 0;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  for (; std::getline(lines, line); ++rows) {
    double g = 0, seconds = 0, speed = 0, steps = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + line.find(',') + 1, "%lf,%lf,%lf,%lf", &g, &seconds, &speed, &steps),
              4);
    EXPECT_NEAR(speed, g * seconds, 1e-12) << line;  // constant acceleration: exact for the scheme
    EXPECT_EQ(steps, std::round(1000 * seconds)) << line;
  }
  EXPECT_EQ(rows, 6);
  EXPECT_GT(std::filesystem::file_size(folder_ / "fall-study" / "speed.svg"), 1000u);
  EXPECT_GT(std::filesystem::file_size(folder_ / "fall-study" / "speed.png"), 1000u);
}

TEST_F(StudyCommand, without_gnuplot_the_numbers_are_there_and_the_program_says_what_to_install) {
  write("s.toml", kStudy);
  const Outcome study = run("study s.toml", "PATH=/nowhere");
  EXPECT_EQ(study.exit_code, 2);
  EXPECT_NE(study.err.find("gnuplot is not installed"), std::string::npos) << study.err;
  EXPECT_NE(study.err.find("apt install gnuplot"), std::string::npos) << study.err;
  EXPECT_NE(read_text(folder_ / "s" / "s.csv").find("case,g,seconds"), std::string::npos);
  ASSERT_EQ(run("run fall.toml").exit_code, 0);
  const Outcome plot = run("plot fall.h5 ball.y --out y.svg", "PATH=/nowhere");
  EXPECT_EQ(plot.exit_code, 2);
  EXPECT_NE(plot.err.find("gnuplot is not installed"), std::string::npos) << plot.err;
  EXPECT_EQ(run("plot fall.h5 ball.y --out y.csv", "PATH=/nowhere").exit_code, 0);
}

TEST_F(StudyCommand, a_scene_is_told_from_a_study) {
  const Outcome study = run("study fall.toml");
  EXPECT_EQ(study.exit_code, 2);
  EXPECT_NE(study.err.find("a scene, not a study: run it by saltus run"), std::string::npos) << study.err;
}

TEST_F(StudyCommand, a_second_call_runs_nothing_again) {
  std::string text = kStudy;
  write("s.toml", text.substr(0, text.find("[[figures]]")));
  ASSERT_EQ(run("study s.toml").exit_code, 0);
  const auto time_of_case = [&] {
    return std::filesystem::last_write_time(folder_ / "s" / "g=5,seconds=0.1.h5");
  };
  const auto before = time_of_case();
  ASSERT_EQ(run("study s.toml").exit_code, 0);
  EXPECT_EQ(time_of_case(), before);
  ASSERT_EQ(run("study s.toml --force").exit_code, 0);
  EXPECT_NE(time_of_case(), before);
}

TEST_F(StudyCommand, the_cases_of_a_study_that_is_stopped_end_and_can_be_resumed) {
  std::string study = kStudy;
  study.replace(study.find("[0.1, 0.2]"), 10, "[1000, 2000]");
  for (const std::string signal : {"TERM", "HUP"}) {
    write(signal + ".toml", study);
    const std::string command = "cd '" + folder_.string() + "' && { '" SALTUS_PROGRAM "' study " + signal +
                                ".toml --jobs 2 2>.err </dev/null & "
                                "for i in $(seq 200); do [ $(ls " +
                                signal +
                                "/*.h5.lock 2>.none | wc -l) = 2 ] && break; "
                                "sleep 0.05; done; kill -" +
                                signal + " $!; wait $!; }";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130) << read_text(folder_ / ".err");
    int trajectories = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / signal)) {
      EXPECT_NE(entry.path().extension(), ".lock") << "a run is still going on: " << entry.path();
      if (entry.path().extension() != ".h5") continue;
      ++trajectories;
      EXPECT_TRUE(std::filesystem::exists(entry.path().string() + ".checkpoint")) << signal;
    }
    EXPECT_EQ(trajectories, 2) << signal;
  }
}

TEST_F(StudyCommand, a_failed_case_is_listed_and_the_others_are_kept) {
  write("bad.toml", R"(scene = "fall.toml"
[[parameters]]
name = "h"
values = [1e-3, -1]
keys = ["scheme.h"]
[[collect]]
name = "y"
measure = "ball.y"
)");
  const Outcome outcome = run("study bad.toml");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("h=-1: exit 2"), std::string::npos) << outcome.err;
  const std::string csv = read_text(folder_ / "bad" / "bad.csv");
  EXPECT_NE(csv.find("h=0.001"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("h=-1"), std::string::npos) << csv;
}

TEST_F(StudyCommand, a_prepared_sample_is_made_once_and_used_by_the_cases) {
  write("on.toml", R"(dimension = 2
[scheme]
h = 1e-3
[run]
until = 0.1
[law]
friction = 0
[[generate]]
kind = "saved"
file = "none.toml"
[[measures]]
kind = "body"
name = "ball"
body = "ball"
)");
  write("two.toml", R"(scene = "on.toml"
[prepare]
scene = "fall.toml"
file_keys = ["generate.0.file"]
[[parameters]]
name = "g"
values = [10, 20]
formula = "-t"
prepare = ["gravity.1"]
[[parameters]]
name = "seconds"
values = [0.1, 0.3]
keys = ["run.until"]
[[collect]]
name = "y"
measure = "ball.y"
)");
  const Outcome outcome = run("study two.toml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "two" / "prepare,g=10.toml"));
  const std::string csv = read_text(folder_ / "two" / "two.csv");
  // 0.1 s of fall at 10 m/s2, then 0.3 s at 1 m/s: -0.05 - 0.3.
  EXPECT_NE(csv.find("10,0.3,-0.35"), std::string::npos) << csv;
}

TEST_F(StudyCommand, a_changed_scene_leaves_the_table_as_it_was_and_force_runs_it_again) {
  const std::string text = kStudy;
  write("s.toml", text.substr(0, text.find("[[figures]]")));
  ASSERT_EQ(run("study s.toml").exit_code, 0);
  const std::string before = read_text(folder_ / "s" / "s.csv");
  write("fall.toml", falling_ball("until = 0.1", "every = 0.05\nmeasure_every = 10") + "[materials.x]\n");
  const Outcome changed = run("study s.toml");
  EXPECT_EQ(changed.exit_code, 3);
  EXPECT_NE(changed.err.find("--force"), std::string::npos) << changed.err;
  EXPECT_EQ(read_text(folder_ / "s" / "s.csv"), before);
  const Outcome forced = run("study s.toml --force");
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_EQ(read_text(folder_ / "s" / "s.csv"), before);
}

TEST_F(StudyCommand, mistakes_are_told_before_anything_runs) {
  const std::string text = std::string(kStudy).substr(0, std::string(kStudy).find("[[figures]]"));
  const auto error_after = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    write("wrong.toml", changed);
    const Outcome outcome = run("study wrong.toml");
    EXPECT_EQ(outcome.exit_code, 2) << to << ": " << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(error_after("values =", "vaules =").find("vaules"), std::string::npos);
  EXPECT_NE(error_after("ball.velocity_y", "ball.velocity_z").find("ball.velocity_y"), std::string::npos);
  EXPECT_NE(error_after("summary = \"steps\"", "summary = \"stpes\"").find("did you mean steps"),
            std::string::npos);
  EXPECT_NE(error_after("name = \"g\"", "name = \"../g\"").find("../g"), std::string::npos);
  EXPECT_NE(error_after("[5, 10, 20]", "[5, 10, 5]").find("g=5"), std::string::npos);
  write("wrong.toml", text + "[[figures]]\nfile = \"../../f\"\nx = \"g\"\ny = [\"speed\"]\n");
  EXPECT_EQ(run("study wrong.toml").exit_code, 2);
  write("wrong.toml", text + "[[figures]]\nfile = \"f\"\nx = \"gg\"\ny = [\"speed\"]\n");
  EXPECT_NE(run("study wrong.toml").err.find("gg"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong" / "g=5,seconds=0.1.h5"));
}

TEST_F(StudyCommand, parameters_may_be_texts) {
  write("t.toml", R"(scene = "fall.toml"
[[parameters]]
name = "solver"
values = ["nlgs", "auto"]
keys = ["solver.name"]
[[parameters]]
name = "g"
values = [5, 10]
formula = "-t"
keys = ["gravity.1"]
[[collect]]
name = "speed"
measure = "ball.velocity_y"
[[figures]]
file = "speed"
x = "g"
y = ["speed"]
by = "solver"
)");
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = run("study t.toml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string csv = read_text(folder_ / "t" / "t.csv");
  EXPECT_NE(csv.find("nlgs,5,-"), std::string::npos) << csv;
  EXPECT_NE(csv.find("auto,10,-"), std::string::npos) << csv;
  EXPECT_NE(read_text(folder_ / "t" / "speed.svg").find("solver = auto"), std::string::npos);
  EXPECT_EQ(run("plot t/t.csv speed --x g --out again.svg").exit_code, 0);
}

TEST_F(StudyCommand, a_case_that_failed_stays_failed) {
  // An end that puts none of the thousand moments at which formulas are checked on 0.05 s.
  write("short.toml", falling_ball("until = 0.0987", ""));
  write("bad.toml", R"toml(scene = "short.toml"
[[parameters]]
name = "push"
values = ["sqrt(1 - t)", "sqrt(abs(t - 0.05) - 1e-7)"]
keys = ["bodies.0.force.y"]
[[collect]]
name = "y"
measure = "ball.y"
)toml");
  for (int call = 0; call < 2; ++call) {
    const Outcome outcome = run("study bad.toml");
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("force.y = \"sqrt(abs(t - 0.05) - 1e-7)\" is not a number"), std::string::npos)
        << outcome.err;
    const std::string csv = read_text(folder_ / "bad" / "bad.csv");
    EXPECT_NE(csv.find("sqrt(1 - t),"), std::string::npos) << csv;
    EXPECT_EQ(csv.find("sqrt(abs(t - 0.05) - 1e-7),"), std::string::npos) << csv;
  }
}

TEST_F(StudyCommand, axes_have_units_and_a_wrong_x_is_blamed_itself) {
  ASSERT_EQ(run("run fall.toml").exit_code, 0);
  ASSERT_EQ(run("plot fall.h5 ball.y --out y.csv").exit_code, 0);
  EXPECT_EQ(read_text(folder_ / "y.csv").rfind("series,\"time, s\",\"ball.y, m\"\n", 0), 0u);
  const Outcome wrong = run("plot fall.h5 ball.y --x tiem --out y.svg");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--x"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("did you mean time"), std::string::npos) << wrong.err;
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  ASSERT_EQ(run("plot fall.h5 ball.y --out y.svg").exit_code, 0);
  EXPECT_NE(read_text(folder_ / "y.svg").find("time, s"), std::string::npos);
  EXPECT_NE(read_text(folder_ / "y.svg").find("ball.y, m"), std::string::npos);
}

// Measures tell their units, keys of the summary too; what a formula made, and what parameters are in, the study tells.
TEST_F(StudyCommand, axes_of_its_figures_have_labels_and_units) {
  std::string text = kStudy;
  text.insert(text.find("keys = [\"gravity.1\"]"), "unit = \"m/s2\"\n");
  text += R"([[collect]]
name = "height"
measure = "ball.y"
[[collect]]
name = "cpu"
summary = "cpu_seconds.total"
[[collect]]
name = "km"
measure = "ball.y"
formula = "t/1000"
unit = "km"
[[figures]]
file = "one"
x = "g"
y = ["height"]
by = "seconds"
[[figures]]
file = "same"
x = "seconds"
y = ["height", "height"]
[[figures]]
file = "several"
x = "g"
y = ["km", "cpu", "steps"]
by = "seconds"
)";
  write("s.toml", text);
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = run("study s.toml --jobs 2");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto has = [&](const char* figure, const char* label) {
    EXPECT_NE(read_text(folder_ / "s" / figure).find(label), std::string::npos) << figure << ": " << label;
  };
  has("one.svg", ">g, m/s2<");
  has("one.svg", ">height, m<");
  has("speed.svg", ">speed<");  // a formula, without a unit
  has("same.svg", ">m<");
  has("several.svg", ">km, km; cpu, s; steps<");
}

TEST_F(StudyCommand, measures_of_a_trajectory_come_as_csv) {
  ASSERT_EQ(run("run fall.toml --csv run.csv").exit_code, 0);
  const Outcome stored = run("measure fall.h5 --stored");
  EXPECT_EQ(stored.exit_code, 0) << stored.err;
  EXPECT_EQ(stored.out, read_text(folder_ / "run.csv"));
  const Outcome last = run("measure fall.h5 motion extent --last");
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_NE(last.out.find("motion.speed_max"), std::string::npos);
  EXPECT_EQ(run("measure fall.h5 stres").exit_code, 2);
  EXPECT_NE(run("measure fall.h5 stres").err.find("stress"), std::string::npos);
}

TEST_F(StudyCommand, series_are_drawn_or_written_as_numbers) {
  ASSERT_EQ(run("run fall.toml").exit_code, 0);
  EXPECT_EQ(run("plot fall.h5 ball.y energy.kinetic --out y.csv").exit_code, 0);
  EXPECT_NE(read_text(folder_ / "y.csv").find("energy.kinetic"), std::string::npos);
  const Outcome unknown = run("plot fall.h5 ball.height --out y.svg");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("ball.y"), std::string::npos) << unknown.err;
  EXPECT_EQ(run("plot fall.h5 ball.y --out y.gif").exit_code, 2);
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(run("plot fall.h5 ball.y --x ball.velocity_y --out y.svg").exit_code, 0);
  EXPECT_NE(read_text(folder_ / "y.svg").find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace saltus::study_test
