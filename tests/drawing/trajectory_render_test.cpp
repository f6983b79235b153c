#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_raster.hpp"
#include "saltus/drawing/render_scale.hpp"
#include "saltus/drawing/render_units.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_render_test {
namespace {

template <int Dim>
Scene<Dim> make_scene() {
  Scene<Dim> scene;
  scene.name = "picture";
  scene.title = "A body on a floor";
  scene.gravity[Dim - 1] = -10;
  scene.end_time = 0.01;
  scene.default_law = PairLaw{};
  SceneBody<Dim> floor, ball;
  floor.shape = HalfSpace<Dim>{}, floor.fixed = true;
  ball.shape = Ball<Dim>{0.5};
  ball.pose.position[Dim - 1] = 0.5;
  scene.bodies = {floor, ball};
  return scene;
}

template <int Dim>
std::string make_trajectory(const TemporaryFolder& folder) {
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(make_scene<Dim>(), options);
  return options.output;
}

TEST(Render, a_figure_of_the_plane_holds_bodies_chain_and_labels) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(make_trajectory<2>(folder));
  const Renderer<2> renderer(reader, {.contacts = true, .velocities = true}, {reader.frames() - 1});
  renderer.draw(reader.frames() - 1, folder.path("a.svg"));
  const std::string svg = testing::read_all(folder.path("a.svg"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_GT(svg.size(), 2000u);
  renderer.draw(0, folder.path("a.png"));
  EXPECT_EQ(testing::read_all(folder.path("a.png")).substr(1, 3), "PNG");
}

// A ball of 7.85 kg hangs on a weld, and touches nothing: the widest line is its weight.
TEST(Render, where_nothing_touches_joints_are_drawn_by_what_they_carry) {
  const TemporaryFolder folder;
  Scene<2> scene = make_scene<2>();
  scene.bodies.erase(scene.bodies.begin());
  scene.bodies[0].name = "ball";
  scene.bodies[0].density = 10;
  SceneJoint<2> weld;
  weld.kind = JointKind::weld;
  weld.b = "ball";
  weld.points[0] = weld.points[1] = Vec<2>(0, 1);
  scene.joints = {weld};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  const TrajectoryReader<2> reader(options.output);
  // Round-off of the solve.
  EXPECT_NEAR(compute_scale(reader, {reader.frames() - 1}, {}).strongest, 10 * std::numbers::pi / 4 * 10,
              1e-9);
}

TEST(Render, a_picture_of_space_is_written_for_any_direction_of_gravity) {
  const TemporaryFolder folder;
  const TrajectoryReader<3> reader(make_trajectory<3>(folder));
  for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
    Renderer<3>(reader, {.width = 300, .contacts = true, .velocities = true}, {1}).draw(1, folder.path(name));
    EXPECT_GT(std::filesystem::file_size(folder.path(name)), 1000u) << name;
  }
}

// A ball flies 4 m to the right: the picture of its end, by itself 1 m wide, shows where it was.
TEST(Render, paths_set_the_view_unless_a_region_or_bodies_do) {
  const TemporaryFolder folder;
  Scene<2> scene = make_scene<2>();
  scene.gravity.setZero();
  scene.end_time = 0.1;
  scene.bodies[1].pose.position = {0, 5};
  scene.bodies[1].velocity = {40, 0};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  const TrajectoryReader<2> reader(options.output);
  const std::int64_t last = reader.frames() - 1;
  const auto height = [&](const RenderOptions& asked) { return Renderer<2>(reader, asked, {last}).height(); };
  const double inf = std::numeric_limits<double>::infinity();
  const int alone = height({.width = 1000}), path = height({.width = 1000, .trails = inf});
  // The page fits what is shown: a ball alone is about as high as wide, its path a low strip.
  EXPECT_LT(path, 0.6 * alone);
  EXPECT_EQ(height({.width = 1000, .region = {3, 4, 5, 6}, .trails = inf}),
            height({.width = 1000, .region = {3, 4, 5, 6}}));
}

// A ball of radius 0.5 whose floor is 2.5 m below it is shown with it; from 30 m up, thirty widths, it would be a dot. A floor
// above it, or one that is not in its view, is none of its picture.
TEST(Render, a_body_in_flight_is_shown_with_the_floor_it_is_near) {
  const TemporaryFolder folder;
  const auto lowest = [&](double height, double upwards, const ViewChoice& choice) {
    Scene<2> scene = make_scene<2>();
    scene.bodies[0].name = "floor", scene.bodies[1].name = "ball";
    scene.bodies[0].shape = HalfPlane{{0, upwards}};
    scene.bodies[1].pose.position = {0, upwards * height};
    RunOptions options;
    options.output = folder.path("a.h5");
    options.show_progress = false, options.force = true;
    run_to_file(scene, options);
    const Bounds<2> view = compute_scale(TrajectoryReader<2>(options.output), {0}, choice).view;
    return upwards > 0 ? view.low.y() : -view.high.y();
  };
  EXPECT_LT(lowest(3, 1, {}), 0);
  EXPECT_GT(lowest(30, 1, {}), 29);
  EXPECT_GT(lowest(3, -1, {}), 2);
  ViewChoice ball;
  ball.only = {"ball"};
  EXPECT_GT(lowest(3, 1, ball), 2);
}

// A drum that a motor turns has a centre, and no chain leads to it.
TEST(Render, chains_end_at_the_surface_of_what_is_driven) {
  const Shape<2> disk = Disk{1};
  Frame<2> frame;
  frame.bodies.resize(2);
  frame.bodies[0].shape = frame.bodies[1].shape = &disk;
  frame.bodies[1].pose.position = {2, 0};
  frame.bodies[0].prescribed = true;
  FrameContact<2> contact;
  contact.a = 0, contact.b = 1, contact.point = {1, 0};
  const auto [from, to] = chain_ends(frame, contact, {0, 0});
  EXPECT_EQ(from, Vec<2>(1, 0));
  EXPECT_EQ(to, Vec<2>(2, 0));
}

TEST(Render, names_that_are_no_picture_and_places_that_cannot_be_written_are_errors) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(make_trajectory<2>(folder));
  const Renderer<2> renderer(reader, {}, {0});
  EXPECT_THROW(renderer.draw(0, folder.path("a.jpg")), InputError);
  EXPECT_THROW(renderer.draw(0, "/nowhere/a.png"), OutputError);
}

TEST(TrajectoryReader, frames_have_shapes_poses_and_contacts) {
  const TemporaryFolder folder;
  const TrajectoryReader<2> reader(make_trajectory<2>(folder));
  ASSERT_EQ(reader.frames(), 11);
  EXPECT_EQ(reader.nearest_frame(-1), 0);
  EXPECT_EQ(reader.nearest_frame(0.0044), 4);
  EXPECT_EQ(reader.nearest_frame(0.0046), 5);
  EXPECT_EQ(reader.nearest_frame(1e9), 10);
  const Frame<2> frame = reader.frame(10);
  ASSERT_EQ(frame.bodies.size(), 2u);
  EXPECT_TRUE(frame.bodies[0].fixed);
  EXPECT_EQ(std::get<Disk>(*frame.bodies[1].shape).radius, 0.5);
  ASSERT_EQ(frame.contacts.size(), 1u);
  // The floor carries the disk: r = m g h, m = 1000 pi/4 kg, to the tolerance of the solver, 1e-3 g h.
  const double weight = 1000 * M_PI / 4 * 10 * 1e-3;
  EXPECT_NEAR(frame.contacts[0].impulse[0], weight, 1e-3 * weight);
  EXPECT_THROW(TrajectoryReader<3>(folder.path("a.h5")), InputError);
}

TEST(RenderRaster, a_ball_hides_what_is_behind_it_and_shows_its_near_side) {
  Projection camera{{0, 0, 10}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  camera.focal = 100, camera.x = camera.y = 50;
  Raster raster(100, 100);
  raster.add(build_surface(Plane{{0, 0, 1}, 0}, Pose<3>(), {0, 0, 0}, 20), camera, 0);
  raster.add(build_surface(Sphere{1}, Pose<3>({0, 0, 3}), {0, 0, 0}, 20), camera, 1);
  const auto at = [](int x, int y) { return static_cast<std::size_t>(100 * y + x); };
  EXPECT_EQ(raster.id[at(50, 50)], 1);
  EXPECT_EQ(raster.id[at(5, 5)], 0);
  // The centre of the picture is half a pixel off the axis: the normal leans by 0.5/100 * 6 / 1 at most.
  EXPECT_NEAR(raster.normal[at(50, 50)].z(), 1, 1e-3);
  // The top of the ball is at height 4, 6 in front of the eye; half a pixel aside it is lower by less than
  // 0.001.
  EXPECT_NEAR(1 / raster.nearness[at(50, 50)], 6, 2e-3);
  const Vec<3> seen = camera.position(50.5, 50.5, raster.nearness[at(50, 50)]);
  EXPECT_NEAR((seen - Vec<3>(0, 0, 3)).norm(), 1, 1e-5);  // single precision of the buffer
}

TEST(RenderUnits, lengths_are_round_and_have_units) {
  EXPECT_DOUBLE_EQ(round_length(0.7), 0.5);
  EXPECT_DOUBLE_EQ(round_length(0.34), 0.2);
  EXPECT_DOUBLE_EQ(round_length(19), 10);
  EXPECT_EQ(format_length(0.5), "50 cm");
  EXPECT_EQ(format_length(0.002), "2 mm");
  EXPECT_EQ(format_force(1912), "1.91 kN");
}

TEST(RenderUnits, a_title_without_room_ends_in_an_ellipsis_and_never_within_a_character) {
  const auto shorten = [](const std::string& text, std::size_t bytes) {
    return shorten_text(text, [=](const std::string& shown) { return shown.size() <= bytes; });
  };
  EXPECT_EQ(shorten("arch", 4), "arch");
  // The ellipsis and the accented letter have 3 and 2 bytes; cut between those two, the letter is no UTF-8.
  EXPECT_EQ(shorten("vo\u00fbtes et arcs", 6), "vo\u2026");
  EXPECT_EQ(shorten("vo\u00fbtes et arcs", 7), "vo\u00fb\u2026");
  EXPECT_EQ(shorten("a wall", 5), "a\u2026");  // not "a \u2026"
  EXPECT_EQ(shorten("arch", 2), "");
}

}  // namespace
}  // namespace saltus::trajectory_render_test
