// `saltus export` and `saltus import`, as a user calls them.
#include "apps/program.hpp"
#include "falling_ball.hpp"

namespace saltus::export_test {
namespace {

namespace fs = std::filesystem;

class Export : public ProgramTest {
 protected:
  // Two balls on a floor, 21 frames.
  void run_balls() const {
    write("balls.toml", R"(dimension = 3
gravity = [0, 0, -10]
[scheme]
h = 1e-3
[run]
until = 0.1
[output]
every = 0.005
[law]
friction = 0.5
[[bodies]]
name = "floor"
shape = { kind = "plane" }
fixed = true
[[bodies]]
name = "low"
shape = { kind = "sphere", radius = 0.1 }
position = [0, 0, 0.1]
[[bodies]]
name = "high"
shape = { kind = "sphere", radius = 0.1 }
position = [0, 0.02, 0.31]
[[bodies]]
name = "pendulum"
shape = { kind = "box", size = [0.05, 0.05, 0.1] }
position = [1, 0, 1]
[[joints]]
kind = "spherical"
bodies = ["pendulum"]
point = [1, 0, 1.05]
[[measures]]
kind = "body"
name = "high"
body = "high"
)");
    const Outcome outcome = run("run balls.toml --out t.h5 --quiet");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  std::vector<std::string> first_line(const std::string& file) const {
    std::istringstream stream(read_text(folder_ / file));
    std::string line, cell;
    std::getline(stream, line);
    std::istringstream cells(line);
    std::vector<std::string> names;
    while (std::getline(cells, cell, ',')) names.push_back(cell);
    return names;
  }
};

TEST_F(Export, series_are_chosen_by_name_and_joined_by_step) {
  run_balls();
  ASSERT_EQ(run("export t.h5 --csv all.csv").exit_code, 0);
  const std::vector<std::string> names = first_line("all.csv");
  for (const std::string name : {"step", "time", "high.z", "energy.kinetic", "solver.residual_rms"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  // Measures of every step and energies of every frame: 101 rows, energies in 21 of them.
  const std::string text = read_text(folder_ / "all.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 102);

  const Outcome some = run("export t.h5 --csv - --series energy.kinetic motion --from 0.05 --to 0.06");
  EXPECT_EQ(some.exit_code, 0) << some.err;
  EXPECT_EQ(some.out.rfind("step,time,energy.kinetic,motion.", 0), 0u) << some.out;
  EXPECT_EQ(std::count(some.out.begin(), some.out.end(), '\n'), 4) << some.out;
  const Outcome every = run("export t.h5 --csv - --series energy.kinetic --every 10");
  EXPECT_EQ(std::count(every.out.begin(), every.out.end(), '\n'), 4) << every.out;
  const Outcome wrong = run("export t.h5 --csv - --series energy.kinetick");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("no such series: got energy.kinetick"), std::string::npos) << wrong.err;
}

TEST_F(Export, nothing_is_overwritten_without_force_and_a_full_disk_exits_with_4) {
  run_balls();
  EXPECT_EQ(run("export t.h5").exit_code, 2);
  for (const std::string out : {"--csv x.csv", "--stl x.stl", "--obj x.obj", "--vtk x"}) {
    ASSERT_EQ(run("export t.h5 " + out).exit_code, 0) << out;
    const Outcome again = run("export t.h5 " + out);
    EXPECT_EQ(again.exit_code, 2) << out;
    EXPECT_NE(again.err.find("is there already: --force"), std::string::npos) << again.err;
    EXPECT_EQ(run("export t.h5 --force " + out).exit_code, 0) << out;
  }
  EXPECT_EQ(run("export t.h5 --force --csv t.h5").exit_code, 2);
  EXPECT_EQ(run("export t.h5 --csv y.csv --stl y.csv").exit_code, 2);
  // Files may have no more than 1024 bytes: a full disk to the program.
  write("full", "trap '' XFSZ\nulimit -f 1\n'" SALTUS_PROGRAM "' \"$@\" 2>.err\n");
  const std::string command = "cd '" + folder_.string() + "' && bash full export t.h5 --vtk v >/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 4) << read_text(folder_ / ".err");
  EXPECT_FALSE(fs::exists(folder_ / "v/t.pvd"));  // it would name files that are not there
}

TEST_F(Export, vtk_files_of_a_range_of_frames_are_named_in_one_series) {
  run_balls();
  const Outcome outcome = run("export t.h5 --vtk v --from 0.05 --every 4");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string series = read_text(folder_ / "v/t.pvd");
  std::size_t count = 0;
  for (std::size_t at = 0; (at = series.find("file=\"", at)) != std::string::npos; ++count) {
    at += 6;
    EXPECT_TRUE(fs::exists(folder_ / "v" / series.substr(at, series.find('"', at) - at)));
  }
  EXPECT_EQ(count, 3u * 6u);  // frames 10, 14, 18 of centres, bodies, walls, contacts, chains, joints
}

TEST_F(Export, vtk_itself_reads_the_files) {
  if (std::system("/usr/bin/python3 -c 'import vtk' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-vtk9 is not installed: the files are read by our own reader only";
  run_balls();
  ASSERT_EQ(run("export t.h5 --vtk v").exit_code, 0);
  write("read.py", R"(import glob, sys, vtk
from vtk.util.numpy_support import vtk_to_numpy
vtk.vtkObject.GlobalWarningDisplayOff()
def read(path):
    reader = vtk.vtkXMLUnstructuredGridReader() if path.endswith('vtu') else vtk.vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver('ErrorEvent', lambda o, e: errors.append(e))
    reader.SetFileName(path)
    reader.Update()
    assert not errors and reader.GetErrorCode() == 0, path
    return reader.GetOutput()
for path in sorted(glob.glob('v/*.vt?')): read(path)
last = read('v/centres-000020.vtp')
assert last.GetNumberOfVerts() == 3, last.GetNumberOfVerts()
assert abs(vtk_to_numpy(last.GetPointData().GetArray('radius'))[0] - 0.1) < 1e-7
bodies = read('v/bodies-000020.vtp')
normals = vtk.vtkPolyDataNormals()
mass = vtk.vtkMassProperties()
threshold = vtk.vtkThreshold()
triangles = vtk.vtkTriangleFilter()
keep = vtk.vtkPolyData()
only = vtk.vtkCellArray()
which = vtk_to_numpy(bodies.GetCellData().GetArray('body'))
for i in range(bodies.GetNumberOfCells()):
    if which[i] == 3: only.InsertNextCell(bodies.GetCell(i))
keep.SetPoints(bodies.GetPoints())
keep.SetPolys(only)
triangles.SetInputData(keep)
mass.SetInputConnection(triangles.GetOutputPort())
assert abs(mass.GetVolume() - 0.05 * 0.05 * 0.1) < 1e-9, mass.GetVolume()
contacts = read('v/contacts-000020.vtp')
joints = read('v/joints-000020.vtp')
assert joints.GetNumberOfLines() == 1 and contacts.GetNumberOfVerts() >= 2
assert abs(last.GetFieldData().GetArray('TimeValue').GetValue(0) - 0.1) < 1e-9
print('read')
)");
  const int status =
      std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 read.py >.out 2>.err").c_str());
  EXPECT_EQ(status, 0) << read_text(folder_ / ".err");
  EXPECT_EQ(read_text(folder_ / ".out"), "read\n");
}

TEST_F(Export, an_exported_state_imports_as_a_scene_that_runs) {
  run_balls();
  ASSERT_EQ(run("export t.h5 --stl s.stl --sides 12").exit_code, 0);
  const Outcome imported = run("import s.stl --walls --out s.toml");
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  const Outcome checked = run("check s.toml");
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  const Outcome ran = run("run s.toml --steps 3 --no-output --quiet");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

class Import : public ProgramTest {};

TEST_F(Import, text_data_and_dump_files_become_scenes_that_are_accepted_and_run) {
  std::string grains = "#format x_y_z_r\n",
              data = "title\n\n120 atoms\n0 10 xlo xhi\n0 12 ylo yhi\n0 3 zlo zhi\n\nAtoms # sphere\n\n";
  std::string dump =
      "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n120\nITEM: BOX BOUNDS ff ff ff\n0 10\n0 12\n0 3\nITEM: "
      "ATOMS id type x y z radius mass\n";
  for (int i = 0; i < 120; ++i) {
    const std::string place = std::to_string(0.5 + i % 10) + " " + std::to_string(0.5 + i / 10) + " 0.5 ";
    grains += place + "0.45\n";
    data += std::to_string(i + 1) + " 1 0.9 2500 " + place + "\n";
    dump += std::to_string(i + 1) + " 1 " + place + "0.45 900\n";
  }
  write("grains.txt", grains), write("grains.data", data), write("grains.dump", dump);
  for (const std::string kind : {"txt", "data", "dump"}) {
    const std::string scene = kind + ".toml";
    const Outcome imported = run("import grains." + kind + " --walls --out " + scene);
    ASSERT_EQ(imported.exit_code, 0) << kind << ": " << imported.err;
    EXPECT_NE(imported.out.find("120 spheres"), std::string::npos) << imported.out;
    EXPECT_EQ(run("check " + scene).exit_code, 0) << kind;
    const Outcome ran = run("run " + scene + " --steps 3 --out " + kind + ".h5 --quiet");
    EXPECT_EQ(ran.exit_code, 0) << kind << ": " << ran.err;
    EXPECT_EQ(run("import grains." + kind + " --walls --out " + scene).exit_code, 2) << "overwritten";
  }
}

TEST_F(Import, what_cannot_be_read_is_told_with_its_line) {
  write("bad.txt", "0 0 0 1\n0 0 two 1\n");
  const Outcome outcome = run("import bad.txt --out bad.toml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("bad.txt:2: z: got 'two'"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "bad.toml"));
  EXPECT_EQ(run("import none.txt --out bad.toml").exit_code, 2);
  EXPECT_EQ(run("import . --out bad.toml").exit_code, 2);
}

}  // namespace
}  // namespace saltus::export_test
