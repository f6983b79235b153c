// Bodies at points of a system that has no mesh, as the bobs of a pendulum given by its equations: they move, although no equation of
// their own does it, and pictures show them as bodies that move.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/drawing/fields.hpp"
#include "saltus/drawing/render_scale.hpp"
#include "saltus/drawing/render_trails.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/viewing/view_source.hpp"
#include "temporary_folder.hpp"
#include "viewing/unpacked_view.hpp"

namespace saltus::point_of_system_test {
namespace {

std::string run_pendulum(const TemporaryFolder& folder) {
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(std::get<Scene<2>>(read_scene("double-pendulum", {"run.until=0.1"}).scene), options);
  return options.output;
}

TEST(PointOfSystem, is_drawn_as_a_body_that_moves) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(run_pendulum(folder));
  const Frame<2> frame = reader.frame(reader.frames() - 1);
  FieldReader<2> fields(reader);
  const FieldValues status =
      fields.compute(find_field("status", reader.header(), {}, "test"), frame, reader.frames() - 1);
  int points = 0;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const FrameBody<2>& body = frame.bodies[i];
    EXPECT_EQ(body.is_held(), body.scene_index == 0);  // the floor
    EXPECT_EQ(status.bodies[i] == static_cast<double>(BodyStatus::held), body.scene_index == 0);
    points += body.is_point_of_system();
  }
  EXPECT_EQ(points, 2);
  // Of the three bodies on the floor and the two bobs.
  Trails<2> trails(reader, 1, {});
  EXPECT_EQ(trails.paths(reader.frames() - 1).size(), 5u);
}

// The scene gives 2 kg and 1 kg to the pendulum; its disks of radius 0.1 and 0.08 m would weigh 31 and 20 kg.
TEST(PointOfSystem, has_no_mass_of_its_own_in_the_viewer_and_is_not_held) {
  const TemporaryFolder folder;
  const UnpackedView model(open_view(run_pendulum(folder))->model());
  const std::vector<double> flags = model.at("body.flags"), mass = model.at("body.mass");
  for (std::size_t i = 0; i < mass.size(); ++i) EXPECT_EQ(std::isnan(mass[i]), i >= 4) << i;
  for (std::size_t i = 1; i < flags.size(); ++i) EXPECT_EQ(flags[i], 0) << i;
}

}  // namespace
}  // namespace saltus::point_of_system_test
