#include "saltus/exchange/surface_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>

#include "saltus/drawing/mesh_skin.hpp"
#include "saltus/exchange/surface_mesh.hpp"
#include "saltus/geometry/bounds.hpp"

namespace saltus {

namespace {

class SurfaceSink {
 public:
  explicit SurfaceSink(SurfaceKind kind) : kind_(kind) {}

  // Polygons of at least three corners; a line has no surface.
  void add(const std::string& name, const std::vector<Vec<3>>& points, const SurfaceMesh& mesh) {
    ++file_.bodies;
    if (kind_ == SurfaceKind::obj) {
      auto out = std::back_inserter(file_.bytes);
      fmt::format_to(out, "o {}\n", name);
      for (const Vec<3>& x : points) fmt::format_to(out, "v {} {} {}\n", x.x(), x.y(), x.z());
    }
    std::size_t begin = 0;
    for (const std::int32_t end : mesh.ends) {
      polygon(points, mesh, begin, static_cast<std::size_t>(end));
      begin = static_cast<std::size_t>(end);
    }
    first_ += points.size();
  }

  void leave_out() { ++file_.left_out; }

  SurfaceFile finish(const std::string& title) {
    file_.polygons = polygons_;
    if (kind_ == SurfaceKind::stl) {
      std::string head = ("saltus " + title).substr(0, 80);
      // Readers that look at the first word would take it for a text.
      head.resize(80, ' ');
      const auto count = static_cast<std::uint32_t>(polygons_);
      head.append(reinterpret_cast<const char*>(&count), sizeof count);
      file_.bytes.insert(0, head);
    }
    return std::move(file_);
  }

 private:
  void polygon(const std::vector<Vec<3>>& points, const SurfaceMesh& mesh, std::size_t begin,
               std::size_t end) {
    if (end - begin < 3) return;
    const auto at = [&](std::size_t k) { return static_cast<std::size_t>(mesh.corners[k]); };
    if (kind_ == SurfaceKind::obj) {
      file_.bytes += 'f';
      for (std::size_t k = begin; k < end; ++k)
        fmt::format_to(std::back_inserter(file_.bytes), " {}", first_ + at(k) + 1);
      file_.bytes += '\n';
      ++polygons_;
      return;
    }
    for (std::size_t k = begin + 1; k + 1 < end; ++k)
      triangle({points[at(begin)], points[at(k)], points[at(k + 1)]});
  }

  void triangle(const std::array<Vec<3>, 3>& x) {
    const Vec<3> normal = (x[1] - x[0]).cross(x[2] - x[0]);
    if (!(normal.norm() > 0)) return;
    std::array<float, 12> numbers;
    Eigen::Map<Eigen::Vector3f>(numbers.data()) = normal.normalized().cast<float>();
    for (std::size_t k = 0; k < 3; ++k)
      Eigen::Map<Eigen::Vector3f>(numbers.data() + 3 + 3 * k) = x[k].cast<float>();
    file_.bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof numbers);
    file_.bytes.append(2, '\0');
    ++polygons_;
  }

  SurfaceKind kind_;
  SurfaceFile file_;
  std::size_t first_ = 0, polygons_ = 0;
};

Vec<3> place_in_space(const Pose<2>& pose, const Vec<3>& x) {
  const Vec<2> place = pose.to_world(Vec<2>(x.head<2>()));
  return {place.x(), place.y(), 0};
}
Vec<3> place_in_space(const Pose<3>& pose, const Vec<3>& x) { return pose.to_world(x); }

// Words of an OBJ file end at a space.
std::string one_word(std::string name) {
  for (char& c : name)
    if (c <= ' ') c = '_';
  return name;
}

template <int Dim>
std::string name_of_body(const FrameBody<Dim>& body, const TrajectoryHeader& header) {
  const std::string name =
      body.scene_index < 0 ? "" : header.body_names[static_cast<std::size_t>(body.scene_index)];
  return name.empty() ? fmt::format("body-{}", body.id) : one_word(name);
}

}  // namespace

template <int Dim>
SurfaceFile build_surface_file(const TrajectoryReader<Dim>& reader, std::int64_t number, SurfaceKind kind,
                               int sides) {
  const Frame<Dim> frame = reader.frame(number);
  SurfaceSink sink(kind);
  SurfaceOptions options;
  options.sides = sides;
  std::vector<Vec<3>> points;
  for (const FrameBody<Dim>& body : frame.bodies) {
    if (body.follows) continue;
    if (is_unbounded<Dim>(*body.shape) || !body.pose.position.allFinite()) {
      sink.leave_out();
      continue;
    }
    const SurfaceMesh mesh = build_surface_mesh<Dim>(*body.shape, options);
    points.clear();
    for (const Vec<3>& x : mesh.points) points.push_back(place_in_space(body.pose, x));
    sink.add(name_of_body(body, reader.header()), points, mesh);
  }
  for (std::size_t s = 0; s < frame.systems.size(); ++s) {
    const FrameSystem<Dim>& system = frame.systems[s];
    if (system.nodes.empty() || !system.elements) continue;
    points.clear();
    for (const Vec<Dim>& x : system.nodes) {
      points.emplace_back(Vec<3>::Zero());
      points.back().template head<Dim>() = x;
    }
    SurfaceMesh mesh;
    for (const std::array<int, 3>& face : build_skin(*system.elements)) {
      mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
      mesh.ends.push_back(static_cast<std::int32_t>(mesh.corners.size()));
    }
    const std::string name = reader.header().system_names[s];
    sink.add(name.empty() ? fmt::format("mesh-{}", s) : one_word(name), points, mesh);
  }
  return sink.finish(reader.header().name);
}

template SurfaceFile build_surface_file<2>(const TrajectoryReader<2>&, std::int64_t, SurfaceKind, int);
template SurfaceFile build_surface_file<3>(const TrajectoryReader<3>&, std::int64_t, SurfaceKind, int);

}  // namespace saltus
