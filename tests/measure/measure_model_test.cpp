// Flux, counts, surfaces, oblique profiles and networks against answers known beforehand, on snapshots made
// by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/measure/contact_network.hpp"
#include "saltus/measure/measure.hpp"

namespace saltus::measure_model_test {
namespace {

template <int Dim>
struct World {
  std::vector<Shape<Dim>> shapes;
  std::vector<std::string> names;
  Snapshot<Dim> snapshot;

  World() { shapes.reserve(4096); }
  int add(const Shape<Dim>& shape, const Vec<Dim>& position, const std::string& name = "grain") {
    shapes.push_back(shape);
    SnapshotBody<Dim> body;
    body.id = static_cast<BodyId>(names.size());
    body.shape = &shapes.back();
    body.pose = Pose<Dim>(position);
    body.volume = compute_volume<Dim>(shape);
    body.mass = body.volume > 0 ? body.volume : 1;
    body.is_grain = body.volume > 0;
    snapshot.bodies.push_back(body);
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
  }
  // A contact halfway between two centres; of a wall where it is said to be.
  void touch(int a, int b, double force) {
    const Vec<Dim> xa = at(a).pose.position, xb = at(b).pose.position;
    touch(a, b, force, 0.5 * (xa + xb), xb - xa);
  }
  void touch(int a, int b, double force, const Vec<Dim>& point, const Vec<Dim>& normal) {
    SnapshotContact<Dim> c;
    c.a = a, c.b = b, c.point = point;
    const Vec<Dim> n = normal.normalized();
    c.axes.col(0) = n;
    if constexpr (Dim == 2) c.axes.col(1) = quarter_turn(n);
    c.force[0] = force;
    snapshot.contacts.push_back(c);
  }
  SnapshotBody<Dim>& at(int i) { return snapshot.bodies[static_cast<std::size_t>(i)]; }
};

template <int Dim>
class Reading {
 public:
  Reading(const MeasureSpec<Dim>& spec, const World<Dim>& world)
      : measurer_({named(spec)}, world.names, world.snapshot) {}
  std::map<std::string, double> read(const World<Dim>& world) {
    std::vector<double> row;
    measurer_.measure(world.snapshot, row);
    std::map<std::string, double> numbers;
    for (std::size_t i = 0; i < row.size(); ++i) numbers[measurer_.columns()[i].substr(2)] = row[i];
    return numbers;
  }
  Measurer<Dim>& measurer() { return measurer_; }

 private:
  static MeasureSpec<Dim> named(MeasureSpec<Dim> spec) {
    spec.name = "m", spec.where = "test";
    return spec;
  }
  Measurer<Dim> measurer_;
};

TEST(MeasureFlux, every_grain_that_passes_a_segment_counts_once_and_with_its_sign) {
  World<2> world;
  for (int i = 0; i < 10; ++i) world.add(Disk{0.1}, Vec<2>(0.5 * i, 1));  // at x = 0, 0.5 ... 4.5
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::flux;
  spec.gate = {GateSpec<2>::Kind::disc, Vec<2>(2, 0), Vec<2>(0, -2), Vec<2>::UnitX(), 1.1, Vec<2>::Zero()};
  Reading<2> flux(spec, world);
  EXPECT_EQ(flux.read(world)["net"], 0);
  // All fall to y = -1, drifting by 0.2 on the way: they pass y = 0 at x + 0.1, and 0.9 <= x + 0.1 <= 3.1 are
  // x = 1, 1.5, 2, 2.5, 3.
  for (auto& body : world.snapshot.bodies) body.pose.position += Vec<2>(0.2, -2);
  world.snapshot.time = 0.5;
  auto row = flux.read(world);
  EXPECT_EQ(row["forward"], 5);
  EXPECT_EQ(row["backward"], 0);
  EXPECT_EQ(row["rate"], 10);
  EXPECT_NEAR(row["mass"], 5 * M_PI * 0.01, 1e-15);
  // Two go back up, one more beside the segment.
  world.at(3).pose.position.y() = 0.3, world.at(4).pose.position.y() = 0.5;
  world.at(0).pose.position.y() = 1;
  world.snapshot.time = 1;
  row = flux.read(world);
  EXPECT_EQ(row["net"], 3);
  EXPECT_EQ(row["backward"], 2);
  EXPECT_NEAR(row["mass_rate"], -2 * M_PI * 0.01 / 0.5, 1e-15);
  // Who stops on the line has passed it, and does not again when it goes on.
  world.at(3).pose.position.y() = 0;
  world.snapshot.time = 1.5;
  EXPECT_EQ(flux.read(world)["net"], 4);
  world.at(3).pose.position.y() = -1;
  world.snapshot.time = 2;
  EXPECT_EQ(flux.read(world)["net"], 4);
}

TEST(MeasureFlux, a_turn_around_a_periodic_cell_is_one_passage_wherever_the_gate_is) {
  for (const double place : {0.0, 0.05, 0.5, 0.95}) {
    World<2> world;
    world.snapshot.period = Vec<2>(1, 0);
    world.add(Disk{0.01}, Vec<2>(0.013, 0));
    MeasureSpec<2> spec;
    spec.kind = MeasureKind::flux;
    spec.gate.point = Vec<2>(place, 0), spec.gate.normal = Vec<2>(1, 0);
    Reading<2> flux(spec, world);
    double net = 0;
    for (int step = 1; step <= 60; ++step) {  // three turns of 20 steps, positions kept in the cell
      world.at(0).pose.position.x() = std::fmod(0.013 + 0.05 * step, 1.0);
      world.snapshot.time = step;
      net = flux.read(world)["net"];
    }
    EXPECT_EQ(net, 3) << place;
  }
}

TEST(MeasureFlux, discs_and_rectangles_of_space_let_through_what_meets_them) {
  World<3> world;
  for (int i = -10; i <= 10; ++i)
    for (int j = -10; j <= 10; ++j) world.add(Sphere{0.01}, Vec<3>(0.1 * i, 0.1 * j, 1));
  MeasureSpec<3> disc, rectangle;
  disc.kind = rectangle.kind = MeasureKind::flux;
  disc.gate.kind = GateSpec<3>::Kind::disc, disc.gate.radius = 0.505;
  disc.gate.normal = rectangle.gate.normal = Vec<3>(0, 0, -1);
  rectangle.gate.kind = GateSpec<3>::Kind::rectangle, rectangle.gate.sides = Vec<2>(1.01, 0.41);
  rectangle.gate.along = Vec<3>(0, 1, 5);  // only its part in the plane counts
  Reading<3> through_disc(disc, world), through_rectangle(rectangle, world);
  int in_disc = 0;
  for (int i = -10; i <= 10; ++i)
    for (int j = -10; j <= 10; ++j) in_disc += i * i + j * j <= 25;
  for (auto& body : world.snapshot.bodies) body.pose.position.z() = -1;
  world.snapshot.time = 1;
  EXPECT_EQ(through_disc.read(world)["net"], in_disc);
  EXPECT_EQ(through_rectangle.read(world)["net"], 11 * 5);
}

TEST(MeasureFlux, what_it_remembers_is_saved_and_restored) {
  World<2> world;
  world.add(Disk{0.1}, Vec<2>(0, 1), "large-0");
  world.add(Disk{0.1}, Vec<2>(0, 1), "small-0");
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::flux;
  spec.bodies = {"large"};
  Reading<2> first(spec, world);
  world.at(0).pose.position.y() = world.at(1).pose.position.y() = -1;
  world.snapshot.time = 1;
  EXPECT_EQ(first.read(world)["net"], -1);  // one of the two
  Reading<2> again(spec, world);
  again.measurer().restore(first.measurer().memory());
  world.at(0).pose.position.y() = 1;
  world.snapshot.time = 3;
  EXPECT_EQ(first.read(world), again.read(world));
  EXPECT_THROW(again.measurer().restore(std::vector<double>{1, 2}), InputError);
  spec.bodies = {"larg"};
  EXPECT_THROW(Reading<2>(spec, world), InputError);
}

TEST(MeasureCount, grains_of_a_region_are_counted_by_their_centres_and_by_their_parts) {
  World<2> world;
  for (int i = 0; i < 4; ++i) world.add(build_rectangle(1, 1), Vec<2>(i + 0.75, 0.5), "brick");
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::count;
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(2, 2);
  Reading<2> count(spec, world);
  const auto row = count.read(world);
  EXPECT_EQ(row.at("number"), 2);          // centres at 0.75 and 1.75
  EXPECT_EQ(row.at("density"), 0.5);       // over 4 m2
  EXPECT_EQ(row.at("mass"), 2);            // density 1
  EXPECT_EQ(row.at("mass_inside"), 1.75);  // from 0.25 to 2
}

TEST(MeasureProfile, slices_along_a_diagonal_see_each_grain_in_its_own) {
  // Disks along the diagonal of a square, further apart than they are wide, with velocities along it.
  World<2> world;
  const Vec<2> along = Vec<2>(1, 1).normalized();
  for (int i = 0; i < 4; ++i) {
    world.add(Disk{0.1}, (2 * i + 1) * std::sqrt(2) / 8 * along);
    world.at(i).velocity = (i + 1) * along;
  }
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::profile;
  spec.of = {"velocity.along", "solid_fraction"};
  spec.along = along;
  spec.bins = 4;
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(1, 1);
  Reading<2> profile(spec, world);
  const auto row = profile.read(world);
  // The diagonal is sqrt(2) long: slices of sqrt(2)/4, with middles where the disks are; the outer ones are
  // triangles of area 1/8, the inner ones have the rest of the half square.
  for (int i = 0; i < 4; ++i) {
    const std::string place = fmt::format("@{:.6g}", (2 * i + 1) * std::sqrt(2) / 8);
    EXPECT_NEAR(row.at("velocity.along" + place), i + 1, 1e-14);
    const double area = i == 0 || i == 3 ? 1.0 / 8 : 3.0 / 8;
    EXPECT_NEAR(row.at("solid_fraction" + place), M_PI * 0.01 / area, 1e-13);
  }
}

TEST(MeasureProfile, slip_is_the_mean_over_the_contacts_of_a_slice) {
  World<2> world;
  for (int i = 0; i < 3; ++i) world.add(Disk{0.1}, Vec<2>(0.5, 0.25 * i + 0.2));
  world.touch(0, 1, 1, Vec<2>(0.5, 0.1), Vec<2>::UnitY());
  world.touch(0, 1, 1, Vec<2>(0.6, 0.2), Vec<2>::UnitY());
  world.touch(1, 2, 1, Vec<2>(0.5, 0.7), Vec<2>::UnitY());
  world.snapshot.contacts[0].velocity = Vec<2>(5, 1);  // the normal part is no slip
  world.snapshot.contacts[1].velocity = Vec<2>(0, -3);
  world.snapshot.contacts[2].velocity = Vec<2>(0, 4);
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::profile;
  spec.of = {"slip"};
  spec.axis = 1;
  spec.bins = 3;
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(1, 0.9);
  Reading<2> profile(spec, world);
  const auto row = profile.read(world);
  EXPECT_DOUBLE_EQ(row.at("slip@0.15"), 2);
  EXPECT_TRUE(std::isnan(row.at("slip@0.45")));
  EXPECT_DOUBLE_EQ(row.at("slip@0.75"), 4);
}

// A wedge of one polygon: 0.3 on one side, 0.6 on the other.
TEST(MeasureSurface, the_flanks_of_a_triangle_have_its_angles) {
  World<2> world;
  world.add(build_convex_polygon({{-2, 0}, {1, 0}, {0, 0.6}}), Vec<2>::Zero());
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::surface;
  spec.bins = 300;
  Reading<2> surface(spec, world);
  const auto row = surface.read(world);
  EXPECT_NEAR(row.at("left"), std::atan(0.3), 1e-12);
  EXPECT_NEAR(row.at("right"), std::atan(0.6), 1e-12);
  EXPECT_NEAR(row.at("top"), 0.6, 0.6 * 0.01);  // a bin is 0.01 m wide, its middle within half of that
  // The same in one part: a line.
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(-1.5, 0), spec.region.high = Vec<2>(-0.5, 1);
  const auto part = Reading<2>(spec, world).read(world);
  EXPECT_NEAR(part.at("angle"), std::atan(0.3), 1e-12);
  EXPECT_NEAR(part.at("rms"), 0, 1e-12);
}

TEST(MeasureSurface, a_heap_of_disks_on_a_hexagonal_lattice_has_flanks_of_sixty_degrees) {
  World<2> world;
  const int rows = 40;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows - j; ++i)
      world.add(Disk{0.5}, Vec<2>(i - 0.5 * (rows - j - 1), 0.5 + j * std::sqrt(0.75)));
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::surface;
  spec.bins = 400;
  const auto row = Reading<2>(spec, world).read(world);
  // The surface is a straight line with bumps that repeat with every row: over the 24 rows of the fit they
  // shift the slope by at most their depth (half a diameter's row, 0.9) over the length of the fit (24).
  EXPECT_NEAR(row.at("left"), M_PI / 3, 0.02);
  EXPECT_NEAR(row.at("right"), M_PI / 3, 0.02);
  EXPECT_NEAR(row.at("angle"), 0, 1e-12);  // symmetric
}

TEST(MeasureSurface, a_plane_of_space_has_its_angle_and_its_direction_and_a_cone_its_flank) {
  World<3> world;
  // z = 1 + 0.2 x + 0.1 y over a square, as a polyhedron.
  std::vector<Vec<3>> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      corners.insert(corners.end(), {{x, y, 0}, {x, y, 1 + 0.2 * x + 0.1 * y}});
  world.add(build_convex_polyhedron(corners), Vec<3>::Zero());
  MeasureSpec<3> spec;
  spec.kind = MeasureKind::surface;
  spec.bins = 20;
  const auto plane = Reading<3>(spec, world).read(world);
  EXPECT_NEAR(plane.at("angle"), std::atan(std::hypot(0.2, 0.1)), 1e-12);
  EXPECT_NEAR(plane.at("direction"), std::atan2(0.1, 0.2), 1e-12);

  World<3> heap;
  std::vector<Vec<3>> cone = {{0, 0, 0.5}};
  for (int i = 0; i < 200; ++i) cone.emplace_back(std::cos(M_PI * i / 100), std::sin(M_PI * i / 100), 0);
  heap.add(build_convex_polyhedron(cone), Vec<3>::Zero());
  spec.bins = 60;
  // A pyramid of 200 sides is within (pi/200)^2/2 = 1.2e-4 of the cone.
  EXPECT_NEAR(Reading<3>(spec, heap).read(heap).at("flank"), std::atan(0.5), 2e-4);
}

// n x m disks on a square lattice, with forces along x of `across` and along y of `up`.
World<2> lattice(int n, int m, double across, double up) {
  World<2> world;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) world.add(Disk{0.5}, Vec<2>(i + 0.5, j + 0.5));
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      if (i + 1 < n) world.touch(j * n + i, j * n + i + 1, across);
      if (j + 1 < m) world.touch(j * n + i, (j + 1) * n + i, up);
    }
  const int floor = world.add(HalfPlane{Vec<2>(0, 1), 0}, Vec<2>(0, 0), "floor");
  const int lid = world.add(HalfPlane{Vec<2>(0, -1), 0}, Vec<2>(0, m), "lid");
  for (int i = 0; i < n; ++i) {
    world.touch(i, floor, up, Vec<2>(i + 0.5, 0), Vec<2>(0, -1));
    world.touch((m - 1) * n + i, lid, up, Vec<2>(i + 0.5, m), Vec<2>(0, 1));
  }
  return world;
}

TEST(MeasureNetwork, a_square_lattice_under_load_has_columns_for_chains_and_squares_for_loops) {
  World<2> world = lattice(5, 7, 1, 4);
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::network;
  const auto row = Reading<2>(spec, world).read(world);
  const int across = 4 * 7, up = 5 * 6;
  EXPECT_EQ(row.at("edges"), across + up);
  EXPECT_EQ(row.at("loops"), 4 * 6);
  EXPECT_EQ(row.at("triangles"), 0);
  EXPECT_EQ(row.at("components"), 1);
  EXPECT_EQ(row.at("largest"), 1);
  const double mean = (across * 1.0 + up * 4.0) / (across + up);
  EXPECT_NEAR(row.at("strong"), up / double(across + up), 1e-15);
  EXPECT_NEAR(row.at("strong_share"), up * 4 / (up * 4.0 + across), 1e-15);
  EXPECT_NEAR(row.at("percolation_y"), 4 / mean, 1e-15);
  EXPECT_TRUE(std::isnan(row.at("percolation_x")));  // no walls there
  // All have the same major stress: none is above the mean but by round-off, so load one column more.
  World<2> loaded = lattice(5, 7, 1, 4);
  for (auto& c : loaded.snapshot.contacts)
    if (std::abs(c.point.x() - 2.5) < 0.1 && std::abs(c.axes(1, 0)) > 0.5) c.force[0] = 8;
  const auto one = Reading<2>(spec, loaded).read(loaded);
  EXPECT_EQ(one.at("chains"), 1);
  EXPECT_EQ(one.at("chain_length"), 7);
  EXPECT_EQ(one.at("chain_longest"), 7);
  EXPECT_NEAR(one.at("in_chains"), 7.0 / 35, 1e-15);
}

TEST(MeasureNetwork, the_weakest_link_of_the_strongest_way_decides_percolation) {
  World<2> world = lattice(3, 4, 0.5, 1);
  // A way from the floor to the lid that changes column: 10 up the first, 6 across, 8 up the second.
  const auto set = [&](const Vec<2>& point, double force) {
    int found = 0;
    for (auto& c : world.snapshot.contacts)
      if ((c.point - point).norm() < 1e-9) c.force[0] = force, ++found;
    EXPECT_EQ(found, 1);
  };
  set({0.5, 0}, 10), set({0.5, 1}, 10), set({1, 1.5}, 6), set({1.5, 2}, 8), set({1.5, 3}, 8),
      set({1.5, 4}, 9);
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::network;
  double sum = 0, edges = 0;
  for (const auto& c : world.snapshot.contacts)
    if (world.at(c.b).is_grain) sum += c.force[0], ++edges;
  EXPECT_NEAR(Reading<2>(spec, world).read(world).at("percolation_y"), 6 / (sum / edges), 1e-14);
  // Inside a box that the grains of the ends reach, walls do not matter: across, the way is of 0.5 but for
  // the strong piece.
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(0.2, 0.2), spec.region.high = Vec<2>(2.8, 3.8);
  EXPECT_NEAR(Reading<2>(spec, world).read(world).at("percolation_x"), 0.5 / (sum / edges), 1e-14);
}

TEST(MeasureNetwork, in_a_periodic_cell_edges_must_go_around) {
  World<2> world;
  world.snapshot.period = Vec<2>(4, 0);
  for (int i = 0; i < 4; ++i) world.add(Disk{0.5}, Vec<2>(i + 0.5, 0));
  for (int i = 0; i < 3; ++i) world.touch(i, i + 1, 3);
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::network;
  EXPECT_TRUE(std::isnan(Reading<2>(spec, world).read(world).at("percolation_x")));
  world.touch(3, 0, 1, Vec<2>(4, 0), Vec<2>(1, 0));
  const auto row = Reading<2>(spec, world).read(world);
  EXPECT_NEAR(row.at("percolation_x"), 1 / 2.5, 1e-15);
  EXPECT_EQ(row.at("loops"), 1);
}

// Grains anywhere, in contact with their neighbours; the same grains after each has travelled whole cells, contacts where one of
// the two grains is.
template <int Dim>
struct Travelled {
  World<Dim> before, after;
};
template <int Dim, class MakeShape>
Travelled<Dim> make_travelled(const MakeShape& make_shape) {
  Travelled<Dim> worlds;
  Vec<Dim> period = Vec<Dim>::Constant(2);
  period[Dim - 1] = 0;  // 2 m each way, but for the vertical
  unsigned state = 7;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) / 4294967296.0; };
  for (World<Dim>* world : {&worlds.before, &worlds.after}) world->snapshot.period = period;
  for (int i = 0; i < 60; ++i) {
    Vec<Dim> x, turns = Vec<Dim>::Zero();
    for (int k = 0; k < Dim; ++k) x[k] = 2 * random();
    for (int k = 0; k < Dim - 1; ++k) turns[k] = std::floor(7 * random()) - 3;
    const Shape<Dim> shape = make_shape(0.05 + 0.1 * random());
    const Vec<Dim> velocity = Vec<Dim>::Constant(random()) + Vec<Dim>::Unit(0);
    worlds.before.add(shape, x), worlds.after.add(shape, x + turns.cwiseProduct(period));
    for (World<Dim>* world : {&worlds.before, &worlds.after}) world->at(i).velocity = velocity;
  }
  for (int i = 0; i + 1 < 60;
       ++i) {  // forces between any two, at the image of the second nearest to the first
    const double force = 1 + random();
    for (World<Dim>* world : {&worlds.before, &worlds.after}) {
      const Vec<Dim> from = world->at(i).pose.position;
      Vec<Dim> apart = world->at(i + 1).pose.position - from;
      for (int k = 0; k < Dim - 1; ++k) apart[k] -= 2 * std::round(apart[k] / 2);
      world->touch(i, i + 1, force, from + 0.5 * apart, apart);
    }
  }
  return worlds;
}

template <int Dim>
std::vector<MeasureSpec<Dim>> measures_of_regions() {
  std::vector<MeasureSpec<Dim>> specs;
  for (const MeasureKind kind :
       {MeasureKind::count, MeasureKind::packing, MeasureKind::stress, MeasureKind::fabric,
        MeasureKind::surface, MeasureKind::profile, MeasureKind::network})
    for (const double high : {0.9, 2.0, 7.0}) {  // part of the cell, the cell, more than the cell
      MeasureSpec<Dim> spec;
      spec.kind = kind;
      spec.bins = 4;
      spec.region.kind = RegionSpec<Dim>::Kind::box;
      spec.region.low = Vec<Dim>::Constant(0), spec.region.high = Vec<Dim>::Constant(high);
      spec.of = {"solid_fraction", "velocity.x", "slip", "stress.xx", "stress.p"};
      for (int axis = 0; axis < (kind == MeasureKind::profile ? Dim : 1); ++axis) {
        spec.axis = axis;
        specs.push_back(spec);
      }
      if (kind != MeasureKind::profile) continue;
      spec.axis = 0, spec.along = Vec<Dim>::Ones().normalized();
      specs.push_back(spec);
      spec.axis = -1, spec.along = Vec<Dim>::Zero(), spec.of = {"solid_fraction", "velocity.radial", "slip"};
      spec.region.kind = RegionSpec<Dim>::Kind::ring;
      spec.region.centre = Vec<Dim>::Constant(0.1), spec.region.r0 = 0.2, spec.region.r1 = high / 2;
      specs.push_back(spec);
    }
  return specs;
}

template <int Dim>
void expect_same(const Travelled<Dim>& worlds) {
  for (const MeasureSpec<Dim>& spec : measures_of_regions<Dim>()) {
    const auto expected = Reading<Dim>(spec, worlds.before).read(worlds.before);
    // The first snapshot gives names and places: that of the grains before.
    const auto got = Reading<Dim>(spec, worlds.before).read(worlds.after);
    for (const auto& [part, value] : expected) {
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(got.at(part))) << part;
        continue;
      }
      // Places of up to 8 m have a round-off of 1e-15 m, which is 2e-14 of the least radius.
      EXPECT_NEAR(got.at(part), value, 1e-11 * std::max(1.0, std::abs(value)))
          << static_cast<int>(spec.kind) << " " << part << " " << spec.region.high[0];
    }
  }
}

TEST(MeasureRegion, in_the_plane_it_does_not_matter_how_often_grains_went_around_the_cell) {
  expect_same<2>(make_travelled<2>([](double size) { return Shape<2>(Disk{size}); }));
  expect_same<2>(make_travelled<2>([](double size) { return Shape<2>(build_rectangle(size, 2 * size)); }));
}

TEST(MeasureRegion, in_space_it_does_not_matter_how_often_grains_went_around_the_cell) {
  expect_same<3>(make_travelled<3>([](double size) { return Shape<3>(Sphere{size}); }));
  expect_same<3>(
      make_travelled<3>([](double size) { return Shape<3>(build_box(Vec<3>(size, 2 * size, size))); }));
}

// Two halves of a disk across the border, by hand: one in each half of the cell.
TEST(MeasureRegion, a_grain_across_the_border_of_the_cell_has_a_part_at_either_end) {
  for (const double x : {0.0, 1.0, -3.0, 17.0}) {
    World<2> world;
    world.snapshot.period = Vec<2>(1, 0);
    world.add(Disk{0.1}, Vec<2>(x, 0.5));
    MeasureSpec<2> spec;
    spec.kind = MeasureKind::count;
    spec.region.kind = RegionSpec<2>::Kind::box;
    const double half = M_PI * 0.01 / 2;
    for (const double from : {0.0, 0.5}) {
      spec.region.low = Vec<2>(from, 0), spec.region.high = Vec<2>(from + 0.5, 1);
      const auto row = Reading<2>(spec, world).read(world);
      EXPECT_NEAR(row.at("mass_inside"), half, 1e-15) << x << " " << from;
      EXPECT_EQ(row.at("number"), from == 0) << x << " " << from;
    }
    // The whole cell, and what the user may take for everything: the grain, once.
    for (const double to : {1.0, 50.0}) {
      spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(to, 1);
      const auto row = Reading<2>(spec, world).read(world);
      EXPECT_NEAR(row.at("mass_inside"), 2 * half, 1e-15) << x;
      EXPECT_EQ(row.at("number"), 1);
      EXPECT_EQ(row.at("density"), 1);
    }
  }
}

TEST(MeasureRegion, a_grain_on_the_border_but_for_round_off_is_in_the_cell_once) {
  for (const double x : {-1e-17, 0.0, 1.0 - 1e-16, 1.0, -2 - 5e-16}) {
    World<2> world;
    world.snapshot.period = Vec<2>(1, 0);
    world.add(Capsule<2>{Vec<2>(-0.1, 0), Vec<2>(0.1, 0), 0.1}, Vec<2>(x, 0.5));
    MeasureSpec<2> spec;
    spec.kind = MeasureKind::count;
    spec.region.kind = RegionSpec<2>::Kind::box;
    spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(1, 1);
    const auto row = Reading<2>(spec, world).read(world);
    EXPECT_EQ(row.at("number"), 1) << x;
    EXPECT_EQ(row.at("mass_inside"), row.at("mass")) << x;
  }
}

TEST(MeasureRegion, what_is_outside_of_it_has_no_part_inside_nor_a_negative_one) {
  World<2> world;
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::packing;
  spec.region.kind = RegionSpec<2>::Kind::box;
  spec.region.low = Vec<2>(0, 0), spec.region.high = Vec<2>(1, 0.7);
  for (int i = 0; i < 100; ++i) world.add(Disk{0.01 + 0.001 * i}, Vec<2>(1.2 + 0.013 * i, 0.37 + 0.11 * i));
  EXPECT_EQ(Reading<2>(spec, world).read(world).at("solid"), 0);
  EXPECT_EQ(Reading<2>(spec, world).read(world).at("solid_fraction"), 0);
}

TEST(MeasureExtent, a_gap_along_a_periodic_direction_is_refused) {
  World<2> world;
  world.snapshot.period = Vec<2>(1, 0);
  world.add(Disk{0.1}, Vec<2>(0.5, 0));
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::extent;
  spec.gap = 0.1;
  EXPECT_THROW(Reading<2>(spec, world), InputError);
}

TEST(MeasureNetwork, a_hexagonal_patch_has_a_triangle_for_every_loop) {
  World<2> world;
  std::vector<Vec<2>> places = {Vec<2>::Zero()};
  for (int i = 0; i < 6; ++i) places.emplace_back(std::cos(i * M_PI / 3), std::sin(i * M_PI / 3));
  for (const Vec<2>& x : places) world.add(Disk{0.5}, x);
  for (int i = 1; i <= 6; ++i) world.touch(0, i, 1), world.touch(i, i % 6 + 1, 1);
  MeasureSpec<2> spec;
  spec.kind = MeasureKind::network;
  const auto row = Reading<2>(spec, world).read(world);
  EXPECT_EQ(row.at("edges"), 12);
  EXPECT_EQ(row.at("loops"), 6);
  EXPECT_EQ(row.at("triangles"), 6);
}

}  // namespace
}  // namespace saltus::measure_model_test
