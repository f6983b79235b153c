#include "saltus/exchange/surface_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/drawing/mesh_skin.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/mesh_file.hpp"

namespace saltus::surface_mesh_test {
namespace {

TriangleMesh triangulate(const SurfaceMesh& surface) {
  TriangleMesh mesh;
  mesh.vertices = surface.points;
  std::size_t begin = 0;
  for (const std::int32_t end : surface.ends) {
    for (std::size_t k = begin + 1; k + 1 < static_cast<std::size_t>(end); ++k)
      mesh.triangles.push_back({surface.corners[begin], surface.corners[k], surface.corners[k + 1]});
    begin = static_cast<std::size_t>(end);
  }
  return mesh;
}

TEST(SurfaceMesh, surfaces_of_solids_are_closed_look_outwards_and_enclose_their_volume) {
  const std::vector<std::pair<const char*, Shape<3>>> shapes = {
      {"sphere", Sphere{0.7}},
      {"capsule", Capsule<3>{{0.1, 0, -1}, {0.3, 0.5, 1}, 0.4}},
      {"cylinder", Cylinder{0.5, 0.8}},
      {"ellipsoid", Ellipsoid{{0.5, 0.7, 0.9}}},
      {"box", build_box({1, 2, 3})}};
  for (const auto& [name, shape] : shapes) {
    SurfaceOptions options;
    options.sides = 80;
    const SurfaceMesh surface = build_surface_mesh<3>(shape, options);
    const TriangleMesh mesh = triangulate(surface);
    EXPECT_EQ(count_open_edges(mesh), 0) << name;
    const double volume = compute_volume<3>(shape), found = compute_enclosed_volume(mesh);
    // An inscribed polygon of n sides has sin(2 pi/n)/(2 pi/n) = 1 - 1.03e-3 of the area of its circle (n = 80), a
    // sphere of 40 x 80 patches loses twice as much and, its patches being flat, half of it once more.
    EXPECT_LE(found, volume * (1 + 1e-12)) << name;
    EXPECT_GE(found, volume * (1 - 3e-3)) << name;
  }
}

TEST(SurfaceMesh, plane_shapes_are_flat_polygons_with_their_area) {
  SurfaceOptions options;
  options.sides = 80;
  const auto area = [&](const Shape<2>& shape) {
    double sum = 0;
    const TriangleMesh mesh = triangulate(build_surface_mesh<2>(shape, options));
    for (const auto& t : mesh.triangles)
      sum +=
          (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]).z() /
          2;
    return sum;
  };
  // As above, 1.03e-3 of the area of round parts.
  EXPECT_NEAR(area(Disk{0.3}), M_PI * 0.09, 1.1e-3 * M_PI * 0.09);
  EXPECT_NEAR(area(Capsule<2>{{-1, 0}, {1, 0.5}, 0.2}), 2 * std::hypot(2, 0.5) * 0.2 + M_PI * 0.04,
              1.1e-3 * M_PI * 0.04);
  EXPECT_NEAR(area(build_rectangle(2, 3)), 6, 1e-12);
}

TEST(MeshSkin, of_two_tetrahedra_on_one_face_six_faces_are_outside) {
  const std::vector<Vec<3>> nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  TriangleMesh skin;
  skin.vertices = nodes;
  skin.triangles = build_skin(std::vector<std::array<int, 4>>{{0, 1, 2, 3}, {1, 2, 3, 4}});
  EXPECT_EQ(skin.triangles.size(), 6u);
  EXPECT_EQ(count_open_edges(skin), 0);
  // 1/6 of the first; the second has the corner 4 on the other side of the plane x + y + z = 1: 2/6.
  EXPECT_NEAR(compute_enclosed_volume(skin), 0.5, 1e-12);
}

}  // namespace
}  // namespace saltus::surface_mesh_test
