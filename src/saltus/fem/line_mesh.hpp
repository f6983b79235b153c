// A mesh of straight lines between two nodes, in the plane or in space, with names for parts of it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace saltus {

template <int Dim>
struct LineMesh {
  using Point = Eigen::Matrix<double, Dim, 1>;

  struct Element {
    std::array<int, 2> nodes = {0, 0};
    int group = 0;  // in `groups`
  };
  struct NodeGroup {
    std::string name;
    std::vector<int> nodes;  // ascending, each once
  };

  std::vector<Point> nodes;  // m
  std::vector<Element> elements;
  std::vector<std::string> groups = {""};  // names of groups of elements
  std::vector<NodeGroup> node_groups;
};

// Throws InputError that names the element, node or group: nodes that do not exist, are at no element or not finite, elements
// without length, an empty mesh, a group twice.
template <int Dim>
void check_line_mesh(const LineMesh<Dim>& mesh, const std::string& where);

// Nodes of a group; "all" is every node; the name of a group of elements means their nodes. InputError: no such group.
template <int Dim>
std::vector<int> find_line_nodes(const LineMesh<Dim>& mesh, const std::string& group,
                                 const std::string& where);

}  // namespace saltus
