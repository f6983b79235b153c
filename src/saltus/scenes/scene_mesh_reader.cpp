#include "saltus/scenes/scene_mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "saltus/base/log.hpp"
#include "saltus/meshes/mesh_reader.hpp"
#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/scenes/scene_text.hpp"

namespace saltus {

namespace {

constexpr Range kMeshLength{1e-9, 1e9};
constexpr int kMostCells = 1000000;

ElementKind read_element_kind(TableReader& t, int dim) {
  std::vector<std::string> names;
  std::vector<ElementKind> kinds;
  for (int i = 0; i < kElementKinds; ++i) {
    const auto kind = static_cast<ElementKind>(i);
    if (dimension_of(kind) == dim) names.emplace_back(name(kind)), kinds.push_back(kind);
  }
  return kinds[t.choice("element", names, dim == 2 ? 2 : 2)];  // q4, h8
}

template <int Dim>
MeshGrid<Dim> read_mesh_grid(TableReader& t, const SceneContext& context) {
  MeshGrid<Dim> grid;
  grid.kind = read_element_kind(t, Dim);
  const std::vector<int> cells = t.integers("divisions", 1, kMostCells);
  if (static_cast<int>(cells.size()) != Dim)
    t.fail("divisions", fmt::format("{} numbers", cells.size()),
           fmt::format("{}, cells along each direction", Dim));
  double all = 1;
  for (int i = 0; i < Dim; ++i) grid.cells[i] = cells[i], all *= cells[i] + 1.0;
  if (all > static_cast<double>(context.limits.bodies))
    t.fail("divisions", fmt::format("{} nodes", all), fmt::format("up to {}", context.limits.bodies));
  grid.grading = t.vector<Dim>("grading", grid.grading, Range{1e-6, 1e6});
  if (Dim == 2)
    grid.pattern = static_cast<TrianglePattern>(t.choice("pattern", {"alternating", "four", "eight"}, 0));
  return grid;
}

DiskGrid read_disk_grid(TableReader& t, ElementKind kind) {
  DiskGrid grid;
  grid.kind = kind;
  grid.core = static_cast<int>(t.integer("core", grid.core, 1, 1000));
  grid.rings = static_cast<int>(t.integer("rings", grid.rings, 1, 1000));
  grid.grading = t.number("grading", 1, Range{1e-6, 1e6});
  return grid;
}

template <int Dim>
SolidMesh<Dim> read_mesh_ring(TableReader& t, const SceneContext& context) {
  RingSector<Dim> ring;
  ring.inner = t.number("inner", kMeshLength);
  ring.outer = t.number("outer", kMeshLength);
  ring.from = t.number("from", ring.from, Range{-10, 10});
  ring.to = t.number("to", ring.to, Range{-10, 10});
  if (Dim == 3) ring.height = t.number("height", kMeshLength);
  return build_ring_mesh<Dim>(ring, read_mesh_grid<Dim>(t, context), t.where());
}

SolidMesh<2> read_mesh_shape(TableReader& t, const SceneContext& context, const SolidMesh<2>*) {
  switch (t.choice("kind", {"rectangle", "bar", "quadrilateral", "ring", "disk"})) {
    case 0:
      return build_box_mesh<2>(t.vector<2>("size", kMeshLength), read_mesh_grid<2>(t, context), t.where());
    case 1:
      return build_bar_mesh<2>(t.vector<2>("size", kMeshLength), read_mesh_grid<2>(t, context), t.where());
    case 2: {
      const std::vector<Vec<2>> corners = t.vectors<2>("corners");
      if (corners.size() != 4)
        t.fail("corners", fmt::format("{}", corners.size()), "four, counter-clockwise");
      return build_quadrilateral_mesh({corners[0], corners[1], corners[2], corners[3]},
                                      read_mesh_grid<2>(t, context), t.where());
    }
    case 3: return read_mesh_ring<2>(t, context);
    default:
      return build_disk_mesh(t.number("radius", kMeshLength), read_disk_grid(t, read_element_kind(t, 2)),
                             t.where());
  }
}

SolidMesh<3> read_mesh_shape(TableReader& t, const SceneContext& context, const SolidMesh<3>*) {
  switch (t.choice("kind", {"box", "bar", "ring", "cylinder"})) {
    case 0:
      return build_box_mesh<3>(t.vector<3>("size", kMeshLength), read_mesh_grid<3>(t, context), t.where());
    case 1:
      return build_bar_mesh<3>(t.vector<3>("size", kMeshLength), read_mesh_grid<3>(t, context), t.where());
    case 2: return read_mesh_ring<3>(t, context);
    default: {
      const double radius = t.number("radius", kMeshLength), height = t.number("height", kMeshLength);
      const DiskGrid grid = read_disk_grid(t, read_element_kind(t, 3));
      const int layers = static_cast<int>(t.integer("layers", 1, kMostCells));
      return build_cylinder_mesh(radius, height, grid, layers, t.where(),
                                 t.number("layer_grading", 1, Range{1e-6, 1e6}));
    }
  }
}

}  // namespace

template <int Dim>
SolidMesh<Dim> read_solid_mesh(TableReader& t, SceneContext& context) {
  if (!t.has("file")) {
    SolidMesh<Dim> mesh = read_mesh_shape(t, context, static_cast<const SolidMesh<Dim>*>(nullptr));
    t.finish();
    return mesh;
  }
  MeshReadOptions options;
  options.scale = t.number("scale", 1, kPositive);
  options.coincident = static_cast<CoincidentNodes>(t.choice("coincident", {"refuse", "merge", "keep"}, 0));
  context.load_file(t, "file");  // its hash belongs to the scene
  ReadMesh<Dim> read = read_mesh<Dim>(context.file_path(t, "file"), options);
  t.finish();
  for (const std::string& note : read.notes) log_info("{}", note);
  return std::move(read.mesh);
}

std::string format_mesh_table(TableReader& t, const SceneContext& context) {
  std::string text;
  for (const auto& [key, node] : t.tree()) {
    std::ostringstream value;
    if (key == "file")
      value << quote(std::filesystem::absolute(context.file_path(t, "file")).string());
    else
      node.visit([&](const auto& own) { value << own; });
    std::string line = value.str();
    std::replace(line.begin(), line.end(), '\n', ' ');
    append_item(text, std::string(key.str()) + " = " + line);
  }
  return "{ " + text + " }";
}

template SolidMesh<2> read_solid_mesh<2>(TableReader&, SceneContext&);
template SolidMesh<3> read_solid_mesh<3>(TableReader&, SceneContext&);

}  // namespace saltus
