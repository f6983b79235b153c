#include "saltus/exchange/stl_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/mesh_file.hpp"

namespace saltus {

namespace {

// Numbers of an STL are floats: a hull that is larger by less than this is the surface itself.
constexpr double kConvexTolerance = 1e-4;

std::vector<TriangleMesh> split_surface(const TriangleMesh& mesh) {
  DisjointSets sets;
  sets.reset(static_cast<int>(mesh.vertices.size()));
  for (const auto& t : mesh.triangles) sets.join(t[0], t[1]), sets.join(t[1], t[2]);
  std::map<int, std::size_t> part_of;  // by the corner that stands for a set
  std::vector<TriangleMesh> parts;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles) {
    const auto [place, is_new] = part_of.emplace(sets.find(t[0]), parts.size());
    if (is_new) parts.emplace_back();
    TriangleMesh& part = parts[place->second];
    std::array<int, 3> own{};
    for (std::size_t k = 0; k < 3; ++k) {
      int& n = number[static_cast<std::size_t>(t[k])];
      if (n < 0) {
        n = static_cast<int>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[static_cast<std::size_t>(t[k])]);
      }
      own[k] = n;
    }
    part.triangles.push_back(own);
  }
  return parts;
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
    TriangleMesh mesh = read_mesh(file);
    for (Vec<3>& x : mesh.vertices) x *= scale;
    const std::string stem = std::filesystem::path(file).stem().string();
    std::vector<TriangleMesh> surfaces = split_surface(mesh);
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      parts.push_back(build_part(std::move(surfaces[i]),
                                 surfaces.size() == 1 ? stem : fmt::format("{}-{}", stem, i + 1), file));
  }
  return parts;
}

}  // namespace saltus
