#include "saltus/exchange/vtk_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exchange/vtk_arrays.hpp"
#include "saltus/exchange/surface_file.hpp"
#include "saltus/geometry/mesh_file.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "temporary_folder.hpp"

namespace saltus::vtk_frames_test {
namespace {

// A ball that lies on a floor.
template <int Dim>
std::string run_ball(const TemporaryFolder& folder) {
  Scene<Dim> scene;
  scene.name = "ball";
  scene.gravity[Dim - 1] = -10;
  scene.end_time = 0.01;
  scene.default_law = PairLaw{};
  SceneBody<Dim> floor, ball;
  floor.shape = HalfSpace<Dim>{}, floor.fixed = true;
  ball.shape = Ball<Dim>{0.5};
  ball.name = "ball";
  ball.material = "stone";
  ball.pose.position[Dim - 1] = 0.5;
  ball.velocity[0] = 1;
  scene.bodies = {floor, ball};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  return options.output;
}

template <int Dim>
VtkPiece part_of(VtkFrames<Dim>& frames, std::int64_t number, const std::string& name) {
  for (VtkPart& part : frames.build(number))
    if (part.name == name) return std::move(part.piece);
  ADD_FAILURE() << "no part " << name;
  return {};
}

TEST(VtkFrames, parts_of_a_frame_hold_what_the_trajectory_holds) {
  const TemporaryFolder folder;
  const TrajectoryReader<3> reader(run_ball<3>(folder));
  VtkFrames<3> frames(reader, 16);
  EXPECT_EQ(frames.names(), (std::vector<std::string>{"centres", "bodies", "walls", "contacts", "chains"}));
  const Frame<3> frame = reader.frame(10);

  const VtkArrays centres(format_vtk(part_of(frames, 10, "centres")));
  EXPECT_EQ(centres.piece.attribute("NumberOfVerts"), "1");  // the floor has no centre
  EXPECT_EQ(centres.reals("Points", "Points")[0], frame.bodies[1].pose.position.x());
  EXPECT_EQ(centres.reals("PointData", "radius"), std::vector<double>{0.5});
  EXPECT_EQ(centres.reals("PointData", "body"), std::vector<double>{1});
  EXPECT_EQ(centres.reals("PointData", "material"), std::vector<double>{1});
  EXPECT_EQ(centres.reals("PointData", "velocity")[0], static_cast<float>(frame.bodies[1].velocity.x()));
  // Moved since frame 0: x of the first frame is 0.
  EXPECT_EQ(centres.reals("PointData", "displacement")[0],
            static_cast<float>(frame.bodies[1].pose.position.x()));

  const VtkArrays contacts(format_vtk(part_of(frames, 10, "contacts")));
  const double weight = 1000 * M_PI / 6 * 10;
  // The floor carries the ball: to the tolerance of the solver, 1e-3 g h.
  EXPECT_NEAR(contacts.reals("PointData", "normal_force")[0], weight, 1e-3 * weight);
  EXPECT_NEAR(contacts.reals("PointData", "force")[2], weight, 1e-3 * weight);

  const VtkArrays bodies(format_vtk(part_of(frames, 10, "bodies")));
  const std::vector<double> which = bodies.reals("CellData", "body");
  EXPECT_EQ(which, std::vector<double>(16 * 8, 1));  // patches of a ball of 16 sides
  const VtkArrays walls(format_vtk(part_of(frames, 10, "walls")));
  EXPECT_EQ(walls.reals("CellData", "body"), std::vector<double>{0});  // the floor, one polygon

  // The chain ends at the contact on the floor, and at the centre of the ball.
  const VtkArrays chains(format_vtk(part_of(frames, 10, "chains")));
  const std::vector<double> x = chains.reals("Points", "Points");
  ASSERT_EQ(x.size(), 9u);
  EXPECT_NEAR(std::abs(x[2] - x[8]), 0.5, 1e-6);
  // No contact acts yet in the first frame: the part is there and empty.
  EXPECT_TRUE(part_of(frames, 0, "contacts").points.empty());
}

TEST(VtkFrames, plane_scenes_are_flat_and_balls_may_be_points_only) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(run_ball<2>(folder));
  VtkFrames<2> frames(reader, 0);
  EXPECT_TRUE(frames.leaves_out_balls());
  EXPECT_TRUE(part_of(frames, 1, "bodies").points.empty());
  const VtkPiece floor = part_of(frames, 1, "walls");
  EXPECT_EQ(floor.polygons.ends.size(), 1u);
  for (std::size_t i = 2; i < floor.points.size(); i += 3) EXPECT_EQ(floor.points[i], 0);
}

TEST(SurfaceFile, stl_and_obj_of_a_state_read_back_as_the_same_ball) {
  const TemporaryFolder folder;
  const TrajectoryReader<3> reader(run_ball<3>(folder));
  for (const auto& [kind, name] :
       {std::pair(SurfaceKind::stl, "s.stl"), std::pair(SurfaceKind::obj, "s.obj")}) {
    const SurfaceFile file = build_surface_file<3>(reader, 10, kind, 64);
    EXPECT_EQ(file.bodies, 1u);
    EXPECT_EQ(file.left_out, 1u);
    const TriangleMesh mesh = read_mesh(folder.write(name, file.bytes));
    EXPECT_EQ(count_open_edges(mesh), 0) << name;
    // 64 sides: (2 pi/64)^2/6 = 1.6e-3 of the area of a circle is lost, of a sphere no more than three times that.
    EXPECT_NEAR(compute_enclosed_volume(mesh), M_PI / 6, 5e-3 * M_PI / 6) << name;
  }
}

}  // namespace
}  // namespace saltus::vtk_frames_test
