#include "saltus/exchange/stl_assembly.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/exchange/surface_split.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/mesh_file.hpp"

namespace saltus {

namespace {

// Numbers of an STL are floats: a hull that is larger by less than this is the surface itself.
constexpr double kConvexTolerance = 1e-4;

void warn_of_open(const std::string& file, std::vector<std::string> open) {
  constexpr std::size_t kTold = 3;
  if (open.empty()) return;
  const std::size_t count = open.size();
  if (count > kTold) open.resize(kTold);
  log_warning("{}: {} a hole: {}{}; they enclose no volume and become fixed ground, not bodies that move",
              file, count == 1 ? "one surface has" : fmt::format("{} surfaces have", count),
              fmt::join(open, ", "), count > kTold ? ", ..." : "");
}

AssemblyPart build_part(TriangleMesh surface, std::string name, const std::string& file) {
  AssemblyPart part;
  part.name = std::move(name);
  part.is_open = count_open_edges(surface) > 0;
  if (!part.is_open) {
    part.volume = compute_enclosed_volume(surface);
    if (part.volume < 0) {  // seen from inside: the other way round it is a body
      for (auto& t : surface.triangles) std::swap(t[1], t[2]);
      part.volume = -part.volume;
    }
    part.hull = build_convex_polyhedron(surface.vertices, file, 1e-6);
    part.hull_volume = compute_volume<3>(Shape<3>(part.hull));
    part.is_convex = part.hull_volume - part.volume <= kConvexTolerance * part.hull_volume;
  }
  part.surface = std::move(surface);
  return part;
}

}  // namespace

std::vector<AssemblyPart> read_assembly(const std::vector<std::string>& files, double scale) {
  std::vector<AssemblyPart> parts;
  for (const std::string& file : files) {
    std::vector<NamedPart> named;
    TriangleMesh mesh = read_mesh(file, named);
    for (Vec<3>& x : mesh.vertices) x *= scale;
    const std::string stem = std::filesystem::path(file).stem().string();
    std::vector<BodySurface> surfaces = split_into_bodies(mesh, named, stem);
    std::vector<std::string> open;
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      parts.push_back(build_part(std::move(surfaces[i].mesh), surfaces[i].name, file));
      if (const int edges = count_open_edges(parts.back().surface); edges > 0)
        open.push_back(fmt::format("{} ({} open edges)", surfaces[i].name, edges));
    }
    warn_of_open(file, open);
  }
  return parts;
}

}  // namespace saltus
