#include "saltus/meshes/line_mesh_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

namespace {

// Nodes of lines keep their order.
template <int Dim>
std::vector<int> take_nodes(const RawMesh& raw, double scale, const std::string& path, LineMesh<Dim>& mesh) {
  std::vector<int> place(raw.nodes.size(), -1);
  std::vector<char> is_used(raw.nodes.size(), 0);
  for (const RawMesh::Cell& cell : raw.cells)
    if (cell.type->dimension == 1 && cell.type->corners == 2)
      for (int k = 0; k < 2; ++k) is_used[raw.connectivity[cell.first + k]] = 1;
  double low = 0, high = 0;
  bool is_first = true;
  for (std::size_t i = 0; i < raw.nodes.size(); ++i) {
    if (!is_used[i]) continue;
    place[i] = static_cast<int>(mesh.nodes.size());
    mesh.nodes.push_back(scale * raw.nodes[i].head<Dim>());
    const double z = raw.nodes[i].z();
    low = is_first ? z : std::min(low, z), high = is_first ? z : std::max(high, z);
    is_first = false;
  }
  if (Dim == 2 && high > low)
    throw InputError(path, "lines of a mesh of the plane lie at several z",
                     fmt::format("{} to {}", low, high), "one z, or dimension = 3");
  return place;
}

}  // namespace

template <int Dim>
LineMesh<Dim> read_line_mesh(const std::string& path, double scale) {
  const RawMesh raw = read_raw_mesh(path);
  LineMesh<Dim> mesh;
  const std::vector<int> place = take_nodes<Dim>(raw, scale, path, mesh);
  std::vector<int> group_of(raw.cells.size(), 0), rank(raw.cells.size(), -1);
  for (const RawMesh::Group& group : raw.groups) {
    int own = -1;
    std::set<int> nodes;
    for (const int node : group.nodes)
      if (place[node] >= 0) nodes.insert(place[node]);
    for (const int cell : group.cells) {
      const RawMesh::Cell& c = raw.cells[cell];
      if (c.type->dimension == 0 && c.type->corners == 1 && place[raw.connectivity[c.first]] >= 0)
        nodes.insert(place[raw.connectivity[c.first]]);
      if (c.type->dimension != 1 || group.rank <= rank[cell]) continue;
      if (own < 0) own = static_cast<int>(mesh.groups.size()), mesh.groups.push_back(group.name);
      group_of[cell] = own, rank[cell] = group.rank;
    }
    if (!nodes.empty()) mesh.node_groups.push_back({group.name, {nodes.begin(), nodes.end()}});
  }
  for (std::size_t i = 0; i < raw.cells.size(); ++i) {
    const RawMesh::Cell& cell = raw.cells[i];
    if (cell.type->dimension != 1 || cell.type->corners != 2) continue;
    mesh.elements.push_back(
        {{place[raw.connectivity[cell.first]], place[raw.connectivity[cell.first + 1]]}, group_of[i]});
  }
  if (mesh.elements.empty()) throw InputError(path, "a mesh without lines", "0 lines", "lines of 2 nodes");
  check_line_mesh(mesh, path);
  return mesh;
}

template <int Dim>
LineMesh<Dim> build_polyline(const std::vector<Eigen::Matrix<double, Dim, 1>>& corners,
                             const std::vector<int>& divisions, double grading) {
  LineMesh<Dim> mesh;
  mesh.nodes.push_back(corners[0]);
  mesh.node_groups.push_back({"start", {0}});
  for (std::size_t s = 0; s + 1 < corners.size(); ++s) {
    const int count = divisions[s];
    const double ratio = count > 1 ? std::pow(grading, 1.0 / (count - 1)) : 1.0;
    double whole = 0, done = 0;
    for (int i = 0; i < count; ++i) whole += std::pow(ratio, i);
    for (int i = 0; i < count; ++i) {
      done += std::pow(ratio, i);
      const int node = static_cast<int>(mesh.nodes.size());
      mesh.nodes.push_back(i + 1 == count ? corners[s + 1]
                                          : corners[s] + done / whole * (corners[s + 1] - corners[s]));
      mesh.elements.push_back({{node - 1, node}, 0});
    }
    const bool is_end = s + 2 == corners.size();
    mesh.node_groups.push_back(
        {is_end ? "end" : fmt::format("corner {}", s + 1), {static_cast<int>(mesh.nodes.size()) - 1}});
  }
  return mesh;
}

template <int Dim>
LineMesh<Dim> build_arc(const Eigen::Matrix<double, Dim, 1>& centre, double radius, double from, double to,
                        int divisions) {
  LineMesh<Dim> mesh;
  for (int i = 0; i <= divisions; ++i) {
    const double a = from + (to - from) * i / divisions;
    Eigen::Matrix<double, Dim, 1> x = centre;
    x[0] += radius * std::cos(a), x[1] += radius * std::sin(a);
    mesh.nodes.push_back(x);
    if (i > 0) mesh.elements.push_back({{i - 1, i}, 0});
  }
  mesh.node_groups = {{"start", {0}}, {"end", {divisions}}};
  return mesh;
}

template LineMesh<2> read_line_mesh<2>(const std::string&, double);
template LineMesh<3> read_line_mesh<3>(const std::string&, double);
template LineMesh<2> build_polyline<2>(const std::vector<Eigen::Vector2d>&, const std::vector<int>&, double);
template LineMesh<3> build_polyline<3>(const std::vector<Eigen::Vector3d>&, const std::vector<int>&, double);
template LineMesh<2> build_arc<2>(const Eigen::Vector2d&, double, double, double, int);
template LineMesh<3> build_arc<3>(const Eigen::Vector3d&, double, double, double, int);

}  // namespace saltus
