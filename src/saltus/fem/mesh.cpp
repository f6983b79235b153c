#include "saltus/fem/mesh.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/t3.hpp"

namespace saltus {

namespace {

void check_triangle(const PlaneMesh& mesh, std::size_t number, const std::string& where) {
  const auto& t = mesh.triangles[number];
  for (const int node : t)
    if (node < 0 || node >= static_cast<int>(mesh.nodes.size()))
      throw InputError(where, fmt::format("node of element {}", number), fmt::format("{}", node),
                       fmt::format("0 to {}", static_cast<int>(mesh.nodes.size()) - 1));
  const double area = T3(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]]).area();
  if (!(area > 0))
    throw InputError(where, fmt::format("area of element {}", number), fmt::format("{}", area),
                     "above 0, nodes counter-clockwise");
}

}  // namespace

void check_mesh(const PlaneMesh& mesh, const std::string& where) {
  if (mesh.triangles.empty()) throw InputError(where, "a mesh without elements");
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (!mesh.nodes[i].allFinite())
      throw InputError(where, fmt::format("node {} has a coordinate that is not finite", i));
  std::vector<char> is_used(mesh.nodes.size(), 0);
  std::map<std::pair<int, int>, std::size_t> side_of;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    check_triangle(mesh, i, where);
    const auto& t = mesh.triangles[i];
    for (int k = 0; k < 3; ++k) {
      is_used[t[k]] = 1;
      const auto [other, is_new] = side_of.emplace(std::pair(t[k], t[(k + 1) % 3]), i);
      if (!is_new)
        throw InputError(where, fmt::format("side {}-{} of element {} in one direction with element {}", t[k],
                                            t[(k + 1) % 3], i, other->second));
    }
  }
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (!is_used[i]) throw InputError(where, fmt::format("node {} belongs to no element", i));
}

PlaneMesh build_rectangle(double width, double height, int nx, int ny) {
  PlaneMesh mesh;
  const auto along = [](double length, int i, int n) { return length * (static_cast<double>(i) / n - 0.5); };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.nodes.emplace_back(along(width, i, nx), along(height, j, ny));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1;
      if ((i + j) % 2 == 0)
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return mesh;
}

std::vector<std::array<int, 2>> boundary_edges(const PlaneMesh& mesh) {
  std::set<std::pair<int, int>> sides;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) sides.emplace(t[k], t[(k + 1) % 3]);
  std::multimap<int, int> next;  // of the boundary: from a node to the next one
  for (const auto& [from, to] : sides)
    if (!sides.count({to, from})) next.emplace(from, to);
  std::vector<std::array<int, 2>> edges;
  while (!next.empty()) {
    // Every node of the boundary has as many edges that arrive as leave, so that the walk ends where it began.
    for (auto at = next.begin(); at != next.end(); at = next.find(edges.back()[1])) {
      edges.push_back({at->first, at->second});
      next.erase(at);
    }
  }
  return edges;
}

std::vector<int> boundary_nodes(const std::vector<std::array<int, 2>>& edges) {
  std::vector<int> nodes;
  for (const auto& edge : edges) nodes.push_back(edge[0]);
  return nodes;
}

}  // namespace saltus
