#include "saltus/meshes/mesh_shapes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_nodes.hpp"

namespace saltus {

namespace {

void require_positive(double value, const char* what, const std::string& where) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(where, what, fmt::format("{}", value), "above 0");
}

template <int Dim>
void require_sizes(const Vec<Dim>& size, const std::string& where) {
  for (int d = 0; d < Dim; ++d) require_positive(size[d], "size of the mesh", where);
}

// What is the same of a disk and its cylinder: five patches, the core and four parts of the rings, each a map of the unit
// square to the plane.
class DiskPatches {
 public:
  explicit DiskPatches(double radius) : radius_(radius) {}

  // The edge of the core bulges half way from a straight line to an arc, so that its corners stay well below half a turn.
  Vec<2> core_edge(double s) const {
    const double angle = (s - 0.5) * std::numbers::pi / 2, half = kCore * radius_ / std::numbers::sqrt2;
    const Vec<2> arc = kCore * radius_ * Vec<2>(std::cos(angle), std::sin(angle));
    const Vec<2> straight(half, half * (2 * s - 1));
    return 0.5 * (arc + straight);
  }
  // x = core_edge turned to the right, top, left, bottom by quarter turns.
  static Vec<2> turn(const Vec<2>& x, int quarters) {
    Vec<2> turned = x;
    for (int k = 0; k < quarters; ++k) turned = quarter_turn(turned);
    return turned;
  }
  // Coons' patch between the four edges.
  Vec<2> core(const Vec<2>& u) const {
    const double s = u.x(), t = u.y();
    const Vec<2> right = core_edge(t), top = turn(core_edge(1 - s), 1), left = turn(core_edge(1 - t), 2),
                 bottom = turn(core_edge(s), 3);
    const Vec<2> corner = core_edge(1);  // of the right and the top
    const Vec<2> bilinear = (1 - s) * (1 - t) * turn(corner, 2) + s * (1 - t) * turn(corner, 3) +
                            s * t * corner + (1 - s) * t * turn(corner, 1);
    return (1 - s) * left + s * right + (1 - t) * bottom + t * top - bilinear;
  }
  // From the core (0) to the circle (1), counter-clockwise.
  Vec<2> ring(const Vec<2>& u, int quarters) const {
    const double angle = (u.y() - 0.5) * std::numbers::pi / 2;
    const Vec<2> outer = radius_ * Vec<2>(std::cos(angle), std::sin(angle));
    return turn((1 - u.x()) * core_edge(u.y()) + u.x() * outer, quarters);
  }

 private:
  static constexpr double kCore = 0.55;  // radius of the corners of the core, of that of the disk
  double radius_;
};

void check_disk(double radius, const DiskGrid& grid, const std::string& where) {
  require_positive(radius, "radius of the mesh", where);
  if (grid.core < 1)
    throw InputError(where, "cells along a side of the core", fmt::format("{}", grid.core), "1 or more");
  if (grid.rings < 1) throw InputError(where, "rings of cells", fmt::format("{}", grid.rings), "1 or more");
}

// Nodes of patches that meet differ by round-off, other nodes by far more: cells are above 1e-7 of the body (10^8 of
// them at most, gradings up to 1e6 make a first one of 1e-6 / rings).
constexpr double kSeam = 1e-12;

}  // namespace

template <int Dim>
SolidMesh<Dim> build_box_mesh(const Vec<Dim>& size, const MeshGrid<Dim>& grid, const std::string& where) {
  require_sizes<Dim>(size, where);
  return build_grid_mesh<Dim>(
      grid, [&](const Vec<Dim>& u) -> Vec<Dim> { return size.cwiseProduct(u - Vec<Dim>::Constant(0.5)); },
      box_sides<Dim>(), where);
}

template <int Dim>
SolidMesh<Dim> build_bar_mesh(const Vec<Dim>& size, const MeshGrid<Dim>& grid, const std::string& where) {
  SolidMesh<Dim> mesh = build_box_mesh<Dim>(size, grid, where);
  for (auto& x : mesh.nodes) x[0] += 0.5 * size[0];
  return mesh;
}

SolidMesh<2> build_quadrilateral_mesh(const std::array<Vec<2>, 4>& corners, const MeshGrid<2>& grid,
                                      const std::string& where) {
  for (int k = 0; k < 4; ++k) {
    const Vec<2>&before = corners[(k + 3) % 4], &here = corners[k], &after = corners[(k + 1) % 4];
    if (!(cross2(here - before, after - here) > 0))
      throw InputError(where, fmt::format("corner {} of a quadrilateral", k + 1),
                       fmt::format("({}, {})", here.x(), here.y()),
                       "corners counter-clockwise, angles below half a turn");
  }
  return build_grid_mesh<2>(
      grid,
      [&](const Vec<2>& u) -> Vec<2> {
        const double s = u.x(), t = u.y();
        return (1 - s) * (1 - t) * corners[0] + s * (1 - t) * corners[1] + s * t * corners[2] +
               (1 - s) * t * corners[3];
      },
      box_sides<2>(), where);
}

template <int Dim>
SolidMesh<Dim> build_ring_mesh(const RingSector<Dim>& ring, const MeshGrid<Dim>& grid,
                               const std::string& where) {
  require_positive(ring.inner, "inner radius", where);
  if (!(ring.outer > ring.inner) || !std::isfinite(ring.outer))
    throw InputError(where, "outer radius", fmt::format("{}", ring.outer), "above the inner one");
  const double turn = 2 * std::numbers::pi, angle = ring.to - ring.from;
  if (!(angle > 0 && angle <= turn * (1 + 1e-12)))
    throw InputError(where, "angle of a ring", fmt::format("{}", angle), "above 0, up to a full turn, 2 pi");
  if (Dim == 3) require_positive(ring.height, "height of a ring", where);
  const bool closed = angle >= turn * (1 - 1e-12);
  if (grid.cells[1] * (turn / angle) < 3)
    throw InputError(where, "cells round a ring", fmt::format("{}", grid.cells[1]),
                     "below a third of a turn each");
  GridSides<Dim> sides = box_sides<Dim>();
  sides[0] = "inner";
  sides[1] = "outer";
  if (closed) sides[2] = sides[3] = "";
  SolidMesh<Dim> mesh = build_grid_mesh<Dim>(
      grid,
      [&](const Vec<Dim>& u) -> Vec<Dim> {
        const double radius = ring.inner + u[0] * (ring.outer - ring.inner), phi = ring.from + u[1] * angle;
        Vec<Dim> x;
        x[0] = radius * std::cos(phi);
        x[1] = radius * std::sin(phi);
        if constexpr (Dim == 3) x[2] = ring.height * (u[2] - 0.5);
        return x;
      },
      sides, where);
  if (closed) merge_nodes(kSeam, mesh);
  return mesh;
}

SolidMesh<2> build_disk_mesh(double radius, const DiskGrid& grid, const std::string& where) {
  check_disk(radius, grid, where);
  const DiskPatches patches(radius);
  MeshGrid<2> core{grid.kind, {grid.core, grid.core}};
  MeshGrid<2> ring{grid.kind, {grid.rings, grid.core}, {grid.grading, 1}};
  SolidMesh<2> mesh = build_grid_mesh<2>(
      core, [&](const Vec<2>& u) { return patches.core(u); }, {}, where);
  for (int k = 0; k < 4; ++k)
    append_mesh(build_grid_mesh<2>(
                    ring, [&](const Vec<2>& u) { return patches.ring(u, k); }, {"", "outer", "", ""}, where),
                mesh);
  merge_nodes(kSeam, mesh);
  return mesh;
}

SolidMesh<3> build_cylinder_mesh(double radius, double height, const DiskGrid& grid, int layers,
                                 const std::string& where, double layer_grading) {
  check_disk(radius, grid, where);
  require_positive(height, "height of the mesh", where);
  if (grid.kind != ElementKind::h8 && grid.kind != ElementKind::h20)
    throw InputError(where, "kind of elements of a cylinder", name(grid.kind), "h8 or h20");
  const DiskPatches patches(radius);
  const auto lift = [&](const Vec<2>& x, double w) -> Vec<3> { return {x.x(), x.y(), height * (w - 0.5)}; };
  MeshGrid<3> core{grid.kind, {grid.core, grid.core, layers}, {1, 1, layer_grading}};
  MeshGrid<3> ring{grid.kind, {grid.rings, grid.core, layers}, {grid.grading, 1, layer_grading}};
  SolidMesh<3> mesh = build_grid_mesh<3>(
      core, [&](const Vec<3>& u) { return lift(patches.core(u.head<2>()), u.z()); },
      {"", "", "", "", "front", "back"}, where);
  for (int k = 0; k < 4; ++k)
    append_mesh(build_grid_mesh<3>(
                    ring, [&](const Vec<3>& u) { return lift(patches.ring(u.head<2>(), k), u.z()); },
                    {"", "outer", "", "", "front", "back"}, where),
                mesh);
  merge_nodes(kSeam, mesh);
  return mesh;
}

template SolidMesh<2> build_box_mesh(const Vec<2>&, const MeshGrid<2>&, const std::string&);
template SolidMesh<3> build_box_mesh(const Vec<3>&, const MeshGrid<3>&, const std::string&);
template SolidMesh<2> build_bar_mesh(const Vec<2>&, const MeshGrid<2>&, const std::string&);
template SolidMesh<3> build_bar_mesh(const Vec<3>&, const MeshGrid<3>&, const std::string&);
template SolidMesh<2> build_ring_mesh(const RingSector<2>&, const MeshGrid<2>&, const std::string&);
template SolidMesh<3> build_ring_mesh(const RingSector<3>&, const MeshGrid<3>&, const std::string&);

}  // namespace saltus
