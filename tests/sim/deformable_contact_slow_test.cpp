// Contact of deformable bodies with each other: what facets share out, and what contacts remember as they slide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/geometry/convex_polyhedron.hpp"
#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/sim/surface_followers.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::deformable_contact_slow_test {
namespace {

template <int Dim>
SceneDeformable<Dim> elastic_box(const std::string& name, const Vec<Dim>& size, const Vec<Dim>& centre,
                                 const IntVec<Dim>& cells, double young, double poisson = 0) {
  MeshGrid<Dim> grid;
  grid.kind = Dim == 2 ? ElementKind::q4 : ElementKind::h8;
  for (int d = 0; d < Dim; ++d) grid.cells[d] = cells[d];
  SolidMesh<Dim> mesh = build_box_mesh<Dim>(size, grid, "");
  for (Vec<Dim>& x : mesh.nodes) x += centre;
  SceneDeformable<Dim> body;
  body.name = name;
  body.mesh = std::make_shared<SolidMesh<Dim>>(std::move(mesh));
  body.solids = {{"", "linear-elastic", {"", {{"young", young}, {"poisson", poisson}}}, 1}};
  return body;
}

template <int Dim>
void hold(SceneDeformable<Dim>& body, const std::string& side, int direction) {
  body.supports.push_back({side, direction, {Drive::Kind::locked, {}}, ""});
}

// Its velocity is `speed` from the start on.
template <int Dim>
void drag(SceneDeformable<Dim>& body, const std::string& side, int direction, double speed) {
  body.supports.push_back({side, direction, {Drive::Kind::velocity, TimeFunction::constant(speed)}, ""});
}

// A facet whose nodes move as any linear field has its velocity at each of its points: v + w x arm + S arm.
template <int Dim>
void expect_linear_interpolation(const std::array<Vec<Dim>, Dim>& corners) {
  FollowerModel<Dim> facet;
  facet.corners.assign(corners.begin(), corners.end());
  facet.shares = Eigen::MatrixXd::Identity(Dim, Dim);
  for (int i = 0; i < Dim * Dim; ++i) facet.dofs.push_back(i);
  Eigen::VectorXd v(Dim * Dim);
  for (int i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + 2.3 * i);
  FollowerPlace<Dim> place;
  place_on_surface<Dim>(facet, Eigen::VectorXd::Zero(v.size()), v, 0, place);
  const auto twist = follower_velocity<Dim>(facet, place.placement, v);
  const Mat<Dim> stretch = follower_stretch<Dim>(facet, place, v);
  EXPECT_LT((stretch - stretch.transpose()).norm(), 1e-14);
  for (int k = 0; k < 5; ++k) {
    Eigen::Matrix<double, Dim, 1> share;
    for (int i = 0; i < Dim; ++i) share[i] = 0.1 + std::abs(std::cos(3.0 * i + k));
    share /= share.sum();
    Vec<Dim> x = Vec<Dim>::Zero(), expected = Vec<Dim>::Zero();
    for (int i = 0; i < Dim; ++i) x += share[i] * corners[i], expected += share[i] * v.segment<Dim>(Dim * i);
    const Vec<Dim> arm = x - place.pose.position;
    const Vec<Dim> found = twist.template head<Dim>() +
                           spin_velocity(Spin<Dim>(twist.template tail<kSpins<Dim>>()), arm) + stretch * arm;
    EXPECT_LT((found - expected).norm(), 1e-14) << k;
  }
}

TEST(Facets, points_of_a_facet_move_by_linear_interpolation) {
  expect_linear_interpolation<2>({Vec<2>(0.3, 0.1), Vec<2>(-0.4, 0.7)});
  expect_linear_interpolation<3>({Vec<3>(0.3, 0.1, 0.2), Vec<3>(1.4, 0.7, -0.1), Vec<3>(0.2, 1.1, 0.6)});
}

// A stiff block is stretched, and a soft one that lies on it pressed so that it sticks: nodes of the soft one lie inside facets of the
// other, and go with the very points below them.
double misfit_of_sticking(ContactPoints upper_points, ContactPoints lower_points) {
  constexpr double kStretch = 1e-4, kTime = 1;
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 10), kTime);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  SceneDeformable<2> lower =
      elastic_box<2>("lower", Vec<2>(1.2, 0.3), Vec<2>(0, -0.15), IntVec<2>(4, 1), 1e9);
  SceneDeformable<2> upper = elastic_box<2>("upper", Vec<2>(1, 0.5), Vec<2>(0, 0.25), IntVec<2>(7, 4), 1e3);
  hold(lower, "bottom", 1);
  drag(lower, "left", 0, -0.6 * kStretch / kTime), drag(lower, "right", 0, 0.6 * kStretch / kTime);
  drag(upper, "top", 1, -1e-2 / kTime);
  lower.surfaces = {"top"}, upper.surfaces = {"bottom"};
  lower.points = lower_points, upper.points = upper_points;
  scene.deformable = {lower, upper};
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
  const Eigen::VectorXd& q = simulation.system_coordinates(1);
  double misfit = 0;
  for (std::size_t i = 0; i < upper.mesh->nodes.size(); ++i) {
    const Vec<2>& x = upper.mesh->nodes[i];
    if (std::abs(x.y()) < 1e-9) misfit = std::max(misfit, std::abs(q[2 * i] - kStretch * x.x()));
  }
  return misfit / kStretch;
}

TEST(Facets, what_sticks_to_a_facet_goes_with_the_point_it_sticks_to) {
  // The stiff block gives way to the forces of the soft one by 1e-3/1e9 of its stretch, times some.
  EXPECT_LT(misfit_of_sticking(ContactPoints::nodes, ContactPoints::facets), 1e-5);
}

// Dragged over a base of facets of 5 cm, 2.5 mm in a step.
struct Drag {
  double mean = 0,
         ripple = 0;   // of the tangential force while it slides over the last 20 facets, N/m; relative
  double pressed = 0;  // N/m, mean
  double friction_ripple = 0;  // of the tangential over the normal force, relative
  int contacts = 0;            // of the block with the base, at most
};
struct DraggedBlock {
  int facets = 6;
  double facet = 0.055;  // m
  double poisson = 0;    // of both
};
Drag drag_block(ContactPoints points, ContactPoints base_points, const PairLaw& law, double give,
                const DraggedBlock& dragged = {}) {
  constexpr double kFacet = 0.05, kStep = 2.5e-3;
  const double width = dragged.facets * dragged.facet;
  Scene<2> scene = test::scene<2>(law, 1);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  scene.solver.tolerance_velocity = 1e-11;
  SceneDeformable<2> base =
      elastic_box<2>("base", Vec<2>(2.2, 0.3), Vec<2>(0.55, -0.15), IntVec<2>(44, 4), 1e6, dragged.poisson);
  SceneDeformable<2> block = elastic_box<2>("block", Vec<2>(width, 0.2), Vec<2>(0, 0.1),
                                            IntVec<2>(dragged.facets, 3), 1e6, dragged.poisson);
  hold(base, "bottom", 0), hold(base, "bottom", 1);
  const TimeFunction down = TimeFunction::table({0, 1, 1e9}, {0, -give, -give});
  block.supports.push_back({"top", 1, {Drive::Kind::position, down}, ""});
  drag(block, "top", 0, kStep);
  base.surfaces = {"top"}, block.surfaces = {"bottom"};
  base.points = base_points, block.points = points;
  scene.deformable = {base, block};
  Simulation<2> simulation(scene);
  Drag result;
  double least = 1e300, most = 0, least_friction = 1e300, most_friction = 0;
  const int start = static_cast<int>(2 * kFacet / kStep), end = start + static_cast<int>(20 * kFacet / kStep);
  for (int k = 0; k < end; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    if (k < start) continue;
    double force = 0, normal = 0;
    int touching = 0;
    for (const ContactState<2>& c : simulation.contacts()) {
      const Vec<2> f = c.axes * c.impulse;
      // On the base, to the right: it is the lower one whatever the order of the two.
      const double sign = c.axes(1, 0) > 0 ? -1 : 1;
      force += sign * f.x(), normal += std::abs(f.y()), touching += c.impulse[0] > 0;
    }
    result.mean += force / (end - start), result.pressed += normal / (end - start);
    least = std::min(least, force), most = std::max(most, force);
    least_friction = std::min(least_friction, force / normal);
    most_friction = std::max(most_friction, force / normal);
    result.contacts = std::max(result.contacts, touching);
  }
  result.friction_ripple = (most_friction - least_friction) / (result.mean / result.pressed);
  result.ripple = (most - least) / result.mean;
  return result;
}

// The top of the block is held at its height, so that the force it is pressed with is free to vary from node to node.
TEST(Facets, the_force_on_a_block_dragged_over_twenty_facets_hardly_ripples) {
  const PairLaw law = test::law(LawKind::gap_signorini, 0.3);
  const Drag drag = drag_block(ContactPoints::nodes, ContactPoints::facets, law, 2e-4);
  EXPECT_LT(drag.ripple, 0.02);
  EXPECT_NEAR(drag.mean, 0.3 * drag.pressed, 0.01 * drag.pressed);  // it slides: facets lean by 1e-3
}

// Points of the base alone would carry the block, seven or eight of them, and its ends lie on none: its corners touch too.
TEST(Facets, the_ends_of_a_block_of_facets_carry_their_part) {
  const Drag drag =
      drag_block(ContactPoints::facets, ContactPoints::nodes, test::law(LawKind::gap_signorini, 0.3), 2e-4);
  EXPECT_LT(drag.ripple, 0.02);
  EXPECT_NEAR(drag.mean, 0.3 * drag.pressed, 0.01 * drag.pressed);
}

// Middles and Gauss's points leave the ends of the block to its corners: without these, points of the base that come below an end and go from
// there took their force along, and it rippled by up to 4.2 %. In step with the base (7 facets of 5 cm) all points come to the nodes of
// the base at once, which is the worst case.
TEST(Facets, the_force_hardly_ripples_whatever_the_points) {
  using enum ContactPoints;
  const PairLaw law = test::law(LawKind::gap_signorini, 0.3);
  const std::pair<ContactPoints, ContactPoints> pairs[] = {
      {nodes, nodes},           {nodes, facets},      {middles, middles}, {middles, facets},
      {quadrature, quadrature}, {quadrature, facets}, {facets, nodes}};
  for (const auto& [points, base_points] : pairs)
    for (const double give : {2e-4, 2e-3})
      for (const DraggedBlock& block :
           {DraggedBlock{}, DraggedBlock{7, 0.05, 0.3}, DraggedBlock{9, 0.043, 0.2}}) {
        if (block.facet == 0.05 && give > 1e-3) continue;  // up to 2.1 %: slopes of the base beside the ends
        const Drag drag = drag_block(points, base_points, law, give, block);
        SCOPED_TRACE(fmt::format("points {} over {}, {} m deep, {} facets", static_cast<int>(points),
                                 static_cast<int>(base_points), give, block.facets));
        EXPECT_LT(drag.ripple, 0.02);
        EXPECT_LT(drag.friction_ripple, 0.01);
      }
}

// A soft block of a few large facets comes down on a ball and bends over it, so that the middle of a face stands out towards the ball: no node
// is there, and none of the four facets that meet there has the ball before it.
TEST(Facets, a_block_that_bends_over_a_ball_is_held_at_the_edges_between_its_facets) {
  constexpr double kStep = 1e-3;
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.3), kStep);
  scene.gravity = Vec<3>(0, 0, -10);
  scene.scheme.theta = 0.8;
  SceneDeformable<3> block =
      elastic_box<3>("block", Vec<3>(1, 1, 0.4), Vec<3>(0.03, 0.02, 0.21), IntVec<3>(3, 3, 2), 1e5);
  block.solids = {{"", "linear-elastic", {"", {{"young", 1e5}, {"poisson", 0.3}}}, 1000}};
  block.kinematics = Kinematics::corotational;
  block.damping_mass = 5;
  scene.deformable = {block};
  SceneBody<3> ball;
  ball.shape = Sphere{1};
  ball.pose.position = Vec<3>(0, 0, -1);
  ball.fixed = true;
  scene.bodies.push_back(ball);
  Simulation<3> simulation(scene);
  double deepest = 0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    deepest = std::max(deepest, report.penetration);
  }
  // It lands at 0.45 m/s, within one step: what is left of that is h v at most. A contact found late would be millimetres deep.
  EXPECT_LT(deepest, 0.45 * kStep);
}

// A block on its corner falls along the side of a wall with a sharp upper edge, a micrometre within it. The corner is behind the top of the wall as
// well, 17 cm deep, and looks against it: that is no contact. Without friction nothing holds it.
TEST(Facets, a_corner_beside_a_wall_does_not_touch_its_top) {
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 20;
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0), kStep);
  scene.gravity = Vec<2>(0, -10);
  const auto move_nodes = [](SceneDeformable<2>& body, const Mat<2>& by, const Vec<2>& to) {
    SolidMesh<2> moved = *body.mesh;
    for (Vec<2>& x : moved.nodes) x = by * x + to;
    body.mesh = std::make_shared<SolidMesh<2>>(std::move(moved));
  };
  SceneDeformable<2> wall = elastic_box<2>("wall", Vec<2>(1, 1), Vec<2>::Zero(), IntVec<2>(1, 1), 1e6);
  const double s = std::sin(std::numbers::pi / 3), c = 0.5;
  move_nodes(wall, Mat<2>{{s, 0}, {c, 1}}, Vec<2>(-s / 2, -0.75));  // its right side is x = 0, up to y = 0
  for (const char* side : {"bottom", "top"})
    for (int k = 0; k < 2; ++k) hold(wall, side, k);
  SceneDeformable<2> block = elastic_box<2>("block", Vec<2>(0.2, 0.2), Vec<2>::Zero(), IntVec<2>(2, 2), 1e6);
  const Mat<2> turn{{c, -s}, {s, c}};
  move_nodes(block, turn, Vec<2>(-1e-6, -0.2) - turn * Vec<2>(-0.1, 0.1));
  scene.deformable = {wall, block};
  Simulation<2> simulation(scene);
  for (int k = 0; k < kSteps; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged) << k;
  // g t, of every node, to round-off: nothing touches it but the side, which it leaves alone.
  const Eigen::VectorXd& v = simulation.system_velocity(1);
  for (Eigen::Index i = 1; i < v.size(); i += 2) EXPECT_NEAR(v[i], -10 * kSteps * kStep, 1e-12) << i;
}

// A beam of one element, on edge and held at its ends: the nodes of its ridge are 1 m apart. What comes down between them, with its own corners
// beyond the sides of the beam, has nothing else to touch than the edge.
TEST(Facets, bodies_rest_on_an_edge_far_from_its_nodes) {
  constexpr double kStep = 1e-3, kFall = 0.005, kThick = 0.05;
  const double ridge = 0.2 * std::sqrt(2.0);
  std::vector<Vec<3>> bar, on_edge, block;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) {
        bar.emplace_back(kThick * x, 0.3 * y, kThick * z);
        on_edge.emplace_back(kThick * (x + z) / std::sqrt(2.0), 0.3 * y, kThick * (z - x) / std::sqrt(2.0));
        block.emplace_back(0.1 * x, 0.1 * y, kThick * z);
      }
  const struct {
    const char* name;
    Shape<3> shape;
    double below;  // m, of its centre
  } riders[] = {
      {"capsule across", Capsule<3>{Vec<3>(0, -0.3, 0), Vec<3>(0, 0.3, 0), kThick}, kThick},
      {"capsule askew", Capsule<3>{Vec<3>(-0.2, -0.3, 0), Vec<3>(0.2, 0.3, 0), kThick}, kThick},
      {"capsule along", Capsule<3>{Vec<3>(-0.2, 0, 0), Vec<3>(0.2, 0, 0), kThick}, kThick},
      {"bar across", build_convex_polyhedron(bar), kThick},
      {"bar on edge across", build_convex_polyhedron(on_edge), kThick * std::sqrt(2.0)},
      {"block, narrower than the edge", build_convex_polyhedron(block), kThick},
  };
  for (const auto& rider : riders) {
    Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.8), kStep);
    scene.gravity = Vec<3>(0, 0, -10);
    SceneDeformable<3> beam =
        elastic_box<3>("beam", Vec<3>(1, 0.4, 0.4), Vec<3>::Zero(), IntVec<3>(1, 1, 1), 1e8);
    SolidMesh<3> turned = *beam.mesh;
    for (Vec<3>& x : turned.nodes)
      x = Vec<3>(x.x(), (x.y() - x.z()) / std::sqrt(2.0), (x.y() + x.z()) / std::sqrt(2.0));
    beam.mesh = std::make_shared<SolidMesh<3>>(std::move(turned));
    for (const char* side : {"left", "right"})
      for (int k = 0; k < 3; ++k) hold(beam, side, k);
    scene.deformable = {beam};
    SceneBody<3> body;
    body.name = "rider";
    body.shape = rider.shape;
    body.pose.position = Vec<3>(0.1, 0, ridge + rider.below + kFall);
    scene.bodies.push_back(body);
    Simulation<3> simulation(scene);
    for (int k = 0; k < 150; ++k)
      ASSERT_EQ(simulation.step().status, StepStatus::converged) << rider.name << k;
    // A beam that is held at all its nodes does not bend. It comes down at 0.32 m/s: h v is what a step may leave.
    EXPECT_NEAR(simulation.bodies().pose[0].position.z(), ridge + rider.below, 0.32 * kStep) << rider.name;
    EXPECT_LT(simulation.bodies().velocity[0].norm(), 1e-2) << rider.name;
  }
}

}  // namespace
}  // namespace saltus::deformable_contact_slow_test
