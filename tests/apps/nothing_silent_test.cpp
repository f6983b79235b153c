// What the program must not pass over: fields that were not stored, files that are not its own, ends that steps do not reach.
#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::nothing_silent_test {
namespace {

class NothingSilent : public ProgramTest {
 protected:
  void expect(const std::string& arguments, int exit_code, const std::vector<std::string>& told) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments << ": " << outcome.err;
    for (const std::string& words : told)
      EXPECT_NE(outcome.err.find(words), std::string::npos)
          << arguments << ": " << words << " in " << outcome.err;
  }
  std::string read(const std::string& name) const { return read_text(folder_ / name); }
};

const std::string kLayer =
    "dimension = 2\ngravity = [0, -10]\n[scheme]\nh = 1e-3\n[run]\nuntil = 0.02\n[law]\nfriction = 0.5\n"
    "[[bodies]]\nname = \"floor\"\nshape = { kind = \"half-plane\" }\nfixed = true\n"
    "[[bodies]]\nname = \"ball\"\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [0, 0.1]\n";

TEST_F(NothingSilent, what_was_not_stored_is_refused_in_pictures_with_the_field_to_store) {
  write("s.toml", kLayer + "[output]\nfields = [\"positions\"]\n");
  ASSERT_EQ(run("run s.toml --out p.h5").exit_code, 0);
  const std::string how = "in output.fields";
  for (const std::string colour : {"velocity", "velocity.x", "spin"})
    expect("render p.h5 --out p.png --colour " + colour, 2, {colour, "the field velocities", how});
  for (const std::string colour : {"pressure", "force", "status"})
    expect("render p.h5 --out p.png --colour " + colour, 2, {colour, "the field contacts", how});
  expect("render p.h5 --out p.png --velocities", 2, {"--velocities", "the field velocities", how});
  expect("render p.h5 --out p.png --contacts", 2, {"--contacts", "the field contacts", how});
  expect("render p.h5 --out p.png --chains", 2, {"--chains", "the field contacts", how});
  // Chains that nobody asked for are left out, with a word.
  expect("render p.h5 --out p.png", 0, {"no force chains", "the field contacts"});
  expect("render p.h5 --out d.png --colour displacement", 0, {});
  expect("export p.h5 --html p.html --fields velocity", 2, {"velocity", "the field velocities", how});
  expect("export p.h5 --html p.html", 0, {});
  expect("export p.h5 --csv - --series energy", 2, {"the field energies", how});
  expect("plot p.h5 energy.kinetic --out e.csv", 2, {"the field energies", how});
}

TEST_F(NothingSilent, paraview_gets_no_array_of_what_was_not_stored) {
  write("s.toml", kLayer + "[output]\nfields = [\"positions\"]\n");
  ASSERT_EQ(run("run s.toml --out p.h5").exit_code, 0);
  expect("export p.h5 --vtk p", 0,
         {"left out", "velocity (needs the field velocities)", "pressure (needs the field contacts)"});
  const std::string centres = read("p/centres-000000.vtp");
  EXPECT_NE(centres.find("Name=\"displacement\""), std::string::npos);
  for (const char* array : {"velocity", "spin", "pressure", "status", "force_sum"})
    EXPECT_EQ(centres.find("Name=\"" + std::string(array) + "\""), std::string::npos) << array;
  write("all.toml", kLayer);
  ASSERT_EQ(run("run all.toml --out a.h5").exit_code, 0);
  const Outcome all = run("export a.h5 --vtk a");
  EXPECT_EQ(all.err.find("left out"), std::string::npos) << all.err;
  EXPECT_NE(read("a/centres-000000.vtp").find("Name=\"pressure\""), std::string::npos);
}

TEST_F(NothingSilent, a_picture_of_nothing_and_an_option_without_effect_are_told) {
  write("s.toml", kLayer);
  ASSERT_EQ(run("run s.toml --out p.h5").exit_code, 0);
  expect("render p.h5 --out p.png --region 5 5 6 6", 2, {"--region", "nothing of the scene is there"});
  expect("render p.h5 --out q.png --magnify 10", 0, {"--magnify", "changes nothing"});
  expect("render p.h5 --out c.png --full-force 1 --colour velocity", 0,
         {"force chains, which are not drawn"});
  const Outcome help = run("render --help");
  EXPECT_NE(help.out.find("--region X Y (Z) X Y (Z)"), std::string::npos) << help.out;
  EXPECT_NE(help.out.find("--target X Y (Z)"), std::string::npos) << help.out;
}

TEST_F(NothingSilent, files_beside_the_output_that_no_run_left_stay_as_they_are) {
  write("s.toml", kLayer);
  write("mine", "x\n");
  std::filesystem::create_symlink("mine", folder_ / "q.h5.next");
  expect("run s.toml --out q.h5", 2, {"q.h5.next", "another --out"});
  expect("run s.toml --out q.h5 --force", 2, {"q.h5.next"});
  EXPECT_EQ(read("mine"), "x\n");
  for (const std::string ending : {".next", ".checkpoint", ".lock"}) {
    write("r.h5" + ending, "my own text\n");
    expect("run s.toml --out r.h5", 2, {"r.h5" + ending});
    EXPECT_EQ(read("r.h5" + ending), "my own text\n");
    std::filesystem::remove(folder_ / ("r.h5" + ending));
  }
  // What a run that was killed leaves: the beginning of such files.
  write("r.h5.next", "\x89H"), write("r.h5.checkpoint", "saltusc4 and more"), write("r.h5.lock", "");
  expect("run s.toml --out r.h5", 0, {});
}

TEST_F(NothingSilent, steps_that_do_not_lead_to_the_end_are_told) {
  write("fall.toml", falling_ball("until = 0.1", ""));
  for (const std::string command : {"run fall.toml --no-output", "check fall.toml"})
    expect(command + " --set scheme.h=0.2", 2, {"run.until", "no step", "0.2"});
  expect("run fall.toml --no-output --set scheme.h=0.03", 0, {"no multiple of scheme.h", "t = 0.09 s"});
  const Outcome fits = run("run fall.toml --no-output --set scheme.h=0.02");
  EXPECT_EQ(fits.err.find("multiple"), std::string::npos) << fits.err;
  expect("run fall.toml --no-output --dt 0.2 --until 1", 0, {});
}

TEST_F(NothingSilent, results_of_another_scene_are_not_collected) {
  write("fall.toml", falling_ball("until = 0.1", "measure_every = 10"));
  write("st.toml",
        "scene = \"fall.toml\"\n[[parameters]]\nname = \"g\"\nvalues = [-5, -10]\nkeys = [\"gravity.1\"]\n"
        "[[collect]]\nname = \"speed\"\nmeasure = \"ball.velocity_y\"\n");
  ASSERT_EQ(run("study st.toml").exit_code, 0);
  ASSERT_EQ(run("study st.toml --collect").exit_code, 0);
  const std::string before = read("st/st.csv");
  write("fall.toml", falling_ball("until = 0.1", "measure_every = 10") + "[materials.stone]\ndensity = 3\n");
  expect("study st.toml --collect", 3, {"has changed", "materials", "--force"});
  EXPECT_EQ(read("st/st.csv"), before);
  write("fall.toml", falling_ball("until = 0.05", "measure_every = 10"));
  expect("study st.toml --collect", 3, {"beyond the end", "--force"});
  write("fall.toml", falling_ball("until = 0.2", "measure_every = 10"));
  expect("study st.toml --collect", 3, {"ended before"});
  EXPECT_EQ(read("st/st.csv"), before);
}

TEST_F(NothingSilent, a_scene_of_the_library_printed_from_its_trajectory_finds_its_files) {
  ASSERT_EQ(run("run couette --out c.h5 --steps 1").exit_code, 0);
  const Outcome scene = run("info c.h5 --scene");
  write("mine.toml", scene.out);
  expect("run mine.toml --no-output --steps 1", 0, {"couette-start.toml is taken from the library"});
  expect("run mine.toml --no-output --steps 1 --set generate.0.file='\"nowhere.toml\"'", 2, {"nowhere.toml"});
}

TEST_F(NothingSilent, a_full_standard_output_is_an_output_that_cannot_be_written) {
  write("s.toml", kLayer);
  ASSERT_EQ(run("run s.toml --out p.h5").exit_code, 0);
  const std::string program = "cd '" + folder_.string() + "' && '" SALTUS_PROGRAM "' measure p.h5 motion";
  const int status = std::system((program + " > /dev/full 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

TEST_F(NothingSilent, empty_names_tables_and_forces_without_effect_are_told) {
  write("s.toml", kLayer);
  expect("run s.toml --out ''", 2, {"--out", "without a name"});
  expect("run s.toml --out=", 2, {"--out", "without a name"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.h5"));
  write("none.csv", "x,y,r\n");
  write("csv.toml", kLayer + "[[generate]]\nkind = \"particles\"\nfile = \"none.csv\"\n");
  expect("run csv.toml --no-output", 0, {"none.csv has no row"});
  write("force.toml", kLayer + "locked = [\"x\"]\nforce = { x = 3, y = 1 }\n");
  expect("run force.toml --no-output", 0, {"force.x changes nothing", "locked"});
  // A drive does not begin with another velocity than its own; the same one is no contradiction.
  const std::string belt =
      "--set bodies.0.fixed=false --set 'bodies.0.locked=[\"y\",\"rz\"]' --set "
      "'bodies.0.drive={x={velocity=\"1 + t\"}}' --set bodies.0.velocity=";
  expect("check s.toml " + belt + "[2,0]", 0,
         {"velocity along x changes nothing", "begins with 1 instead of 2"});
  EXPECT_EQ(run("check s.toml " + belt + "[1,0]").err.find("changes nothing"), std::string::npos);
  expect("run s.toml --no-output --set bodies.0.force.y=3", 0, {"force.y changes nothing", "fixed"});
  expect("check s.toml --set 'law.kind=\"hertz\"'", 2, {"stiffness_normal", "hertz"});
}

// Two cubes: one by name, the other open.
TEST_F(NothingSilent, imported_surfaces_keep_their_names_and_holes_are_told) {
  const std::string corners =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "v 3 0 0\nv 4 0 0\nv 4 1 0\nv 3 1 0\nv 3 0 1\nv 4 0 1\nv 4 1 1\nv 3 1 1\n";
  const std::string first = "o ball\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const std::string second =
      "o tray\nf 12 11 10 9\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n";
  write("t.obj", corners + first + second + "f 13 14 15 16\n");
  expect("import t.obj --out closed.toml", 0, {});
  for (const char* name : {"\"ball\"", "\"tray\""})
    EXPECT_NE(read("closed.toml").find(name), std::string::npos) << name;
  write("t.obj", corners + first + second);
  expect("import t.obj --out open.toml", 0, {"tray", "4 open edges"});
}

}  // namespace
}  // namespace saltus::nothing_silent_test
