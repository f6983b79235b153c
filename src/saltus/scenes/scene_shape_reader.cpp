#include "saltus/scenes/scene_shape_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/mesh_file.hpp"

namespace saltus {

namespace {

constexpr double kHuge = 1e9;  // m: beyond it, gaps in double precision are coarser than a micrometre
constexpr Range kSize{1e-9, kHuge};
constexpr Range kPlace{-kHuge, kHuge};

template <int Dim>
Capsule<Dim> read_capsule(TableReader& t, bool bare) {
  Capsule<Dim> shape;
  shape.start = t.vector<Dim>("start", kPlace);
  shape.end = t.vector<Dim>("end", kPlace);
  if (!bare) shape.radius = t.number("radius", kSize);
  return shape;
}

template <int Dim>
HalfSpace<Dim> read_half_space(TableReader& t) {
  HalfSpace<Dim> shape;
  shape.normal = t.vector<Dim>("normal", Vec<Dim>(Vec<Dim>::Unit(Dim - 1)));
  const double length = shape.normal.norm();
  if (!(length > 1e-9) || !(length < kHuge))
    t.fail("normal", "a vector without direction", "any length but zero");
  // Round-off of a normal that was unit already is left alone, so that a written scene reads back the same.
  if (std::abs(length - 1) > 4e-16) shape.normal /= length;
  shape.offset = t.number("offset", 0, kPlace);
  return shape;
}

// The keys file (STL or OBJ) and scale.
TriangleMesh load_surface(TableReader& t, SceneContext& context, bool points_alone = false) {
  const double scale = t.number("scale", 1, kPositive);
  context.load_file(t, "file");
  const std::string path = context.file_path(t, "file");
  TriangleMesh mesh = points_alone ? read_hull_points(path) : read_mesh(path);
  for (Vec<3>& x : mesh.vertices) x *= scale;
  return mesh;
}

TriangleMesh read_ground(TableReader& t, SceneContext& context) {
  if (t.has("file")) return load_surface(t, context);
  TriangleMesh mesh;
  mesh.vertices = t.vectors<3>("vertices");
  const int last = static_cast<int>(mesh.vertices.size()) - 1;
  const std::vector<Vec<3>> corners = t.vectors<3>("triangles");
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec<3>& c = corners[i];
    if (c != c.array().round().matrix() || c.minCoeff() < 0 || c.maxCoeff() > last)
      t.fail("triangles", fmt::format("{} {} {} in triangle {}", c[0], c[1], c[2], i),
             fmt::format("numbers of vertices, 0 to {}", last));
    mesh.triangles.push_back({static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2])});
  }
  return mesh;
}

TriangleMesh read_height_field(TableReader& t) {
  const Vec<2> spacing = t.vector<2>("spacing", kSize);
  const Vec<3> origin = t.vector<3>("origin", Vec<3>(Vec<3>::Zero()), kPlace);
  const std::string allowed = "rows of heights along x, all of one length";
  const toml::node* rows = t.node("heights");
  if (!rows || !rows->is_array()) t.fail("heights", rows ? describe(*rows) : "nothing", allowed);
  std::vector<double> heights;
  const toml::array& lines = *rows->as_array();
  const std::size_t nx = !lines.empty() && lines[0].is_array() ? lines[0].as_array()->size() : 0;
  for (std::size_t j = 0; j < lines.size(); ++j) {
    const toml::array* line = lines[j].as_array();
    const std::string path = fmt::format("{}.{}", t.path("heights"), j);
    if (!line || line->size() != nx) fail_value(lines[j], path, allowed);
    for (std::size_t i = 0; i < nx; ++i)
      heights.push_back(read_number((*line)[i], fmt::format("{}.{}", path, i), kPlace));
  }
  return build_height_field(static_cast<int>(nx), static_cast<int>(lines.size()), spacing[0], spacing[1],
                            heights, origin, t.where("heights"));
}

// The solid convex shapes, which may be parts of a compound, come first in the list of kinds.
const std::vector<std::string> kSolids2 = {"disk", "rectangle", "polygon", "capsule"};
const std::vector<std::string> kSolids3 = {"sphere", "box", "polyhedron", "capsule", "cylinder", "ellipsoid"};
const std::vector<std::string> kOthers2 = {"segment", "half-plane", "drum", "polyline", "compound"};
const std::vector<std::string> kOthers3 = {"segment", "plane",        "hollow-sphere", "drum",
                                           "mesh",    "height-field", "compound"};

template <int Dim>
const std::vector<std::string>& solids() {
  return Dim == 2 ? kSolids2 : kSolids3;
}

// A polyhedron is the convex hull of the points of a file: told where that is not what the file describes.
void warn_of_hull(const TableReader& t, const TriangleMesh& surface, const ConvexPolyhedron& hull) {
  constexpr double kSlack = 0.01;         // of the volume: a scanned stone is never quite convex
  if (surface.triangles.empty()) return;  // points alone: nothing but their hull
  const int open = count_open_edges(surface);
  if (open > 0)
    log_warning("{}: the surface has {} open edges (holes?): the body is the convex hull of its points",
                t.where("file"), open);
  const double filled = compute_volume<3>(hull) / std::abs(compute_enclosed_volume(surface)) - 1;
  if (open == 0 && std::abs(filled) > kSlack)
    log_warning(
        "{}: the surface is not convex: the body is the convex hull of its points, {:+.0f} % of volume "
        "(a compound of convex parts has its own)",
        t.where("file"), 100 * filled);
}

template <int Dim>
ConvexShape<Dim> read_solid(TableReader& t, const std::string& kind, SceneContext& context);

template <>
ConvexShape<2> read_solid<2>(TableReader& t, const std::string& kind, SceneContext&) {
  if (kind == "disk") return Disk{t.number("radius", kSize)};
  if (kind == "capsule") return read_capsule<2>(t, false);
  if (kind == "polygon") return build_convex_polygon(t.vectors<2>("points"), t.where("points"));
  const Vec<2> size = t.vector<2>("size", kSize);
  return build_rectangle(size.x(), size.y());
}

template <>
ConvexShape<3> read_solid<3>(TableReader& t, const std::string& kind, SceneContext& context) {
  if (kind == "sphere") return Sphere{t.number("radius", kSize)};
  if (kind == "capsule") return read_capsule<3>(t, false);
  if (kind == "cylinder") {
    const double radius = t.number("radius", kSize);
    return Cylinder{radius, t.number("length", kSize) / 2};
  }
  if (kind == "ellipsoid") return Ellipsoid{t.vector<3>("semi_axes", kSize)};
  if (kind == "box") return build_box(t.vector<3>("size", kSize));
  if (!t.has("file")) return build_convex_polyhedron(t.vectors<3>("points"), t.where("points"), 1e-10);
  const TriangleMesh surface = load_surface(t, context, true);
  ConvexPolyhedron hull = build_convex_polyhedron(surface.vertices, t.where("file"), 1e-6);
  warn_of_hull(t, surface, hull);
  return hull;
}

template <int Dim>
Compound<Dim> read_compound(TableReader& t, SceneContext& context) {
  Compound<Dim> compound;
  for (TableReader& part : t.tables("parts")) {
    const Pose<Dim> pose = read_pose<Dim>(part);
    const std::string kind = solids<Dim>()[part.choice("kind", solids<Dim>())];
    compound.parts.push_back({read_solid<Dim>(part, kind, context), pose});
    part.finish();
  }
  if (compound.parts.empty()) t.fail("parts", "none", "one part or more");
  return compound;
}

template <int Dim>
Shape<Dim> read_other(TableReader& t, const std::string& kind, SceneContext& context);

template <>
Shape<2> read_other<2>(TableReader& t, const std::string& kind, SceneContext& context) {
  if (kind == "segment") return read_capsule<2>(t, true);
  if (kind == "half-plane") return read_half_space<2>(t);
  if (kind == "drum") return HollowDisk{t.number("radius", kSize)};
  if (kind == "compound") return read_compound<2>(t, context);
  const std::vector<Vec<2>> points = t.vectors<2>("points");
  return Polyline{points, t.flag("closed", false)};
}

template <>
Shape<3> read_other<3>(TableReader& t, const std::string& kind, SceneContext& context) {
  if (kind == "segment") return read_capsule<3>(t, true);
  if (kind == "plane") return read_half_space<3>(t);
  if (kind == "hollow-sphere") return HollowSphere{t.number("radius", kSize)};
  if (kind == "drum") return HollowCylinder{t.number("radius", kSize)};
  if (kind == "height-field") return read_height_field(t);
  if (kind == "compound") return read_compound<3>(t, context);
  return read_ground(t, context);
}

}  // namespace

template <int Dim>
Shape<Dim> read_shape(TableReader table, SceneContext& context) {
  table.form("shape");
  std::vector<std::string> kinds = solids<Dim>();
  const std::size_t solid_count = kinds.size();
  const auto& others = Dim == 2 ? kOthers2 : kOthers3;
  kinds.insert(kinds.end(), others.begin(), others.end());

  const std::size_t kind = static_cast<std::size_t>(table.choice("kind", kinds));
  const Shape<Dim> shape = kind < solid_count ? to_shape<Dim>(read_solid<Dim>(table, kinds[kind], context))
                                              : read_other<Dim>(table, kinds[kind], context);
  table.finish();
  check<Dim>(shape, table.where());
  return shape;
}

template <>
Pose<2> read_pose<2>(TableReader& table) {
  const Vec<2> position = table.vector<2>("position", Vec<2>(Vec<2>::Zero()), kPlace);
  return Pose<2>(position, table.number("angle", 0, kPlace));
}

template <>
Pose<3> read_pose<3>(TableReader& table) {
  const Vec<3> position = table.vector<3>("position", Vec<3>(Vec<3>::Zero()), kPlace);
  if (table.has("quaternion")) {
    if (table.has("rotation")) table.fail("rotation", "a quaternion as well", "one of the two");
    const Vec<4> q = table.vector<4>("quaternion", kPlace);
    if (!(q.norm() > 1e-9)) table.fail("quaternion", "zero", "[w, x, y, z] of any length but zero");
    return Pose<3>(position, Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
  }
  return Pose<3>(position, exponential_map(table.vector<3>("rotation", Vec<3>(Vec<3>::Zero()), kPlace)));
}

template Shape<2> read_shape<2>(TableReader, SceneContext&);
template Shape<3> read_shape<3>(TableReader, SceneContext&);

}  // namespace saltus
