// Pictures, films and figures, as a user asks for them.
#include <map>

#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::pictures_test {
namespace {

namespace fs = std::filesystem;

class Pictures : public ProgramTest {
 protected:
  Pictures() { write("fall.toml", falling_ball("until = 0.02", "every = 0.002")); }
  void make_trajectory() const { ASSERT_EQ(run("run fall.toml --out t.h5 --quiet").exit_code, 0); }
  static bool has_program(const std::string& name) {
    return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
  }
};

TEST_F(Pictures, every_field_trail_and_view_draws_and_a_wrong_name_is_told) {
  make_trajectory();
  for (const std::string field : {"velocity", "velocity.y", "displacement", "rotation", "spin", "pressure",
                                  "force", "body", "material", "status"}) {
    const Outcome outcome = run("render t.h5 --width 300 --force --out p.svg --colour " + field);
    EXPECT_EQ(outcome.exit_code, 0) << field << ": " << outcome.err;
  }
  EXPECT_EQ(run("render t.h5 --width 300 --out q.png --trails inf --only ball --zoom 2 --contacts").exit_code,
            0);
  EXPECT_EQ(run("render t.h5 --width 300 --out r.png --region -1 -1 1 1 --target 0 -0.1").exit_code, 0);
  const auto told = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = run("render t.h5 --width 300 --out z.png " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << arguments << ": " << outcome.err;
  };
  told("--colour velocty", "did you mean velocity?");
  told("--only bal", "got bal (did you mean ball?)");
  told("--trails 1 --trails-of bal", "did you mean ball?");
  told("--region 0 0 1", "");
  told("--region 0 0 0 1", "the first below the second");
  told("--range 2 1 --colour velocity", "the first below the second");
  for (const std::string option : {"--eye 1 2 3", "--azimuth 30", "--elevation 30", "--angle 30"})
    told(option, "is for scenes of space");
  told("--range 1 2", "--range requires --colour");
  told("--trails-of ball", "--trails-of requires --trails");
  told("--every 2", "many pictures go into a folder");
  told("--from 1", "are for folders and films");
  told("--at 7", "got 7, allowed: 0 to 0.02 s");
  EXPECT_FALSE(fs::exists(folder_ / "z.png"));
}

// Crosses and chains hide each other: who asks for one gets one, who asks for both gets both. An option of chains tells which it was.
TEST_F(Pictures, crosses_of_stresses_have_chains_only_where_they_are_asked_for) {
  ASSERT_EQ(run("run elastic-wall --set run.until=4e-4 --out wall.h5 --quiet").exit_code, 0);
  const std::string drawn = "render wall.h5 --width 300 --force --out s.png --full-force 1 ";
  const std::string word = "force chains, which are not drawn";
  EXPECT_EQ(run(drawn).err.find(word), std::string::npos);
  EXPECT_NE(run(drawn + "--stresses bodies").err.find(word), std::string::npos);
  EXPECT_EQ(run(drawn + "--stresses bodies --chains").err.find(word), std::string::npos);
}

TEST_F(Pictures, a_misspelt_quantity_is_told_with_its_neighbour) {
  make_trajectory();
  const Outcome outcome = run("plot t.h5 energy.kinetc --out z.svg");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("did you mean energy.kinetic?"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("did not measure"), std::string::npos) << outcome.err;
  const Outcome group = run("plot t.h5 energi --out z.svg");
  EXPECT_NE(group.err.find("did you mean energy?"), std::string::npos) << group.err;
  // Measures that the run did not take are no misspelling.
  for (const std::string words : {"stress.sin_phi", "energy.kinetic --x strain.y"}) {
    const Outcome missing = run("plot t.h5 --out z.svg " + words);
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_NE(missing.err.find("did not measure"), std::string::npos) << missing.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / "z.svg"));
}

TEST_F(Pictures, a_film_needs_ffmpeg_and_says_so) {
  make_trajectory();
  const Outcome missing = run("render t.h5 --width 200 --movie m.mp4", "PATH=/nowhere");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("ffmpeg is not installed"), std::string::npos) << missing.err;
  EXPECT_EQ(run("render t.h5 --movie m.avi").exit_code, 2);
  if (!has_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed: no film is made";
  for (const std::string ending : {"mp4", "webm", "gif"}) {
    const Outcome outcome = run("render t.h5 --width 200 --from 0.01 --movie m." + ending);
    ASSERT_EQ(outcome.exit_code, 0) << ending << ": " << outcome.err;
    EXPECT_NE(outcome.out.find("6 pictures"), std::string::npos) << outcome.out;
    EXPECT_GT(fs::file_size(folder_ / ("m." + ending)), 500u) << ending;
    EXPECT_FALSE(fs::exists(folder_ / ("m." + ending + ".part")));
    EXPECT_EQ(run("render t.h5 --width 200 --movie m." + ending).exit_code, 2) << "overwritten";
  }
  const std::string gif = read_text(folder_ / "m.gif");
  EXPECT_EQ(gif.substr(0, 3), "GIF");
  EXPECT_EQ(static_cast<unsigned char>(gif[6]) + 256 * static_cast<unsigned char>(gif[7]), 200);
}

TEST_F(Pictures, a_film_on_a_full_disk_exits_with_4_and_leaves_nothing) {
  if (!has_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed: no film is made";
  make_trajectory();
  write("full", "trap '' XFSZ\nulimit -f 1\n'" SALTUS_PROGRAM "' \"$@\" 2>.err\n");
  const std::string command = "cd '" + folder_.string() +
                              "' && bash full render t.h5 --width 400 --trails inf --movie m.gif >/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 4) << read_text(folder_ / ".err");
  EXPECT_FALSE(fs::exists(folder_ / "m.gif"));
  EXPECT_FALSE(fs::exists(folder_ / "m.gif.part"));
}

TEST_F(Pictures, plots_take_several_files_and_running_means) {
  make_trajectory();
  ASSERT_EQ(run("run fall.toml --until 0.01 --out u.h5 --quiet").exit_code, 0);
  const Outcome both = run("plot t.h5 u.h5 ball.y --out both.csv");
  ASSERT_EQ(both.exit_code, 0) << both.err;
  const std::string text = read_text(folder_ / "both.csv");
  EXPECT_NE(text.find("\nt,"), std::string::npos) << text.substr(0, 200);
  EXPECT_NE(text.find("\nu,"), std::string::npos);
  // v = -10 t is linear: where the window of 4 ms is whole, its mean is the value in the middle.
  ASSERT_EQ(run("plot t.h5 ball.velocity_y --running 0.004 --out mean.csv").exit_code, 0);
  std::istringstream lines(read_text(folder_ / "mean.csv"));
  std::string line;
  std::getline(lines, line);
  int whole = 0;
  while (std::getline(lines, line)) {
    double t = 0, v = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%*[^,],%lf,%lf", &t, &v), 2) << line;
    if (t < 0.00299 || t > 0.01801) continue;  // the first row is that of 1 ms
    ++whole;
    EXPECT_NEAR(v, -10 * t, 1e-12);
  }
  EXPECT_EQ(whole, 16);
  EXPECT_EQ(run("plot t.h5 --out x.csv").exit_code, 2);
  EXPECT_EQ(run("plot ball.y --out x.csv").exit_code, 2);
}

// Every scheme draws its energies, and what is drawn balances: the sum of what is stored changes by what was done.
TEST_F(Pictures, energies_of_every_scheme_are_drawn_and_balance) {
  for (const std::string scheme : {"moreau-jean", "moreau-jean-projected", "schatzman-paoli",
                                   "generalized-alpha", "newmark", "hht", "event-driven"}) {
    const Outcome ran =
        run("run two-ball-oscillator --until 1 --quiet --force --out e.h5 --set 'scheme={kind=\"" + scheme +
            "\",h=2e-3}'");
    ASSERT_EQ(ran.exit_code, 0) << scheme << ran.err;
    for (const char* out : {"e.svg", "e.csv"}) {
      const Outcome drawn = run(std::string("plot e.h5 energy --force --out ") + out);
      ASSERT_EQ(drawn.exit_code, 0) << scheme << drawn.err;
    }
    EXPECT_NE(read_text(folder_ / "e.svg").find("kinetic"), std::string::npos) << scheme;
    std::istringstream lines(read_text(folder_ / "e.csv"));
    std::map<std::string, std::vector<double>> series;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t first = line.find(','), second = line.find(',', first + 1);
      series[line.substr(0, first)].push_back(std::stod(line.substr(second + 1)));
    }
    ASSERT_GT(series["energy.kinetic"].size(), 100u) << scheme;
    // 20 J at the start. Between events the other one integrates to its tolerance.
    for (const double defect : series["energy.defect"])
      EXPECT_LT(std::abs(defect), scheme == "event-driven" ? 1e-6 : 1e-10) << scheme;
  }
}

}  // namespace
}  // namespace saltus::pictures_test
