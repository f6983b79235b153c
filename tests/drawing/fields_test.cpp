#include "saltus/drawing/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/plot.hpp"
#include "saltus/drawing/render_colours.hpp"
#include "saltus/drawing/render_raster.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "temporary_folder.hpp"

namespace saltus::fields_test {
namespace {

// A disk that lies on a floor and one that falls beside it, turning.
std::string run_disks(const TemporaryFolder& folder) {
  Scene<2> scene;
  scene.name = "disks";
  scene.gravity = {0, -10};
  scene.end_time = 0.1;
  scene.output.every = 0.05;
  scene.default_law = PairLaw{};
  SceneBody<2> floor, ball, falling;
  floor.shape = HalfPlane{}, floor.fixed = true;
  ball.shape = falling.shape = Disk{0.5};
  ball.pose.position = {0, 0.5}, falling.pose.position = {3, 5};
  falling.velocity = {2, 0}, falling.spin[0] = 4;
  falling.material = "steel";
  scene.bodies = {floor, ball, falling};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  return options.output;
}

TEST(Fields, of_bodies_are_those_of_mechanics) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(run_disks(folder));
  const std::int64_t last = reader.frames() - 1;
  const Frame<2> frame = reader.frame(last);
  FieldReader<2> fields(reader);
  const auto values = [&](const std::string& name) {
    return fields.compute(find_field(name, reader.header(), {}, "test"), frame, last).bodies;
  };
  // The lower disk weighs 1000 V g and is pressed at its lowest point, l = 0.5 m: p = m g l/(2 V). To the tolerance of the
  // solver, 1e-3 g h.
  EXPECT_NEAR(values("pressure")[1], 1000 * 10 * 0.5 / 2, 1e-3 * 2500);
  EXPECT_NEAR(values("force")[1], 1000 * M_PI / 4 * 10, 1e-3 * 7854);
  EXPECT_EQ(values("force")[2], 0);
  EXPECT_TRUE(std::isnan(values("pressure")[0]));  // a floor has no volume
  // Free fall: the scheme is exact for velocities, and with theta = 1/2 for positions.
  EXPECT_NEAR(values("velocity")[2], std::hypot(2, 1), 1e-12);
  EXPECT_NEAR(values("velocity.y")[2], -1, 1e-12);
  EXPECT_NEAR(values("displacement")[2], std::hypot(0.2, 0.05), 1e-12);
  EXPECT_NEAR(values("rotation")[2], 0.4, 1e-12);
  EXPECT_EQ(values("spin")[2], 4);
  EXPECT_EQ(values("material"), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(values("status")[0], static_cast<double>(BodyStatus::held));
  EXPECT_EQ(values("status")[1], static_cast<double>(BodyStatus::sticks));
  EXPECT_EQ(values("status")[2], static_cast<double>(BodyStatus::no_contact));
  EXPECT_EQ(reader.header().materials, (std::vector<std::string>{"default", "steel"}));
  EXPECT_THROW(find_field("velocity.z", reader.header(), {}, "test"), InputError);
  EXPECT_TRUE(find_field("stress.xx", reader.header(), {"stress.xx"}, "test").is_of_nodes);
}

// The largest of the contacts of a body. The disk that lies has one contact, the one that falls has none.
TEST(Fields, residual_and_penetration_are_the_worst_of_the_contacts) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(run_disks(folder));
  const std::int64_t last = reader.frames() - 1;
  Frame<2> frame = reader.frame(last);
  ASSERT_EQ(frame.contacts.size(), 1u);
  frame.contacts[0].residual = 2e-5, frame.contacts[0].gap = -3e-4;
  frame.contacts.push_back(frame.contacts[0]);
  frame.contacts[1].residual = 1e-5, frame.contacts[1].gap = 1;
  FieldReader<2> fields(reader);
  const auto values = [&](const char* name) {
    const Field field = find_field(name, reader.header(), {}, "");
    return std::pair(field.unit, fields.compute(field, frame, last).bodies);
  };
  EXPECT_EQ(values("residual"), std::pair(std::string("m/s"), std::vector<double>({2e-5, 2e-5, 0})));
  EXPECT_EQ(values("penetration"), std::pair(std::string("m"), std::vector<double>({3e-4, 3e-4, 0})));
}

TEST(RenderColours, ticks_are_round_and_within_the_range) {
  EXPECT_EQ(choose_ticks(0, 1, 6), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  for (const auto& [low, high] : {std::pair(-3.7, 12.9), std::pair(1e-9, 3e-9), std::pair(-2e6, -1.9e6)}) {
    const std::vector<double> ticks = choose_ticks(low, high, 6);
    EXPECT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.size(), 7u);
    for (const double tick : ticks)
      EXPECT_TRUE(tick >= low - 1e-9 * (high - low) && tick <= high + 1e-9 * (high - low));
  }
  EXPECT_EQ(choose_ticks(3, 3, 6), std::vector<double>{3});
}

TEST(RenderRaster, ground_that_passes_under_the_eye_is_cut_and_not_left_out) {
  // From 1 m above the ground, looking along it: the lower half of the picture is ground up to the horizon.
  Projection camera{{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
  camera.focal = 50, camera.x = camera.y = 50;
  Raster raster(100, 100);
  Surface ground;
  ground.triangles.push_back({{Vec<3>(-1000, -1000, 0), Vec<3>(1000, -1000, 0), Vec<3>(0, 2000, 0)},
                              {Vec<3>::UnitZ(), Vec<3>::UnitZ(), Vec<3>::UnitZ()}});
  raster.add(ground, camera, 3);
  for (int x = 0; x < 100; x += 9) {
    EXPECT_EQ(raster.id[static_cast<std::size_t>(100 * 99 + x)], 3) << x;
    EXPECT_EQ(raster.id[static_cast<std::size_t>(100 * 60 + x)], 3) << x;
    EXPECT_EQ(raster.id[static_cast<std::size_t>(100 * 40 + x)], -1) << x;
  }
}

TEST(Plot, a_running_mean_keeps_lines_and_averages_noise) {
  PlotSeries line{"line", {}, {}, false};
  for (int i = 0; i <= 100; ++i) line.x.push_back(i), line.y.push_back(3 * i + (i % 2 ? 1 : -1) + 1e6);
  PlotSeries mean = line;
  ASSERT_TRUE(compute_running_mean(4, mean));
  // Five points about each: 3 x, and of the noise a fifth (1 more of one sign than of the other). 1e6 costs digits: 1e-9.
  for (int i = 2; i <= 98; ++i)
    EXPECT_NEAR(mean.y[static_cast<std::size_t>(i)], 3 * i + (i % 2 ? 0.2 : -0.2) + 1e6, 1e-8);
  EXPECT_NEAR(mean.y[0], 1e6 + 3 - 1 / 3.0, 1e-8);  // the first three
  line.x[50] = 0;
  EXPECT_FALSE(compute_running_mean(4, line));
}

}  // namespace
}  // namespace saltus::fields_test
