// What a picture of space holds and how it is told: its outline on the page, the bodies that were named, the range of colours.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_camera.hpp"
#include "saltus/drawing/render_chosen.hpp"
#include "saltus/drawing/render_colours.hpp"
#include "saltus/drawing/render_outline.hpp"
#include "saltus/drawing/render_units.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "temporary_folder.hpp"

namespace saltus::render_view_test {
namespace {

template <int Dim>
SceneBody<Dim> make_body(const std::string& name, const Shape<Dim>& shape, const Vec<Dim>& place) {
  SceneBody<Dim> body;
  body.name = name, body.shape = shape, body.pose.position = place;
  return body;
}

template <int Dim>
std::string run_bodies(const TemporaryFolder& folder, const std::vector<SceneBody<Dim>>& bodies) {
  Scene<Dim> scene;
  scene.name = "bodies";
  scene.gravity.setZero();
  scene.end_time = 0.01;
  scene.default_law = PairLaw{};
  scene.bodies = bodies;
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false, options.force = true;
  run_to_file(scene, options);
  return options.output;
}

// Half of the outline's width and height, and the place of the camera.
struct Seen {
  Bounds<2> outline;
  Projection camera;
};

Seen look_at(const std::string& trajectory, const RenderOptions& options) {
  const TrajectoryReader<3> reader(trajectory);
  const RenderScale<3> scale = compute_scale(reader, {0});
  const Projection camera = place_camera(scale.view, Vec<3>::UnitZ(), options);
  return {compute_outline(reader, {0}, {}, scale, camera), camera};
}

// The cone that touches a ball of radius r from a distance d has the slope r/sqrt(d^2 - r^2); the box along the camera's axes around
// it sticks out at its near side, r/(d - r). The box of the view, turned by 45 degrees, is wider by sqrt(2).
TEST(RenderOutline, of_a_ball_is_near_its_circle_from_any_side) {
  const TemporaryFolder folder;
  const std::string file = run_bodies<3>(folder, {make_body<3>("ball", Sphere{0.5}, {1, 2, 3})});
  for (const double azimuth : {0.0, 45.0, 111.0}) {
    const auto [outline, camera] = look_at(file, {.azimuth = azimuth, .elevation = 35});
    const double d = (camera.eye - Vec<3>(1, 2, 3)).norm();
    const Vec<2> half = (outline.high - outline.low) / 2;
    for (int k = 0; k < 2; ++k) {
      EXPECT_GE(half[k], 0.5 / std::sqrt(d * d - 0.25) * (1 - 1e-12)) << azimuth;
      EXPECT_LE(half[k], 0.5 / (d - 0.5) * (1 + 1e-12)) << azimuth;
    }
  }
}

// Two boxes at opposite corners of the view leave most of its box empty; the outline is that of their sixteen corners, exactly.
TEST(RenderOutline, of_boxes_is_that_of_their_corners) {
  const TemporaryFolder folder;
  SceneBody<3> low = make_body<3>("low", build_box({1, 0.2, 0.4}), {0, 0, 0});
  SceneBody<3> high = make_body<3>("high", build_box({1, 0.2, 0.4}), {4, 0, 3});
  low.pose.set_orientation(Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec<3>(1, 1, 0).normalized())));
  const auto [outline, camera] = look_at(run_bodies<3>(folder, {low, high}), {.azimuth = 20});
  Bounds<2> corners;
  for (const SceneBody<3>& body : {low, high})
    for (int k = 0; k < 8; ++k)
      corners.add(
          camera.project(body.pose.to_world({k & 1 ? 0.5 : -0.5, k & 2 ? 0.1 : -0.1, k & 4 ? 0.2 : -0.2}))
              .head<2>());
  // Round-off.
  EXPECT_TRUE(outline.low.isApprox(corners.low, 1e-9)) << outline.low.transpose();
  EXPECT_TRUE(outline.high.isApprox(corners.high, 1e-9)) << outline.high.transpose();
}

TEST(RenderChosen, a_name_that_no_body_has_is_told_with_the_nearest_and_those_there_are) {
  const auto told = [](const std::string& name, const std::vector<std::string>& names) -> std::string {
    try {
      find_named_body(name, names, "--only", {"beam"});
    } catch (const InputError& error) {
      return error.what();
    }
    return "found";
  };
  EXPECT_EQ(told("ball", {"floor", "", "ball"}), "found");
  EXPECT_EQ(told("bal", {"floor", "", "ball"}),
            "--only: no body has this name: got bal (did you mean ball?), allowed: floor, ball, beam");
  EXPECT_NE(told("ball", {"ball", "ball"}).find("several bodies have this name"), std::string::npos);
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("grain-" + std::to_string(i));
  EXPECT_NE(told("x", many).find("... (101 in all)"), std::string::npos) << told("x", many);
}

// The fast disk is outside of the region: within it, the slow one is the fastest.
TEST(FieldColours, range_is_that_of_the_region_that_is_shown) {
  const TemporaryFolder folder;
  std::vector<SceneBody<2>> bodies = {make_body<2>("rests", Disk{0.1}, {0, 0}),
                                      make_body<2>("slow", Disk{0.1}, {1, 0}),
                                      make_body<2>("fast", Disk{0.1}, {10, 0})};
  bodies[1].velocity = {0, 2}, bodies[2].velocity = {0, 100};
  const TrajectoryReader<2> reader(run_bodies<2>(folder, bodies));
  const Bounds<2> region{{-1, -1}, {2, 1}};
  const auto red = [&](const Bounds<2>* shown) {
    return FieldColours<2>(reader, "velocity", std::nullopt, {0}, shown).colour(2)->red;
  };
  EXPECT_EQ(red(&region), scale_colour(1).red);
  EXPECT_EQ(red(nullptr), scale_colour(0.02).red);
}

TEST(RenderUnits, bars_have_numbers_of_few_digits) {
  const auto told = [](const std::string& unit, double largest) {
    const PrefixedUnit prefixed = choose_prefix(unit, largest);
    return std::make_pair(prefixed.name, prefixed.size);
  };
  EXPECT_EQ(told("Pa", 5.1e4), std::make_pair(std::string("kPa"), 1e3));
  EXPECT_EQ(told("Pa", 2e6), std::make_pair(std::string("MPa"), 1e6));
  EXPECT_EQ(told("N/m", 6e4), std::make_pair(std::string("kN/m"), 1e3));
  EXPECT_EQ(told("m", 2e-5), std::make_pair(std::string("\u00b5m"), 1e-6));
  for (const auto& [unit, largest] :
       {std::pair("m/s", 5.0), {"Pa", 9999.0}, {"", 1e6}, {"rad/s", 1e5}, {"m", 0.0}})
    EXPECT_EQ(told(unit, largest), std::make_pair(std::string(unit), 1.0)) << unit;
}

TEST(RenderUnits, what_is_small_has_small_units) {
  EXPECT_EQ(format_force(9.18e-6), "9.18 \u00b5N");
  EXPECT_EQ(format_force(0.5), "0.5 N");
  EXPECT_EQ(format_force(1234), "1.23 kN");
  EXPECT_EQ(format_stress(2.5e9), "2.5 GPa");
  EXPECT_EQ(format_length(2e-5), "20 \u00b5m");
  EXPECT_EQ(format_time(8e-5), "80 \u00b5s");
  EXPECT_EQ(format_time(0.0122), "0.0122 s");
  EXPECT_EQ(format_time(0), "0 s");
}

// Two grains touch in front of the slice: their chain is no part of it. With it the picture would have more colours of chains than without.
TEST(Render, a_slice_of_space_has_no_chains_of_what_it_leaves_out) {
  const TemporaryFolder folder;
  Scene<3> scene;
  scene.name = "slice";
  scene.gravity = {0, 0, -10};
  scene.end_time = 0.01;
  scene.default_law = PairLaw{};
  SceneBody<3> floor = make_body<3>("floor", Plane{}, {0, 0, 0});
  floor.fixed = true;
  scene.bodies = {floor, make_body<3>("front", Sphere{0.5}, {0, -3, 0.5}),
                  make_body<3>("behind", Sphere{0.5}, {0, 3, 0.5})};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  const TrajectoryReader<3> reader(options.output);
  const auto blue = [&](const std::vector<double>& region) {
    const RenderOptions asked{.width = 300, .chains = true, .labels = false, .azimuth = 0, .region = region};
    const Renderer<3> renderer(reader, asked, {1});
    const Canvas canvas(renderer.width(), renderer.height());
    renderer.paint(1, canvas);
    const std::string_view pixels = canvas.pixels();
    int count = 0;
    for (std::size_t i = 0; i + 3 < pixels.size(); i += 4)
      count += static_cast<unsigned char>(pixels[i]) > static_cast<unsigned char>(pixels[i + 2]) + 60;
    return count;
  };
  EXPECT_GT(blue({}), 10);
  EXPECT_EQ(blue({-1, -1, -1, 1, 1, 1}), 0);  // neither of the two is there
}

}  // namespace
}  // namespace saltus::render_view_test
