// Measures against closed forms, in runs and from trajectories.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "falling_ball.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::measure_test {
namespace {

RunResult run(const std::string& text, const std::string& output, const RunOptions& given = {},
              bool* ended = nullptr) {
  const SceneFile file = parse_scene(text, "test.toml");
  RunOptions options = given;
  options.output = output;
  options.scene_text = file.text;
  options.show_progress = false;
  return std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) {
        return run_to_file<Dim>(scene, options, [&](const Simulation<Dim>&) {
          if (ended) *ended = true;
        });
      },
      file.scene);
}

// The rows of a whole run.
MeasureTable measured(const std::string& text) {
  const TemporaryFolder folder;
  run(text, folder.path("run.h5"));
  return read_tables(folder.path("run.h5")).measures;
}

double last(const MeasureTable& table, const std::string& column) {
  const int at = table.find(column);
  EXPECT_GE(at, 0) << column;
  return at < 0 ? 0 : table.at(table.rows() - 1, static_cast<std::size_t>(at));
}

// [[measures]] of some kinds, each with its own keys and those they share.
std::string measures(const std::vector<std::pair<std::string, std::string>>& kinds,
                     const std::string& shared = "") {
  std::string text;
  for (const auto& [kind, keys] : kinds)
    text += "[[measures]]\nkind = \"" + kind + "\"\n" + keys + "\n" + shared + "\n";
  return text;
}

// Bodies at rest under gravity of 10 m/s2, 20 steps.
const std::string kAtRest = R"([scheme]
h = 1e-3
[solver]
tolerance_velocity = 1e-14
[run]
until = 0.02
[law]
friction = 0.5
)";

// Two disks of radius 0.1 m in a row, pushed by a wall with 50 N against another one.
const std::string kRow =
    R"(
dimension = 2
[scheme]
h = 1e-3
[solver]
tolerance_velocity = 1e-14
[run]
until = 0.05
[law]
friction = 0.3
[[bodies]]
name = "left"
shape = { kind = "half-plane", normal = [1, 0] }
fixed = true
[[bodies]]
name = "base"
shape = { kind = "half-plane" }
position = [0, -0.1]
fixed = true
[[bodies]]
name = "lid"
shape = { kind = "half-plane", normal = [0, -1] }
position = [0, 0.1]
fixed = true
[[bodies]]
name = "right"
shape = { kind = "half-plane", normal = [-1, 0] }
position = [0.4, 0]
force = { x = -50 }
mass = 1
inertia = 1
locked = ["y", "rz"]
[[bodies]]
name = "a"
shape = { kind = "disk", radius = 0.1 }
position = [0.1, 0]
[[bodies]]
name = "b"
shape = { kind = "disk", radius = 0.1 }
position = [0.3, 0]
)" +
    measures({{"stress", ""}, {"wall", "name = \"push\"\nbody = \"right\""}, {"packing", ""}, {"strain", ""}},
             "region = { walls = [\"left\", \"right\", \"base\", \"lid\"] }") +
    measures({{"coordination", ""}, {"fabric", ""}});

TEST(Measure, two_disks_between_walls_have_the_stress_of_the_wall) {
  const MeasureTable table = measured(kRow);
  ASSERT_EQ(table.rows(), 50u);
  // 50 N over the height of 0.2 m. The solver leaves 1e-14 m/s on bodies of 1 kg and more: forces to 1e-10 N.
  EXPECT_NEAR(last(table, "stress.xx"), 250, 1e-8);
  EXPECT_NEAR(last(table, "push.stress"), 250, 1e-8);
  EXPECT_NEAR(last(table, "push.force_x"), 50, 1e-9);
  EXPECT_NEAR(last(table, "stress.yy"), 0, 1e-8);
  EXPECT_NEAR(last(table, "stress.xy"), 0, 1e-8);
  EXPECT_NEAR(last(table, "stress.sin_phi"), 1, 1e-9);
  EXPECT_NEAR(last(table, "packing.solid_fraction"), std::numbers::pi / 4, 1e-9);
  EXPECT_NEAR(last(table, "packing.void_ratio"), 4 / std::numbers::pi - 1, 1e-9);
  EXPECT_EQ(last(table, "coordination.mean"), 2);  // the wall and the other disk
  EXPECT_EQ(last(table, "coordination.rattlers"), 0);
  EXPECT_NEAR(last(table, "fabric.xx"), 1, 1e-12);
  EXPECT_NEAR(last(table, "fabric.anisotropy"), 2, 1e-12);
  EXPECT_NEAR(last(table, "strain.x"), 0, 1e-9);
}

TEST(Measure, a_trajectory_gives_the_same_numbers_as_its_run) {
  const TemporaryFolder folder;
  run(kRow, folder.path("row.h5"));
  const MeasureTable stored = read_tables(folder.path("row.h5")).measures;
  const MeasureTable computed = compute_measures(folder.path("row.h5"), {}, 0.0005, 1);
  ASSERT_EQ(stored.columns, computed.columns);
  ASSERT_EQ(stored.rows(), computed.rows());
  for (std::size_t row = 0; row < stored.rows(); ++row)
    for (std::size_t c = 0; c < stored.columns.size(); ++c) {
      const double a = stored.at(row, c), b = computed.at(row, c);
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << stored.columns[c] << " " << a << " " << b;
    }
}

// n disks of radius r on top of each other, at rest on the floor.
std::string column_scene(int disks) {
  std::string text = "dimension = 2\ngravity = [0, -10]\n" + kAtRest +
                     "[[bodies]]\nname = \"floor\"\nshape = { kind = \"half-plane\" }\nfixed = true\n";
  for (int i = 0; i < disks; ++i)
    text += "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nmass = 2\nposition = [0, " +
            std::to_string(0.1 + 0.2 * i) + "]\n";
  return text;
}

TEST(Measure, a_column_under_its_weight_has_the_hydrostatic_stress) {
  constexpr int kDisks = 8;
  constexpr double kWeight = 20, kWidth = 0.2;
  const MeasureTable table = measured(
      column_scene(kDisks) + measures({{"stress", ""},
                                       {"wall", "body = \"floor\""},
                                       {"body-stress", ""},
                                       {"profile", "of = [\"stress.yy\", \"solid_fraction\"]\nbins = 8"}}));
  // The floor carries the whole, the mean of the column is half of it (Love-Weber: sum of (2k-1) w r over k).
  const double floor = kDisks * kWeight / kWidth;
  EXPECT_NEAR(last(table, "wall.stress"), floor, 1e-7);
  EXPECT_NEAR(last(table, "wall.force_y"), -kDisks * kWeight, 1e-8);
  EXPECT_NEAR(last(table, "stress.yy"), floor / 2, 1e-7);
  for (int k = 0; k < kDisks; ++k) {
    // Disk k counted from the floor: n-k-1 weights above, n-k below.
    const double mean = (kDisks - k - 0.5) * kWeight / kWidth;
    const std::string place = "@" + fmt::format("{:.6g}", 0.1 + 0.2 * k);
    EXPECT_NEAR(last(table, "profile.stress.yy" + place), mean, 1e-7);
    EXPECT_NEAR(last(table, "profile.solid_fraction" + place), std::numbers::pi / 4, 1e-8);
    // Per body the volume is that of the disk.
    EXPECT_NEAR(last(table, "body-stress.yy@" + std::to_string(k + 1)), mean * 4 / std::numbers::pi, 1e-7);
  }
}

TEST(Measure, in_space_the_plane_under_a_sphere_carries_its_weight) {
  const MeasureTable table = measured("dimension = 3\ngravity = [0, 0, -10]\n" + kAtRest + R"([[bodies]]
name = "floor"
shape = { kind = "plane" }
fixed = true
[[bodies]]
shape = { kind = "sphere", radius = 0.5 }
mass = 3
position = [0, 0, 0.5]
)" + measures({{"wall", "body = \"floor\""}, {"stress", ""}, {"packing", ""}}));
  EXPECT_NEAR(last(table, "wall.force_z"), -30, 1e-8);
  EXPECT_NEAR(last(table, "wall.stress"), 30, 1e-8);      // over 1 m2, the box around the sphere
  EXPECT_NEAR(last(table, "stress.zz"), 30 * 0.5, 1e-8);  // one contact, half a metre below the centre
  EXPECT_NEAR(last(table, "packing.solid_fraction"), std::numbers::pi / 6, 1e-12);
}

TEST(Measure, a_run_stops_when_its_condition_has_held) {
  const TemporaryFolder folder;
  const std::string text = falling_ball(
      "until = 10\nstop = [{ when = \"ball.y\", below = -0.5, hold = 0.1 }]", "measure_every = 5");
  const RunResult result = run(text, folder.path("fall.h5"));
  const MeasureTable table = read_tables(folder.path("fall.h5")).measures;
  // y = -5 t^2 falls below -0.5 m after sqrt(0.1) = 0.3162 s, seen at 0.32 s, held 0.1 s later.
  EXPECT_NEAR(last(table, "time"), 0.42, 1e-9);
  EXPECT_NE(result.summary.find("ball.y below -0.5"), std::string::npos);
  EXPECT_EQ(result.outcome, RunOutcome::finished);
  EXPECT_THROW(run(text + measures({{"wall", "body = \"nobody\""}}), folder.path("no.h5")), InputError);
}

// Stopped in mid-air at 0.32 s, it falls anew: y = -0.512 - 5 (t - 0.32)^2. Once, though the condition goes on to hold; and a run that
// was interrupted after that does not stop it again.
TEST(Measure, a_condition_puts_bodies_to_rest_once_and_the_run_goes_on) {
  const TemporaryFolder folder;
  const std::string text =
      falling_ball("until = 0.72\nstop = [{ when = \"ball.y\", below = -0.5, then = \"rest\" }]",
                   "measure_every = 5\ncheckpoint_every = 0.01");
  const RunResult result = run(text, folder.path("whole.h5"));
  EXPECT_EQ(result.outcome, RunOutcome::finished);
  EXPECT_NE(result.summary.find("ball.y below -0.5 at t = 0.32 s"), std::string::npos) << result.summary;
  const MeasureTable whole = read_tables(folder.path("whole.h5")).measures;
  EXPECT_NEAR(last(whole, "ball.y"), -0.512 - 0.8, 1e-12);
  EXPECT_NEAR(last(whole, "ball.velocity_y"), -4, 1e-12);
  RunOptions options;
  int steps = 0;
  options.is_interrupted = [&] { return ++steps == 400; };
  EXPECT_EQ(run(text, folder.path("parts.h5"), options).outcome, RunOutcome::interrupted);
  RunOptions resume;
  resume.resume = true;
  const RunResult resumed = run(text, folder.path("parts.h5"), resume);
  EXPECT_NE(resumed.summary.find("ball.y below -0.5 at t = 0.32 s"), std::string::npos);
  EXPECT_EQ(format_csv(whole), format_csv(read_tables(folder.path("parts.h5")).measures));
}

TEST(Measure, an_interrupted_run_goes_on_with_the_same_rows) {
  const TemporaryFolder folder;
  const std::string text = column_scene(4) + "[output]\nevery = 0.01\nmeasure_every = 3\n" +
                           measures({{"stress", ""}, {"strain", ""}});
  run(text, folder.path("whole.h5"));
  RunOptions options;
  int steps = 0;
  options.is_interrupted = [&] { return ++steps == 12; };
  bool ended = false;
  EXPECT_EQ(run(text, folder.path("parts.h5"), options, &ended).outcome, RunOutcome::interrupted);
  EXPECT_FALSE(ended);
  RunOptions resume;
  resume.resume = true;
  EXPECT_EQ(run(text, folder.path("parts.h5"), resume, &ended).outcome, RunOutcome::finished);
  EXPECT_TRUE(ended);
  EXPECT_EQ(format_csv(read_tables(folder.path("whole.h5")).measures),
            format_csv(read_tables(folder.path("parts.h5")).measures));
}

// Ten disks that fall one after the other through a line, at times of the closed form.
TEST(Measure, an_interrupted_run_goes_on_counting_what_passes) {
  const TemporaryFolder folder;
  std::string text =
      "dimension = 2\ngravity = [0, -10]\n[scheme]\nh = 1e-3\n[run]\nuntil = 0.5\n[law]\nfriction = 0\n"
      "[output]\nevery = 0.1\nmeasure_every = 7\ncheckpoint_every = 0.01\n";
  for (int i = 0; i < 10; ++i)
    text += fmt::format(
        "[[bodies]]\nname = \"drop-{}\"\nshape = {{ kind = \"disk\", radius = 0.01 }}\nposition = [{}, {}]\n",
        i, i, 0.1 * (i + 1) - 0.03);
  text += measures({{"flux", "through = { point = [0, 0], normal = [0, -1] }\nbodies = [\"drop\"]"}});
  run(text, folder.path("whole.h5"));
  const MeasureTable whole = read_tables(folder.path("whole.h5")).measures;
  for (std::size_t row = 0; row < whole.rows(); ++row) {
    // theta = 1/2 falls by g t^2/2 exactly.
    const double fallen = 5 * whole.at(row, 1) * whole.at(row, 1);
    EXPECT_EQ(whole.at(row, static_cast<std::size_t>(whole.find("flux.net"))),
              std::min(10.0, std::floor((fallen + 0.03) / 0.1)));
  }
  EXPECT_EQ(last(whole, "flux.net"), 10);
  RunOptions options;
  int steps = 0;
  options.is_interrupted = [&] { return ++steps == 313; };  // between two rows
  EXPECT_EQ(run(text, folder.path("parts.h5"), options).outcome, RunOutcome::interrupted);
  RunOptions resume;
  resume.resume = true;
  EXPECT_EQ(run(text, folder.path("parts.h5"), resume).outcome, RunOutcome::finished);
  EXPECT_EQ(format_csv(whole), format_csv(read_tables(folder.path("parts.h5")).measures));
  // From frames: 0.1 s apart, and still counted from the first one when only the last are asked for.
  const MeasureTable frames = compute_measures(folder.path("whole.h5"), {}, 0.35, 1);
  EXPECT_EQ(frames.rows(), 2u);
  EXPECT_EQ(last(frames, "flux.net"), 10);
  EXPECT_EQ(frames.at(0, static_cast<std::size_t>(frames.find("flux.net"))), 8);  // 5 * 0.16 = 0.8 m
}

TEST(Measure, mistakes_of_the_new_kinds_are_told) {
  const auto fails = [](const std::string& kind, const std::string& keys, const std::string& part) {
    try {
      parse_scene(kRow + measures({{kind, keys}}), "test.toml");
    } catch (const InputError& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(fails("flux", "", "through"));
  EXPECT_TRUE(fails("flux", "through = { point = [0, 0], normal = [0, 0] }", "normal"));
  EXPECT_TRUE(fails("flux", "through = { point = [0, 0], normal = [0, 1], width = -1 }", "width"));
  EXPECT_TRUE(fails("flux", "through = { point = [0, 0], normal = [0, 1], radius = 1 }", "radius"));
  EXPECT_TRUE(fails("network", "angle = 2", "angle"));
  EXPECT_TRUE(fails("profile", "of = [\"spin\"]\naxis = [0, 0]", "axis"));
  EXPECT_TRUE(fails("surface", "axis = \"x\"", "axis"));
  const TemporaryFolder folder;
  EXPECT_THROW(run(kRow + measures({{"count", "name = \"c\"\nbodies = [\"nobody\"]"}}), folder.path("x.h5")),
               InputError);
}

TEST(Measure, measures_and_conditions_of_a_scene_are_written_and_read_back) {
  const std::string extra = measures(
      {{"profile",
        "name = \"p\"\nof = [\"spin\", \"velocity.tangential\"]\naxis = \"radius\"\nbins = 7\n"
        "region = { centre = [1, 2], radii = [0.5, 3] }"},
       {"forces", "range = 4"},
       {"flux", "through = { point = [1, 2], normal = [0, -3], width = 0.4 }\nbodies = [\"a\", \"b\"]"},
       {"count", "region = { from = [0, 0], to = [1, 1] }"},
       {"surface", "bins = 30"},
       {"network", "threshold = 1.5\nangle = 0.5"},
       {"profile", "name = \"o\"\nof = [\"velocity.along\"]\naxis = [3, 4]"},
       {"extent", "connected = true"}});
  const SceneFile file =
      parse_scene(kRow + extra, "test.toml",
                  {"run.stop=[{when=\"strain.x\",above=0.1,hold=0.5}]", "output.measure_every=7"});
  const std::string text = format_scene(std::get<Scene<2>>(file.scene));
  const SceneFile again = parse_scene(text, "again.toml");
  EXPECT_EQ(format_scene(std::get<Scene<2>>(again.scene)), text);
  EXPECT_EQ(std::get<Scene<2>>(again.scene).measures.size(), 14u);
  EXPECT_EQ(std::get<Scene<2>>(again.scene).stops.at(0).hold, 0.5);
}

TEST(Measure, the_extent_of_a_part_ends_where_a_gap_is_wider) {
  std::string text = "dimension = 2\n[run]\nsteps = 1\n[law]\nfriction = 0\n";
  for (const char* x : {"0", "0.25", "0.6"})  // gaps of 0.05 and 0.15 m
    text += std::string("[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [") + x + ", 0]\n";
  const MeasureTable table = measured(text + measures({{"extent", "name = \"one\"\ngap = 0.04"},
                                                       {"extent", "name = \"two\"\ngap = 0.06"},
                                                       {"extent", "name = \"all\"\ngap = 0.16"}}));
  EXPECT_NEAR(last(table, "one.high_x"), 0.1, 1e-15);
  EXPECT_NEAR(last(table, "two.high_x"), 0.35, 1e-15);
  EXPECT_NEAR(last(table, "all.high_x"), 0.7, 1e-15);
}

// Measures of a run that stored only these fields, or what was said instead.
std::string measured_of(const std::string& fields, const std::string& kind) {
  const TemporaryFolder folder;
  const std::string text = column_scene(2) + "[output]\nevery = 0.01\nfields = [" + fields + "]\n";
  run(text, folder.path("a.h5"));
  try {
    return format_csv(compute_measures(folder.path("a.h5"), {kind}, 0, 1e9));
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Measure, a_field_that_was_not_stored_is_named_and_no_zeros_are_made_of_it) {
  const auto needs = [](const std::string& fields, const std::string& kind, const std::string& missing) {
    const std::string said = measured_of(fields, kind);
    EXPECT_NE(said.find("needs the field " + missing), std::string::npos) << kind << ": " << said;
    EXPECT_NE(said.find("output.fields"), std::string::npos) << kind << ": " << said;
  };
  needs("\"positions\"", "motion", "velocities");
  needs("\"positions\"", "stress", "contacts");
  needs("\"positions\", \"contacts\", \"impulses\", \"points\"", "fabric", "frames");
  needs("\"positions\", \"velocities\", \"frames\", \"impulses\"", "slip", "relative_velocities");
  needs("\"positions\"", "energy", "energies");
  needs("\"positions\"", "{ kind = \"profile\", of = [\"velocity.x\"] }", "velocities");
  needs("\"positions\"", "{ kind = \"profile\", of = [\"slip\"] }", "contacts");
  EXPECT_EQ(measured_of("\"energies\"", "energy").rfind("step,time,energy.", 0), 0u)
      << "energies need no positions: " << measured_of("\"energies\"", "energy");
  EXPECT_EQ(measured_of("\"positions\"", "extent").rfind("step,time,extent.", 0), 0u);
}

TEST(Measure, the_bins_of_a_profile_that_hold_no_matter_are_empty) {
  // Disks of radius 0.1 m between y = -0.1 and 0.1 at many places x: seen from bins above, the parts of their
  // areas cancel to round-off.
  std::string text = "dimension = 2\n[run]\nsteps = 1\n[law]\nfriction = 0\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format(
        "[[bodies]]\nshape = {{ kind = \"disk\", radius = 0.1 }}\nposition = [{}, 0]\nvelocity = [1, 0]\n",
        0.3 * i + 0.01 * (i % 7));
  const MeasureTable table =
      measured(text + measures({{"profile",
                                 "of = [\"velocity.x\", \"void_ratio\"]\naxis = \"y\"\nbins = 30\n"
                                 "region = { from = [-1.03, -0.2], to = [13.07, 2.8] }"}}));
  int empty = 0, full = 0;
  for (std::size_t c = 2; c < table.columns.size(); ++c) {
    std::string name;
    double place = 0;
    ASSERT_TRUE(split_place(table.columns[c], name, place));
    const double value = table.at(table.rows() - 1, c);
    if (std::abs(place) > 0.1) {
      EXPECT_TRUE(std::isnan(value)) << table.columns[c] << " = " << value;
      ++empty;
    } else if (name.find("velocity") != std::string::npos) {
      EXPECT_NEAR(value, 1, 1e-12) << table.columns[c];
      ++full;
    }
  }
  EXPECT_EQ(empty, 2 * 28);
  EXPECT_EQ(full, 2);
}

TEST(Measure, a_table_survives_csv) {
  const TemporaryFolder folder;
  MeasureTable table;
  table.columns = {"time", "a.b", "p@0.25"};
  table.numbers = {0.1, 1.0 / 3, std::nan(""), 0.2, -2e-300, 5};
  std::ofstream(folder.path("t.csv")) << format_csv(table);
  const MeasureTable back = read_csv_table(folder.path("t.csv"));
  EXPECT_EQ(back.columns, table.columns);
  EXPECT_EQ(format_csv(back), format_csv(table));
  EXPECT_TRUE(std::isnan(back.at(0, 2)));
  std::string name;
  double place = 0;
  EXPECT_TRUE(split_place("p@0.25", name, place));
  EXPECT_EQ(name, "p");
  EXPECT_EQ(place, 0.25);
}

}  // namespace
}  // namespace saltus::measure_test
