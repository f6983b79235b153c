#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

namespace saltus::run_command_test {
namespace {

const char* const kScene = R"(title = "Two disks fall on a floor"
dimension = 2
gravity = [0, -10]
[scheme]
h = 2e-3
[run]
until = 0.4
[law]
friction = 0.3
[[bodies]]
name = "floor"
shape = { kind = "half-plane" }
fixed = true
[[bodies]]
name = "left"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.3]
[[bodies]]
name = "right"
shape = { kind = "disk", radius = 0.1 }
position = [0.15, 0.6]
)";

class RunCommand : public ProgramTest {
 protected:
  RunCommand() { write("two.toml", kScene); }
  nlohmann::json summary(const std::string& name) const {
    return nlohmann::json::parse(read_text(folder_ / name));
  }
};

TEST_F(RunCommand, the_default_output_has_the_name_of_the_scene_and_lies_in_the_current_folder) {
  const Outcome outcome = run("run two.toml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "two.h5"));
  EXPECT_NE(outcome.out.find("finished at t = 0.4 s"), std::string::npos) << outcome.out;
}

TEST_F(RunCommand, warnings_are_told_whatever_else_is_not) {
  for (const char* how : {"", " --quiet", " --summary -", " --quiet --summary s.json"}) {
    const Outcome outcome = run(std::string("run kane --no-output --force") + how);
    EXPECT_EQ(outcome.exit_code, 0) << how << outcome.err;
    EXPECT_NE(outcome.err.find("gained energy"), std::string::npos) << how << outcome.err;
  }
}

TEST_F(RunCommand, the_summary_holds_every_figure_of_the_run) {
  ASSERT_EQ(run("run two.toml --summary s.json").exit_code, 0);
  const nlohmann::json json = summary("s.json");
  for (const char* key : {"steps", "time", "bodies", "contact_updates", "contacts_mean", "contacts_max",
                          "iterations_mean", "unconverged_steps", "penetration_max", "energy_balance_worst",
                          "momentum_balance_worst", "peak_memory_bytes"})
    EXPECT_TRUE(json[key].is_number()) << key;
  for (const char* key : {"residual_rms", "residual_max"})
    for (const char* part : {"worst", "p95", "mean"})
      EXPECT_TRUE(json[key][part].is_number()) << key << '.' << part;
  for (const char* phase : {"detection", "problem", "solve", "update", "output"})
    EXPECT_TRUE(json["cpu_seconds"][phase].is_number()) << phase;
  for (const char* kind : {"impact", "friction", "elastic", "cohesion", "damping"})
    EXPECT_TRUE(json["dissipation"][kind].is_number()) << kind;
  EXPECT_EQ(json["steps"], 200);
  EXPECT_EQ(json["bodies"], 3);
  EXPECT_GT(json["peak_memory_bytes"], 1e6);
  EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16u);
}

TEST_F(RunCommand, options_change_the_scene_they_name) {
  ASSERT_EQ(run("run two.toml --dt 1e-3 --steps 50 --tolerance 1e-5 --set law.friction=0.1 --summary a.json")
                .exit_code,
            0);
  EXPECT_EQ(summary("a.json")["steps"], 50);
  EXPECT_EQ(summary("a.json")["h"], 1e-3);
  ASSERT_EQ(run("run two.toml --until 0.1 --out b.h5 --summary b.json --quiet").exit_code, 0);
  EXPECT_EQ(summary("b.json")["steps"], 50);
  const Outcome scene = run("info two.h5 --scene");
  EXPECT_NE(scene.out.find("friction = 0.1"), std::string::npos) << scene.out;
  const Outcome both = run("run two.toml --until 1 --steps 3 --out c.h5");
  EXPECT_EQ(both.exit_code, 2);
}

TEST_F(RunCommand, a_scene_that_ends_by_steps_takes_an_end_time_too) {
  std::string text = kScene;
  text.replace(text.find("until = 0.4"), 11, "steps = 7");
  write("steps.toml", text);
  ASSERT_EQ(run("run steps.toml --summary a.json").exit_code, 0);
  EXPECT_EQ(summary("a.json")["steps"], 7);
  ASSERT_EQ(run("run steps.toml --until 0.02 --force --summary a.json").exit_code, 0);
  EXPECT_EQ(summary("a.json")["steps"], 10);
  ASSERT_EQ(run("run steps.toml --steps 4 --force --summary a.json").exit_code, 0);
  EXPECT_EQ(summary("a.json")["steps"], 4);
}

TEST_F(RunCommand, bad_input_exits_with_2_and_a_sentence) {
  for (const char* arguments :
       {"run no-such-scene", "run two.toml --set law.frictoin=0.1", "run two.toml --dt -1",
        "run two.toml --solver magic", "run", "info two.toml", "info missing.h5"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find("saltus: error: "), std::string::npos) << arguments << ": " << outcome.err;
  }
  EXPECT_NE(run("run two.toml --set law.frictoin=0.1").err.find("friction"), std::string::npos);
}

TEST_F(RunCommand, a_number_of_steps_is_whole_however_it_is_written) {
  ASSERT_EQ(run("run two.toml --steps 1e1 --no-output --summary a.json").exit_code, 0);
  EXPECT_EQ(summary("a.json")["steps"], 10);
  for (const char* wrong : {"-1", "1.5", "many"}) {
    const Outcome outcome = run(std::string("run two.toml --no-output --steps ") + wrong);
    EXPECT_EQ(outcome.exit_code, 2) << wrong;
    EXPECT_NE(outcome.err.find(std::string("--steps: got ") + wrong + ", allowed: a whole number"),
              std::string::npos)
        << outcome.err;
  }
  std::string text = kScene;
  text.replace(text.find("until = 0.4"), 11, "steps = 1e1");
  write("steps.toml", text);
  EXPECT_EQ(run("run steps.toml --no-output").exit_code, 0);
}

TEST_F(RunCommand, an_existing_output_is_kept_unless_forced) {
  ASSERT_EQ(run("run two.toml").exit_code, 0);
  const std::string before = read_text(folder_ / "two.h5");
  const Outcome second = run("run two.toml --set law.friction=0");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("--force"), std::string::npos) << second.err;
  EXPECT_EQ(read_text(folder_ / "two.h5"), before);
  EXPECT_EQ(run("run two.toml --force").exit_code, 0);
}

TEST_F(RunCommand, a_missed_tolerance_exits_with_3_only_when_strict) {
  // One sweep cannot solve coupled contacts to 1e-14 of g h.
  const std::string hard =
      "run two.toml --solver nlgs --tolerance 1e-14 --set solver.max_iterations=1 --force ";
  EXPECT_EQ(run(hard).exit_code, 0);
  const Outcome strict = run(hard + "--strict");
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_NE(strict.err.find("missed"), std::string::npos) << strict.err;
}

TEST_F(RunCommand, an_overlap_beyond_the_limit_of_the_scene_exits_with_3_only_when_strict) {
  // The upper disk starts 5 mm inside the floor, 2.5 % of its 20 cm; velocity laws leave it there,
  // where positions are not corrected.
  const std::string sunk =
      "run two.toml --set bodies.2.position=[1,0.095] --set law.kind=velocity-signorini "
      "--set scheme.position_correction=false "
      "--until 0.01 --force --summary s.json ";
  const Outcome warned = run(sunk);
  EXPECT_EQ(warned.exit_code, 0) << warned.err;
  EXPECT_NE(warned.err.find("2.5 % of the thickness"), std::string::npos) << warned.err;
  EXPECT_NEAR(summary("s.json")["penetration_relative"]["worst"].get<double>(), 0.025, 1e-12);
  EXPECT_EQ(run(sunk + "--strict").exit_code, 0);  // no limit was asked for
  EXPECT_EQ(run(sunk + "--strict --set run.penetration_limit=0.03").exit_code, 0);
  const Outcome strict = run(sunk + "--strict --set run.penetration_limit=0.02");
  EXPECT_EQ(strict.exit_code, 3) << strict.err;
  EXPECT_NE(strict.err.find("run.penetration_limit = 0.02 (--strict)"), std::string::npos) << strict.err;
  EXPECT_EQ(run(sunk + "--set run.penetration_limit=0.02").exit_code, 0);
  EXPECT_NE(run("info two.h5").out.find("2.5 % of the thinner body"), std::string::npos);
}

TEST_F(RunCommand, check_tells_of_bodies_inside_the_matter_of_another) {
  write("upside-down.toml", std::string(kScene) + R"([[bodies]]
name = "ceiling"
shape = { kind = "half-plane", normal = [0, 1], offset = 5 }
fixed = true
)");
  const Outcome checked = run("check upside-down.toml");
  EXPECT_NE((checked.out + checked.err)
                .find("2 bodies lie inside the matter of another at the start, \"left\" in "
                      "\"ceiling\""),
            std::string::npos)
      << checked.out << checked.err;
}

TEST_F(RunCommand, output_that_cannot_be_written_exits_with_4) {
  const Outcome missing = run("run two.toml --out nowhere/a.h5");
  EXPECT_EQ(missing.exit_code, 4) << missing.err;
  EXPECT_NE(missing.err.find("nowhere/a.h5"), std::string::npos) << missing.err;
  EXPECT_EQ(run("run two.toml --summary nowhere/s.json").exit_code, 4);
}

TEST_F(RunCommand, a_full_disk_exits_with_4_and_leaves_a_readable_file) {
  // The shell's limit on the size of files, in blocks of 1024 bytes (bash) or 512 (others): about 100 kB.
  const std::string command = "cd '" + folder_.string() +
                              "' && (ulimit -f 150; '" SALTUS_PROGRAM
                              "' run two.toml --until 100 --out full.h5 >.out 2>.err)";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4) << read_text(folder_ / ".err");
  EXPECT_NE(read_text(folder_ / ".err").find("full.h5"), std::string::npos);
  const Outcome info = run("info full.h5");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("not finished"), std::string::npos) << info.out;
}

TEST_F(RunCommand, an_interrupted_run_exits_with_130_and_resumes_to_the_same_state) {
  ASSERT_EQ(
      run("run two.toml --until 40 --set output.every=0.1 --out whole.h5 --summary whole.json").exit_code, 0);
  const std::string arguments =
      "run two.toml --until 40 --set output.every=0.1 --out a.h5 --summary a.json --resume";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(folder_.c_str()) != 0) ::_exit(99);
      const int log = ::open(".log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(log, 1), ::dup2(log, 2);
      ::execl("/bin/sh", "sh", "-c", ("exec '" SALTUS_PROGRAM "' " + arguments).c_str(), nullptr);
      ::_exit(99);
    }
    // While a run goes on there is a second file; until then the program has not begun to run.
    for (int wait = 0; wait < 2000 && !std::filesystem::exists(folder_ / "a.h5.next"); ++wait) ::usleep(5000);
    ::usleep(20000);
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    // A machine may be quick enough to be done before the signal comes.
    if (WEXITSTATUS(status) == 0) GTEST_SKIP() << "the run ended before it could be interrupted";
    EXPECT_EQ(WEXITSTATUS(status), 130) << read_text(folder_ / ".log");
    EXPECT_EQ(summary("a.json")["outcome"], "interrupted");
    EXPECT_TRUE(std::filesystem::exists(folder_ / "a.h5.checkpoint"));
    // The remedy works when it is pasted: it has all the options of the run.
    EXPECT_NE(read_text(folder_ / ".log").find("go on with: saltus " + arguments), std::string::npos)
        << read_text(folder_ / ".log");
  }
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("going on at step"), std::string::npos) << outcome.err;
  EXPECT_EQ(summary("a.json")["state_hash"], summary("whole.json")["state_hash"]);
  EXPECT_EQ(summary("a.json")["steps"], summary("whole.json")["steps"]);
}

TEST_F(RunCommand, resuming_a_changed_scene_names_the_key) {
  ASSERT_EQ(run("run two.toml").exit_code, 0);
  const Outcome outcome = run("run two.toml --resume --set law.friction=0.2");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("law.friction"), std::string::npos) << outcome.err;
  EXPECT_EQ(run("run two.toml --resume --threads 2").exit_code, 0);  // threads change no result
}

TEST_F(RunCommand, the_final_scene_can_be_run_on) {
  ASSERT_EQ(run("run two.toml --final-scene on.toml").exit_code, 0);
  EXPECT_EQ(run("run two.toml --force --final-scene on.toml").exit_code, 0);
  EXPECT_EQ(run("run two.toml --out b.h5 --final-scene on.toml").exit_code, 2);  // a scene is not overwritten
  const Outcome onward = run("run on.toml");
  EXPECT_EQ(onward.exit_code, 0) << onward.err;
  EXPECT_NE(onward.out.find("t = 0.8 s"), std::string::npos) << onward.out;
}

TEST_F(RunCommand, info_tells_what_is_in_a_trajectory) {
  ASSERT_EQ(
      run("run two.toml --set output.every=0.1 --set 'output.fields=[\"positions\", \"solver\"]'").exit_code,
      0);
  const Outcome info = run("info two.h5");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  for (const char* part : {"Two disks fall on a floor", "finished", "5, t = 0 to 0.4 s (steps 0 to 200)",
                           "residual", "left out      energies, velocities, contacts"})
    EXPECT_NE(info.out.find(part), std::string::npos) << part << " in\n" << info.out;
}

TEST_F(RunCommand, a_trajectory_is_drawn_as_one_picture_or_as_a_folder_of_them) {
  ASSERT_EQ(run("run two.toml --set output.every=0.1 --quiet").exit_code, 0);
  const Outcome one = run("render two.h5 --at 0.21 --velocities --out a.svg");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NE(one.out.find("t = 0.2 s"), std::string::npos) << one.out;
  ASSERT_EQ(run("render two.h5 --every 2 --width 300 --out frames").exit_code, 0);
  for (const char* name : {"frame-000000.png", "frame-000002.png", "frame-000004.png"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "frames" / name)) << name;
  EXPECT_EQ(run("render two.h5 --out a.jpg").exit_code, 2);
  EXPECT_EQ(run("render two.h5 --at 1 --every 2 --out frames").exit_code, 2);
  EXPECT_EQ(run("render two.toml --out a.png").exit_code, 2);
  EXPECT_EQ(run("render two.h5 --out nowhere/a.png").exit_code, 4);
}

TEST_F(RunCommand, a_contact_problem_of_a_step_is_exported_and_solved) {
  const Outcome made = run("fc export two.toml --at 190 --out p.hdf5");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(run("fc solve p.hdf5 --tolerance 1e-10").exit_code, 0);
  EXPECT_EQ(run("fc export two.toml --at 190 --form global --out g.hdf5").exit_code, 0);
  EXPECT_EQ(run("fc solve g.hdf5 --tolerance 1e-10").exit_code, 0);
  const Outcome early = run("fc export two.toml --at 0 --out e.hdf5");
  EXPECT_EQ(early.exit_code, 2) << early.out;
}

TEST_F(RunCommand, a_finished_run_goes_on_to_a_later_end) {
  ASSERT_EQ(run("run two.toml --until 0.75 --out whole.h5 --summary whole.json").exit_code, 0);
  ASSERT_EQ(run("run two.toml --out a.h5").exit_code, 0);
  const Outcome later = run("run two.toml --until 0.75 --out a.h5 --resume --summary a.json");
  EXPECT_EQ(later.exit_code, 0) << later.err;
  EXPECT_NE(later.err.find("going on at step 200"), std::string::npos) << later.err;
  EXPECT_EQ(summary("a.json")["state_hash"], summary("whole.json")["state_hash"]);
  EXPECT_EQ(summary("a.json")["steps"], 375);
  EXPECT_NE(run("info a.h5 --scene").out.find("until = 0.75"), std::string::npos);
  EXPECT_EQ(run("run two.toml --until 0.75 --out a.h5 --resume").exit_code, 0);  // nothing to do
  const Outcome earlier = run("run two.toml --until 0.5 --out a.h5 --resume");
  EXPECT_EQ(earlier.exit_code, 2);
  EXPECT_NE(earlier.err.find("beyond the end asked for"), std::string::npos) << earlier.err;
  EXPECT_EQ(run("run two.toml --out a.h5 --resume --force").exit_code, 2);
}

TEST_F(RunCommand, places_that_cannot_be_written_are_told_before_the_run) {
  for (const std::string option :
       {"--summary none/s.json", "--final-scene none/s.toml", "--csv none/s.csv"}) {
    const Outcome outcome = run("run two.toml " + option);
    EXPECT_EQ(outcome.exit_code, 4) << option;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "two.h5")) << option;
  }
}

}  // namespace
}  // namespace saltus::run_command_test
