#include "saltus/exchange/surface_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "saltus/base/disjoint_sets.hpp"

namespace saltus {

namespace {

// A part of a file that is read by itself, and what its surfaces are called.
using Piece = BodySurface;

// Triangles `begin` to `end`, with the corners that they have.
TriangleMesh take_triangles(const TriangleMesh& mesh, std::size_t begin, std::size_t end) {
  TriangleMesh part;
  std::unordered_map<int, int> own;
  for (std::size_t i = begin; i < end; ++i) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = mesh.triangles[i][k];
      const auto [place, is_new] = own.emplace(v, static_cast<int>(part.vertices.size()));
      if (is_new) part.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
      corners[k] = place->second;
    }
    part.triangles.push_back(corners);
  }
  return part;
}

// Faces of an OBJ often have corners of their own, for texture or shading: what is open by them alone is closed by places.
TriangleMesh weld_where_open(TriangleMesh mesh) {
  const int open = count_open_edges(mesh);
  if (open == 0) return mesh;
  TriangleMesh welded;
  std::map<std::array<double, 3>, int> place_of;
  for (auto t : mesh.triangles) {
    for (int& v : t) {
      const Vec<3>& x = mesh.vertices[static_cast<std::size_t>(v)];
      const auto [place, is_new] =
          place_of.emplace(std::array{x.x(), x.y(), x.z()}, static_cast<int>(welded.vertices.size()));
      if (is_new) welded.vertices.push_back(x);
      v = place->second;
    }
    welded.triangles.push_back(t);
  }
  return count_open_edges(welded) < open ? welded : mesh;
}

// By the names of an OBJ, where each of them is closed (of one body they may name sides); else the file as a whole.
std::vector<Piece> split_by_names(const TriangleMesh& mesh, const std::vector<NamedPart>& named,
                                  const std::string& stem) {
  std::vector<std::size_t> begins = {0};
  std::vector<std::string> names = {stem};
  for (const NamedPart& part : named) {
    if (part.first_triangle == begins.back())
      names.back() = part.name;
    else if (part.first_triangle < mesh.triangles.size())
      begins.push_back(part.first_triangle), names.push_back(part.name);
  }
  begins.push_back(mesh.triangles.size());
  std::vector<Piece> pieces;
  bool closed = true;
  for (std::size_t i = 0; i < names.size() && closed; ++i) {
    pieces.push_back({weld_where_open(take_triangles(mesh, begins[i], begins[i + 1])), names[i]});
    closed = names.size() == 1 || count_open_edges(pieces.back().mesh) == 0;
  }
  if (!closed) pieces = {{mesh, ""}};
  return pieces;
}

// Where surfaces end that are closed by the triangles so far: what follows is another body, though it may touch at corners.
std::vector<std::size_t> find_closed_ends(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> uses;  // of an edge one way, less those the other way; none that is even
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& t = mesh.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const int u = t[k], v = t[(k + 1) % 3];
      const auto place = uses.emplace(std::minmax(u, v), 0).first;
      place->second += u < v ? 1 : -1;
      if (place->second == 0) uses.erase(place);
    }
    if (uses.empty() || i + 1 == mesh.triangles.size()) ends.push_back(i + 1);
  }
  return ends;
}

// One of several surfaces of a name gets a number.
void number_names(std::vector<BodySurface>& bodies) {
  std::map<std::string, int> count, used;
  for (const BodySurface& body : bodies) ++count[body.name];
  for (auto& [mesh, name] : bodies)
    if (count[name] > 1) name = fmt::format("{}-{}", name, ++used[name]);
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

std::string name_of(const std::vector<NamedPart>& named, std::size_t triangle, const std::string& stem) {
  std::string name = stem;
  for (const NamedPart& part : named)
    if (part.first_triangle <= triangle) name = part.name;
  return name;
}

}  // namespace

std::vector<BodySurface> split_into_bodies(const TriangleMesh& mesh, const std::vector<NamedPart>& named,
                                           const std::string& stem) {
  std::vector<BodySurface> bodies;
  for (const Piece& piece : split_by_names(mesh, named, stem)) {
    std::size_t begin = 0;
    for (const std::size_t end : find_closed_ends(piece.mesh)) {
      std::vector<std::size_t> first;
      std::vector<TriangleMesh> parts = split_surface(take_triangles(piece.mesh, begin, end), first);
      for (std::size_t i = 0; i < parts.size(); ++i)
        bodies.push_back(
            {std::move(parts[i]), piece.name.empty() ? name_of(named, begin + first[i], stem) : piece.name});
      begin = end;
    }
  }
  number_names(bodies);
  return bodies;
}

}  // namespace saltus
