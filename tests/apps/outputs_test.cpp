// Outputs of every command: nothing is lost, nothing is silent.
#include <sys/stat.h>

#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::outputs_test {
namespace {

namespace fs = std::filesystem;

class Outputs : public ProgramTest {
 protected:
  Outputs() { write("fall.toml", falling_ball("until = 0.02", "measure_every = 10")); }
  void make_trajectory() const { ASSERT_EQ(run("run fall.toml --out t.h5 --quiet").exit_code, 0); }
  bool is_pipe(const std::string& name) const { return fs::is_fifo(folder_ / name); }

  // The command refuses, and the file is as it was.
  void expect_kept(const std::string& file, const std::string& arguments, const std::string& said) const {
    const std::string before = read_text(folder_ / file);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << arguments << ": " << outcome.err;
    EXPECT_EQ(read_text(folder_ / file), before) << arguments;
  }
};

TEST_F(Outputs, an_input_is_never_overwritten_also_by_force_and_through_links) {
  make_trajectory();
  fs::create_symlink("fall.toml", folder_ / "link.toml");
  fs::create_hard_link(folder_ / "t.h5", folder_ / "hard.h5");
  const std::string said = "would overwrite an input";
  for (const std::string option : {"--summary", "--csv", "--final-scene", "--out"})
    for (const std::string name : {"fall.toml", "link.toml", "../$(basename $PWD)/fall.toml"})
      expect_kept("fall.toml", "run fall.toml --force " + option + " " + name, said);
  expect_kept("t.h5", "measure t.h5 motion --force --out t.h5", said);
  expect_kept("t.h5", "measure t.h5 motion --force --out hard.h5", said);
  expect_kept("fall.toml", "fc export fall.toml --at 1 --force --out fall.toml", said);
  fs::copy_file(folder_ / "t.h5", folder_ / "t.png");
  expect_kept("t.png", "render t.png --force --out ./t.png", said);
  fs::copy_file(folder_ / "t.h5", folder_ / "t.svg");
  expect_kept("t.svg", "plot t.svg ball.y --force --out t.svg", said);
}

TEST_F(Outputs, a_file_that_a_scene_names_is_an_input_too) {
  write("load.txt", "0 0\n1 2\n");
  write("named.toml", falling_ball("until = 0.02", "") +
                          "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [5, 0]\n"
                          "force = { x = { file = \"load.txt\" } }\n");
  expect_kept("load.txt", "run named.toml --force --csv load.txt", "would overwrite an input");
}

TEST_F(Outputs, a_file_whose_name_ends_in_part_is_not_touched) {
  make_trajectory();
  const std::string names[] = {"s.json", "m.csv", "f.toml", "p.png", "g.svg", "c.hdf5"};
  write("one.dat", kOneContact);
  for (const std::string& name : names) write(name + ".part", "mine");
  const std::string commands[] = {
      "run fall.toml --no-output --summary s.json --csv m.csv --final-scene f.toml",
      "render t.h5 --out p.png", "plot t.h5 energy --out g.svg", "fc solve one.dat --out c.hdf5"};
  for (const std::string& command : commands) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command << ": " << outcome.err;
  }
  for (const std::string& name : names) {
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
    EXPECT_EQ(read_text(folder_ / (name + ".part")), "mine") << name;
    EXPECT_FALSE(fs::exists(folder_ / (name + ".1.part"))) << name;
  }
}

TEST_F(Outputs, two_outputs_do_not_share_a_file) {
  for (const std::string options : {"--out o.h5 --summary o.h5", "--summary a --csv ./a",
                                    "--csv a --final-scene a", "--out o.h5 --csv o.h5.checkpoint"}) {
    const Outcome outcome = run("run fall.toml " + options);
    EXPECT_EQ(outcome.exit_code, 2) << options << ": " << outcome.err;
    EXPECT_FALSE(fs::exists(folder_ / "o.h5")) << options;
  }
}

TEST_F(Outputs, an_existing_file_is_overwritten_only_by_force) {
  make_trajectory();
  write("precious", "precious");
  write("precious.png", "precious");
  const std::string said = "is there already";
  expect_kept("precious", "run fall.toml --out a.h5 --summary precious", said);
  expect_kept("precious", "run fall.toml --out a.h5 --csv precious", said);
  expect_kept("precious", "run fall.toml --out a.h5 --final-scene precious", said);
  expect_kept("precious", "run fall.toml --out a.h5 --resume --summary precious", said);
  expect_kept("precious", "run fall.toml --out precious", said);
  expect_kept("precious", "measure t.h5 motion --out precious", said);
  expect_kept("precious", "fc export fall.toml --at 1 --out precious", said);
  expect_kept("precious.png", "render t.h5 --out precious.png", said);
  expect_kept("precious.png", "plot t.h5 ball.y --out precious.png", said);
  fs::create_directory(folder_ / "frames");
  write("frames/frame-000000.png", "precious");
  expect_kept("frames/frame-000000.png", "render t.h5 --every 1 --width 200 --out frames", said);
  write("one.dat", kOneContact);
  expect_kept("precious", "fc solve one.dat --out precious", said);
  fs::create_directory(folder_ / "results");
  fs::create_directory(folder_ / "data");
  write("data/one.dat", kOneContact);
  write("results/comparison.csv", "precious");
  expect_kept("results/comparison.csv", "fc compare data --solvers nlgs --tolerance 1e-3 --out results",
              said);
  write("results/s.csv", "precious");
  write("s.toml",
        "scene = \"fall.toml\"\n[[parameters]]\nname = \"h\"\nvalues = [1e-3]\nkeys = [\"scheme.h\"]\n");
  expect_kept("results/s.csv", "study s.toml --out results", said);
  EXPECT_EQ(run("measure t.h5 motion --force --out precious").exit_code, 0);
  EXPECT_NE(read_text(folder_ / "precious"), "precious");
}

TEST_F(Outputs, what_is_no_regular_file_is_never_replaced) {
  make_trajectory();
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder_ / "pipe.png").c_str(), 0600), 0);
  // A trajectory and a contact problem cannot go down a pipe.
  for (const std::string arguments : {"run fall.toml --out pipe", "run fall.toml --force --out pipe",
                                      "fc export fall.toml --at 1 --force --out pipe"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << ": " << outcome.err;
    EXPECT_TRUE(is_pipe("pipe")) << arguments;
  }
  // Texts and pictures can.
  const auto received = [&](const std::string& arguments, const std::string& pipe) {
    const std::string command = "cd '" + folder_.string() + "' && { timeout 20 cat " + pipe +
                                " > got & timeout 20 '" SALTUS_PROGRAM "' " + arguments +
                                " >.out 2>.err; wait; }";
    EXPECT_EQ(std::system(command.c_str()), 0) << arguments << ": " << read_text(folder_ / ".err");
    EXPECT_TRUE(is_pipe(pipe)) << arguments;
    return read_text(folder_ / "got");
  };
  EXPECT_NE(received("run fall.toml --no-output --force --summary pipe", "pipe").find("state_hash"),
            std::string::npos);
  EXPECT_EQ(received("run fall.toml --no-output --csv pipe", "pipe").rfind("step,time", 0), 0u);
  EXPECT_EQ(received("run fall.toml --no-output --final-scene pipe", "pipe").rfind("# The end of", 0), 0u);
  EXPECT_EQ(received("measure t.h5 motion --force --out pipe", "pipe").rfind("step,time", 0), 0u);
  EXPECT_EQ(received("render t.h5 --width 200 --force --out pipe.png", "pipe.png").substr(1, 3), "PNG");
}

TEST_F(Outputs, a_link_is_followed_and_stays_a_link) {
  fs::create_directory(folder_ / "far");
  for (const std::string name : {"t.h5", "s.json", "m.csv"})
    fs::create_symlink("far/" + name, folder_ / name);
  const Outcome outcome = run("run fall.toml --out t.h5 --summary s.json --csv m.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const std::string name : {"t.h5", "s.json", "m.csv"}) {
    EXPECT_TRUE(fs::is_symlink(folder_ / name)) << name;
    EXPECT_TRUE(fs::is_regular_file(folder_ / "far" / name)) << name;
  }
  EXPECT_EQ(run("info t.h5").exit_code, 0);
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(run("run fall.toml --no-output --summary circle").exit_code, 4);
}

TEST_F(Outputs, a_run_without_output_leaves_no_file) {
  const Outcome quiet = run("run fall.toml --no-output");
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_NE(quiet.out.find("state hash"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "fall.h5"));
  EXPECT_EQ(run("run fall.toml --no-output --out a.h5").exit_code, 2);
  EXPECT_EQ(run("run fall.toml --no-output --resume").exit_code, 2);
}

TEST_F(Outputs, a_dash_is_standard_output) {
  const Outcome summary = run("run fall.toml --no-output --summary -");
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  EXPECT_TRUE(nlohmann::json::parse(summary.out, nullptr, false).is_object()) << summary.out;
  const Outcome csv = run("run fall.toml --out t.h5 --csv -");
  EXPECT_EQ(csv.out, run("measure t.h5 --stored").out);
  EXPECT_EQ(run("run fall.toml --no-output --csv -").out, csv.out);
  EXPECT_EQ(run("run fall.toml --no-output --csv - --summary -").exit_code, 2);
  EXPECT_EQ(run("run fall.toml --out -").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "-"));
}

TEST_F(Outputs, a_full_disk_under_a_picture_or_a_figure_is_told) {
  make_trajectory();
  // Files may have no more than 4096 bytes (bash counts in blocks of 1024): a full disk to the program. What
  // it says goes down a pipe, which has no such limit.
  write("full", "trap '' XFSZ\nulimit -f 4\n'" SALTUS_PROGRAM
                "' \"$@\" 2>&1 >/dev/null | cat\nexit ${PIPESTATUS[0]}\n");
  const auto exit_when_full = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder_.string() + "' && bash full " + arguments + " >/dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  for (const std::string ending : {"pdf", "png", "svg"}) {
    EXPECT_EQ(exit_when_full("render t.h5 --out x." + ending), 4) << ending;
    EXPECT_FALSE(fs::exists(folder_ / ("x." + ending)));
  }
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(exit_when_full("plot t.h5 ball.y --out y.png"), 4);
  EXPECT_FALSE(fs::exists(folder_ / "y.png"));
}

// No file may grow at all; what the program says goes down a pipe, which has no such limit.
TEST_F(Outputs, on_a_full_disk_a_study_and_a_problem_say_so_and_nothing_else_speaks) {
  write("one.dat", kOneContact);
  ASSERT_EQ(run("fc solve one.dat --out one.hdf5").exit_code, 0);
  write("s.toml",
        "scene = \"fall.toml\"\n[[parameters]]\nname = \"h\"\nvalues = [1e-3]\nkeys = [\"scheme.h\"]\n");
  const auto said_when_full = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder_.string() +
                                "' && { trap '' XFSZ; ulimit -f 0; exec '" SALTUS_PROGRAM "' " + arguments +
                                " 2>&1 >/dev/null; } | cat > said";
    EXPECT_EQ(std::system(("bash -c \"" + command + "\"").c_str()), 0);
    return read_text(folder_ / "said");
  };
  const std::string study = said_when_full("study s.toml");
  EXPECT_NE(study.find("its output cannot be written, nor could its log"), std::string::npos) << study;
  const std::string problem = said_when_full("fc solve one.hdf5 --out two.hdf5");
  EXPECT_NE(problem.find("two.hdf5: cannot be written"), std::string::npos) << problem;
  EXPECT_EQ(problem.find("infinite loop"), std::string::npos) << problem;
}

TEST_F(Outputs, a_name_that_is_too_long_is_told_by_the_system) {
  const std::string name(300, 'x');
  for (const std::string option : {"--out ", "--no-output --summary ", "--no-output --csv "}) {
    const Outcome outcome = run("run fall.toml " + option + name);
    EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
    EXPECT_EQ(outcome.err.find("fault of the program"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run("info " + name).exit_code, 2);
  EXPECT_EQ(run("run " + name).exit_code, 2);
}

TEST_F(Outputs, a_final_scene_is_there_before_its_run_is_finished) {
  ASSERT_EQ(run("run fall.toml --out t.h5 --final-scene end.toml").exit_code, 0);
  EXPECT_EQ(run("run fall.toml --out t.h5 --resume --final-scene end.toml").exit_code, 0);
  fs::remove(folder_ / "end.toml");
  const Outcome late = run("run fall.toml --out t.h5 --resume --final-scene end.toml");
  EXPECT_EQ(late.exit_code, 2) << "the state is gone: " << late.err;
}

}  // namespace
}  // namespace saltus::outputs_test
