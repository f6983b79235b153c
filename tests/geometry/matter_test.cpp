// Points in and out of the matter of shapes, those of polylines and meshes against solids of the same form.
#include "saltus/geometry/matter.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::matter_test {
namespace {

template <int Dim>
Vec<Dim> random_point(std::mt19937_64& engine, double size) {
  std::uniform_real_distribution<> uniform(-size, size);
  Vec<Dim> x;
  for (int k = 0; k < Dim; ++k) x[k] = uniform(engine);
  return x;
}

// The faces of a polyhedron as triangles about their first corner.
TriangleMesh surface_of(const ConvexPolyhedron& solid) {
  TriangleMesh mesh;
  mesh.vertices = solid.vertices;
  for (int f = 0; f < solid.faces(); ++f)
    for (int k = 1; k + 1 < solid.corners(f); ++k) {
      const int* corner = solid.face_vertex.data() + solid.face_begin[f];
      mesh.triangles.push_back({corner[0], corner[k], corner[k + 1]});
    }
  return mesh;
}

TEST(Matter, of_a_closed_mesh_is_that_of_the_solid_it_encloses) {
  std::mt19937_64 engine(3);
  std::vector<Vec<3>> points;
  for (int i = 0; i < 30; ++i) points.push_back(random_point<3>(engine, 1));
  const ConvexPolyhedron solid = build_convex_polyhedron(points);
  const TriangleMesh mesh = surface_of(solid);
  TriangleMesh turned = mesh;
  for (auto& t : turned.triangles) std::swap(t[1], t[2]);
  const Shape<3> shapes[] = {solid, mesh, turned};
  const Matter<3> filled(shapes[0]), surface(shapes[1]), container(shapes[2]);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec<3> x = random_point<3>(engine, 1.3);
    inside += filled.contains(x);
    ASSERT_EQ(surface.contains(x), filled.contains(x)) << x.transpose();
    ASSERT_EQ(container.contains(x), !filled.contains(x)) << x.transpose();
  }
  EXPECT_GT(inside, 200);
}

TEST(Matter, of_a_clockwise_polyline_is_an_island_and_of_the_other_way_round_a_container) {
  // A star: nearest points are often corners, convex ones and hollow ones.
  Polyline star{{}, true};
  for (int i = 0; i < 10; ++i) {
    const double angle = -2 * std::acos(-1.0) * i / 10, radius = i % 2 ? 0.4 : 1;
    star.points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  Polyline container = star;
  std::reverse(container.points.begin(), container.points.end());
  const Shape<2> shapes[] = {star, container};
  const Matter<2> island(shapes[0]), wall(shapes[1]);
  std::mt19937_64 engine(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec<2> x = random_point<2>(engine, 1.2);
    // Crossings of a ray, the other way to tell.
    bool inside = false;
    for (int k = 0; k < 10; ++k) {
      const Vec<2>&p = star.points[k], &q = star.points[(k + 1) % 10];
      if ((p.y() > x.y()) != (q.y() > x.y()) &&
          x.x() < p.x() + (x.y() - p.y()) * (q.x() - p.x()) / (q.y() - p.y()))
        inside = !inside;
    }
    ASSERT_EQ(island.contains(x), inside) << x.transpose();
    ASSERT_EQ(wall.contains(x), !inside) << x.transpose();
  }
}

TEST(Matter, of_an_open_ground_is_behind_it_but_not_past_its_rim) {
  const Shape<2> ground = Polyline{{{0, 0}, {1, 0}, {2, 1}}};
  const Matter<2> matter(ground);
  EXPECT_TRUE(matter.contains({0.5, -0.3}));
  EXPECT_FALSE(matter.contains({0.5, 0.3}));
  EXPECT_TRUE(matter.contains({1.1, -0.4}));    // nearest to the corner
  EXPECT_FALSE(matter.contains({-0.2, -0.3}));  // nearest to the end
  EXPECT_FALSE(matter.contains({2.5, 0.5}));
  const Shape<3> field = build_height_field(3, 3, 1, 1, {0, 0, 0, 0, 1, 0, 0, 0, 0});
  const Matter<3> hill(field);
  EXPECT_TRUE(hill.contains({1, 1, 0.5}));
  EXPECT_FALSE(hill.contains({1, 1, 1.5}));
  EXPECT_FALSE(hill.contains({-0.5, 1, -0.1}));
}

TEST(Matter, of_solids_and_walls_is_what_they_are_made_of) {
  const auto has = [](const auto& shape, auto x) {
    constexpr int Dim = decltype(x)::RowsAtCompileTime;
    const Shape<Dim> any = shape;
    return Matter<Dim>(any).contains(x);
  };
  EXPECT_TRUE(has(Disk{1}, Vec<2>(0.6, 0.6)));
  EXPECT_FALSE(has(Disk{1}, Vec<2>(0.8, 0.8)));
  EXPECT_TRUE(has(HollowSphere{1}, Vec<3>(0.8, 0.8, 0)));
  EXPECT_FALSE(has(HollowSphere{1}, Vec<3>(0.6, 0.6, 0)));
  EXPECT_TRUE(has(HollowCylinder{1}, Vec<3>(0, 2, 5)));
  EXPECT_TRUE(has(Cylinder{1, 0.5}, Vec<3>(0.9, 0, 0.4)));
  EXPECT_FALSE(has(Cylinder{1, 0.5}, Vec<3>(0.9, 0, 0.6)));
  EXPECT_TRUE(has(Capsule<2>{Vec<2>(0, 0), Vec<2>(1, 0), 0.2}, Vec<2>(1.1, 0.1)));
  EXPECT_TRUE(has(Plane{Vec<3>(0, 1, 0), 2}, Vec<3>(9, 1.9, 0)));
  EXPECT_FALSE(has(Plane{Vec<3>(0, 1, 0), 2}, Vec<3>(9, 2.1, 0)));
  EXPECT_TRUE(has(build_rectangle(2, 1), Vec<2>(0.9, -0.4)));
  EXPECT_FALSE(has(build_rectangle(2, 1), Vec<2>(0.9, -0.6)));
  Compound<2> compound;
  compound.parts.push_back({build_rectangle(1, 1), Pose<2>(Vec<2>(5, 0))});
  EXPECT_TRUE(has(compound, Vec<2>(5.4, 0)));
  EXPECT_FALSE(has(compound, Vec<2>(0, 0)));
}

}  // namespace
}  // namespace saltus::matter_test
