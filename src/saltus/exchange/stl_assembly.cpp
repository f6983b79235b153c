#include "saltus/exchange/stl_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/mesh_file.hpp"

namespace saltus {

namespace {

// Numbers of an STL are floats: a hull that is larger by less than this is the surface itself.
constexpr double kConvexTolerance = 1e-4;

// The names of an OBJ where it has them, one of several surfaces with a number; else that of the file.
std::vector<std::string> name_surfaces(const std::vector<NamedPart>& named,
                                       const std::vector<std::size_t>& first, const std::string& stem) {
  std::vector<std::string> names;
  for (const std::size_t triangle : first) {
    std::string name = stem;
    for (const NamedPart& part : named)
      if (part.first_triangle <= triangle) name = part.name;
    names.push_back(name);
  }
  std::map<std::string, int> count, used;
  for (const std::string& name : names) ++count[name];
  for (std::string& name : names)
    if (count[name] > 1) name = fmt::format("{}-{}", name, ++used[name]);
  return names;
}

// `first`: the first triangle of each part.
std::vector<TriangleMesh> split_surface(const TriangleMesh& mesh, std::vector<std::size_t>& first) {
  DisjointSets sets;
  sets.reset(static_cast<int>(mesh.vertices.size()));
  for (const auto& t : mesh.triangles) sets.join(t[0], t[1]), sets.join(t[1], t[2]);
  std::map<int, std::size_t> part_of;  // by the corner that stands for a set
  std::vector<TriangleMesh> parts;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles) {
    const auto [place, is_new] = part_of.emplace(sets.find(t[0]), parts.size());
    if (is_new) parts.emplace_back(), first.push_back(static_cast<std::size_t>(&t - mesh.triangles.data()));
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
    std::vector<NamedPart> named;
    TriangleMesh mesh = read_mesh(file, named);
    for (Vec<3>& x : mesh.vertices) x *= scale;
    const std::string stem = std::filesystem::path(file).stem().string();
    std::vector<std::size_t> first;
    std::vector<TriangleMesh> surfaces = split_surface(mesh, first);
    const std::vector<std::string> names = name_surfaces(named, first, stem);
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      parts.push_back(build_part(std::move(surfaces[i]), names[i], file));
      if (const int open = count_open_edges(parts.back().surface); open > 0)
        log_warning(
            "{}: the surface {} has {} open edges (holes?): it encloses no volume and becomes a fixed "
            "ground, not a body that "
            "moves",
            file, names[i], open);
    }
  }
  return parts;
}

}  // namespace saltus
