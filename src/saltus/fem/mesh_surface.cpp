#include "saltus/fem/mesh_surface.hpp"

#include <algorithm>
#include <tuple>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_faces.hpp"

namespace saltus {

namespace {

void sort_each_once(std::vector<int>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

template <typename Groups>
auto find_group(const Groups& groups, const std::string& name) {
  return std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.name == name; });
}

void list_name(const std::string& name, std::string& list) {
  if (!name.empty()) list += (list.empty() ? "'" : ", '") + name + "'";
}

template <typename Groups>
void list_names(const Groups& groups, std::string& list) {
  for (const auto& group : groups) list_name(group.name, list);
}

[[noreturn]] void fail_for_group(const std::string& kind, const std::string& name, const std::string& where,
                                 const std::string& list) {
  throw InputError(where, "the mesh has no " + kind + " of this name", "'" + name + "'",
                   list.empty() ? "the mesh has none" : list);
}

}  // namespace

template <int Dim>
std::vector<MeshSide> compute_boundary_sides(const SolidMesh<Dim>& mesh) {
  std::vector<MeshSide> sides;
  MeshFaces(mesh).for_each([&](std::span<const MeshFace> same) {
    if (same.size() == 1) sides.push_back(same[0].side());
  });
  std::sort(sides.begin(), sides.end(), [](const MeshSide& a, const MeshSide& b) {
    return std::tie(a.element, a.face) < std::tie(b.element, b.face);
  });
  return sides;
}

template <int Dim>
std::vector<int> compute_side_nodes(const SolidMesh<Dim>& mesh, const std::vector<MeshSide>& sides) {
  std::vector<int> nodes;
  for (const MeshSide& side : sides) {
    const auto& element = mesh.elements[side.element];
    for (const int local : face_nodes(element.kind, side.face))
      nodes.push_back(mesh.nodes_of(element)[local]);
  }
  sort_each_once(nodes);
  return nodes;
}

template <int Dim>
const std::vector<MeshSide>& find_sides(const SolidMesh<Dim>& mesh, const std::string& name,
                                        const std::string& where) {
  const auto group = find_group(mesh.side_groups, name);
  if (group != mesh.side_groups.end()) return group->sides;
  std::string list;
  list_names(mesh.side_groups, list);
  fail_for_group("group of sides", name, where, list);
}

template <int Dim>
int find_material(const SolidMesh<Dim>& mesh, const std::string& name, const std::string& where) {
  const auto place = std::find(mesh.materials.begin(), mesh.materials.end(), name);
  if (place != mesh.materials.end()) return static_cast<int>(place - mesh.materials.begin());
  std::string list;
  for (const auto& material : mesh.materials) list_name(material, list);
  fail_for_group("group of elements", name, where, list);
}

template <int Dim>
std::vector<int> compute_group_nodes(const SolidMesh<Dim>& mesh, const std::string& name,
                                     const std::string& where) {
  if (const auto group = find_group(mesh.node_groups, name); group != mesh.node_groups.end())
    return group->nodes;
  if (const auto group = find_group(mesh.side_groups, name); group != mesh.side_groups.end())
    return compute_side_nodes(mesh, group->sides);
  const auto place = std::find(mesh.materials.begin(), mesh.materials.end(), name);
  if (place == mesh.materials.end()) {
    std::string list;
    list_names(mesh.node_groups, list);
    list_names(mesh.side_groups, list);
    for (const auto& material : mesh.materials) list_name(material, list);
    fail_for_group("group", name, where, list);
  }
  std::vector<int> nodes;
  for (const auto& element : mesh.elements)
    if (element.material == place - mesh.materials.begin())
      nodes.insert(nodes.end(), mesh.nodes_of(element).begin(), mesh.nodes_of(element).end());
  sort_each_once(nodes);
  return nodes;
}

template std::vector<MeshSide> compute_boundary_sides(const SolidMesh<2>&);
template std::vector<int> compute_side_nodes(const SolidMesh<2>&, const std::vector<MeshSide>&);
template const std::vector<MeshSide>& find_sides(const SolidMesh<2>&, const std::string&, const std::string&);
template int find_material(const SolidMesh<2>&, const std::string&, const std::string&);
template std::vector<int> compute_group_nodes(const SolidMesh<2>&, const std::string&, const std::string&);
template std::vector<MeshSide> compute_boundary_sides(const SolidMesh<3>&);
template std::vector<int> compute_side_nodes(const SolidMesh<3>&, const std::vector<MeshSide>&);
template const std::vector<MeshSide>& find_sides(const SolidMesh<3>&, const std::string&, const std::string&);
template int find_material(const SolidMesh<3>&, const std::string&, const std::string&);
template std::vector<int> compute_group_nodes(const SolidMesh<3>&, const std::string&, const std::string&);

}  // namespace saltus
