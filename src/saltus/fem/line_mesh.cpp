#include "saltus/fem/line_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "saltus/base/input_error.hpp"

namespace saltus {

template <int Dim>
void check_line_mesh(const LineMesh<Dim>& mesh, const std::string& where) {
  const int nodes = static_cast<int>(mesh.nodes.size());
  if (mesh.elements.empty()) throw InputError(where, "a mesh of lines has no element");
  double extent = 0;
  for (int i = 0; i < nodes; ++i) {
    if (!mesh.nodes[i].allFinite()) throw InputError(where, fmt::format("node {} is not finite", i));
    extent = std::max(extent, (mesh.nodes[i] - mesh.nodes[0]).norm());
  }
  std::vector<char> is_used(nodes, 0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto& element = mesh.elements[e];
    for (const int node : element.nodes) {
      if (node < 0 || node >= nodes)
        throw InputError(where, fmt::format("element {} has a node that is not there", e),
                         fmt::format("{}", node), fmt::format("0 to {}", nodes - 1));
      is_used[node] = 1;
    }
    if (!((mesh.nodes[element.nodes[1]] - mesh.nodes[element.nodes[0]]).norm() > 1e-12 * extent))
      throw InputError(where, fmt::format("element {} has no length: its nodes {} and {} are at one place", e,
                                          element.nodes[0], element.nodes[1]));
    if (element.group < 0 || element.group >= static_cast<int>(mesh.groups.size()))
      throw InputError(where, fmt::format("element {} is in a group that is not there", e));
  }
  for (int i = 0; i < nodes; ++i)
    if (!is_used[i]) throw InputError(where, fmt::format("node {} belongs to no element", i));
  std::set<std::string> names;
  for (const auto& group : mesh.node_groups)
    if (!names.insert(group.name).second)
      throw InputError(where, "two groups of nodes have one name", '"' + group.name + '"');
}

template <int Dim>
std::vector<int> find_line_nodes(const LineMesh<Dim>& mesh, const std::string& group,
                                 const std::string& where) {
  for (const auto& own : mesh.node_groups)
    if (own.name == group) return own.nodes;
  std::set<int> found;
  for (const auto& element : mesh.elements)
    if (group == "all" || (mesh.groups[element.group] == group && !group.empty()))
      found.insert(element.nodes.begin(), element.nodes.end());
  if (!found.empty()) return {found.begin(), found.end()};
  std::string names = "all";
  for (const auto& own : mesh.node_groups) names += ", " + own.name;
  for (const std::string& own : mesh.groups)
    if (!own.empty()) names += ", " + own;
  throw InputError(where, "a group that the mesh has not", '"' + group + '"', names);
}

template void check_line_mesh<2>(const LineMesh<2>&, const std::string&);
template void check_line_mesh<3>(const LineMesh<3>&, const std::string&);
template std::vector<int> find_line_nodes<2>(const LineMesh<2>&, const std::string&, const std::string&);
template std::vector<int> find_line_nodes<3>(const LineMesh<3>&, const std::string&, const std::string&);

}  // namespace saltus
