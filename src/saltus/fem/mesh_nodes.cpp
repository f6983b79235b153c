#include "saltus/fem/mesh_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "saltus/fem/mesh_faces.hpp"

namespace saltus {

namespace {

// Points in cubic cells of eight distances: the ball about a point reaches into the next cell seldom.
template <int Dim>
class PointCells {
 public:
  using Point = Eigen::Matrix<double, Dim, 1>;
  using Cell = Eigen::Matrix<std::int64_t, Dim, 1>;

  PointCells(const std::vector<Point>& points, const Point& low, double distance)
      : points_(points), low_(low), distance_(distance), next_(points.size(), -1) {
    std::size_t size = 16;
    while (size < 2 * points.size()) size *= 2;
    head_.assign(size, -1);
  }

  // The first point put in before that is within the distance, or -1.
  int find(const Point& x) const {
    const Cell from = cell_of(x - Point::Constant(distance_)), to = cell_of(x + Point::Constant(distance_));
    int found = -1;
    for (Cell cell = from; cell[Dim - 1] <= to[Dim - 1];) {
      for (int i = head_[slot(cell)]; i >= 0; i = next_[i])
        if ((found < 0 || i < found) && (points_[i] - x).norm() <= distance_) found = i;
      ++cell[0];
      for (int d = 0; d + 1 < Dim && cell[d] > to[d]; ++d) cell[d] = from[d], ++cell[d + 1];
    }
    return found;
  }
  void put(int i) {
    int& head = head_[slot(cell_of(points_[i]))];
    next_[i] = head;
    head = i;
  }

 private:
  Cell cell_of(const Point& x) const {
    // 1e15 cells are more than a double can tell apart.
    const Point scaled = ((x - low_) / (8 * distance_)).cwiseMax(-1e15).cwiseMin(1e15);
    return scaled.array().floor().template cast<std::int64_t>().matrix();
  }
  std::size_t slot(const Cell& cell) const {
    std::uint64_t h = 0;
    for (int d = 0; d < Dim; ++d) {
      h = (h ^ static_cast<std::uint64_t>(cell[d])) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return h & (head_.size() - 1);
  }

  const std::vector<Point>& points_;
  Point low_;
  double distance_;
  std::vector<int> head_, next_;
};

template <int Dim>
Eigen::Matrix<double, Dim, 1> lowest_corner(const SolidMesh<Dim>& mesh) {
  Eigen::Matrix<double, Dim, 1> low = mesh.nodes[0];
  for (const auto& x : mesh.nodes) low = low.cwiseMin(x);
  return low;
}

void rename_nodes(const std::vector<int>& number, std::vector<int>& nodes) {
  for (int& node : nodes) node = number[node];
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

template <int Dim>
void drop_inner_sides(SolidMesh<Dim>& mesh) {
  const MeshFaces faces(mesh);
  for (auto& group : mesh.side_groups)
    std::erase_if(group.sides, [&](const MeshSide& side) {
      const auto& element = mesh.elements[side.element];
      int corners[4];
      const int count = face_corner_count(element.kind);
      for (int k = 0; k < count; ++k)
        corners[k] = mesh.nodes_of(element)[face_nodes(element.kind, side.face)[k]];
      return faces.find({corners, static_cast<std::size_t>(count)}).size() > 1;
    });
  std::erase_if(mesh.side_groups, [](const auto& group) { return group.sides.empty(); });
}

template <typename Group>
Group& group_of_name(const std::string& name, std::vector<Group>& groups) {
  const auto place =
      std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.name == name; });
  if (place != groups.end()) return *place;
  groups.emplace_back().name = name;
  return groups.back();
}

}  // namespace

template <int Dim>
double compute_extent(const SolidMesh<Dim>& mesh) {
  if (mesh.nodes.empty()) return 0;
  Eigen::Matrix<double, Dim, 1> low = lowest_corner(mesh), high = low;
  for (const auto& x : mesh.nodes) high = high.cwiseMax(x);
  return (high - low).maxCoeff();
}

template <int Dim>
std::vector<int> find_coincident_nodes(const SolidMesh<Dim>& mesh, double distance) {
  std::vector<int> first(mesh.nodes.size());
  if (mesh.nodes.empty()) return first;
  // Cells of no size would be divided by: nodes at one point all fall into one of the smallest.
  PointCells<Dim> cells(mesh.nodes, lowest_corner(mesh), std::max(distance, 1e-300));
  for (int i = 0; i < static_cast<int>(mesh.nodes.size()); ++i) {
    const int found = cells.find(mesh.nodes[i]);
    first[i] = found < 0 ? i : found;
    if (found < 0) cells.put(i);
  }
  return first;
}

template <int Dim>
std::vector<int> merge_nodes(double tolerance, SolidMesh<Dim>& mesh) {
  std::vector<int> number = find_coincident_nodes(mesh, tolerance * compute_extent(mesh));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == static_cast<int>(i)) {
      mesh.nodes[kept] = mesh.nodes[i];
      number[i] = static_cast<int>(kept++);
    } else {
      number[i] = number[number[i]];  // a node before it: its new number is known
    }
  }
  mesh.nodes.resize(kept);
  for (int& node : mesh.connectivity) node = number[node];
  for (auto& group : mesh.node_groups) rename_nodes(number, group.nodes);
  drop_inner_sides(mesh);
  return number;
}

template <int Dim>
void append_mesh(const SolidMesh<Dim>& other, SolidMesh<Dim>& mesh) {
  const int nodes = static_cast<int>(mesh.nodes.size()), elements = static_cast<int>(mesh.elements.size());
  if (elements == 0) mesh.materials.clear();
  std::vector<int> material;
  for (const std::string& name : other.materials) {
    auto place = std::find(mesh.materials.begin(), mesh.materials.end(), name);
    if (place == mesh.materials.end()) place = mesh.materials.insert(place, name);
    material.push_back(static_cast<int>(place - mesh.materials.begin()));
  }
  mesh.nodes.insert(mesh.nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const auto& element : other.elements) {
    mesh.add_element(element.kind, other.nodes_of(element), material[element.material]);
    const auto own = std::span(mesh.connectivity).last(node_count(element.kind));
    for (int& node : own) node += nodes;
  }
  for (const auto& group : other.node_groups) {
    auto& own = group_of_name(group.name, mesh.node_groups).nodes;
    for (const int node : group.nodes) own.push_back(node + nodes);
  }
  for (const auto& group : other.side_groups) {
    auto& own = group_of_name(group.name, mesh.side_groups).sides;
    for (const MeshSide& side : group.sides) own.push_back({side.element + elements, side.face});
  }
}

template double compute_extent(const SolidMesh<2>&);
template std::vector<int> find_coincident_nodes(const SolidMesh<2>&, double);
template std::vector<int> merge_nodes(double, SolidMesh<2>&);
template void append_mesh(const SolidMesh<2>&, SolidMesh<2>&);
template double compute_extent(const SolidMesh<3>&);
template std::vector<int> find_coincident_nodes(const SolidMesh<3>&, double);
template std::vector<int> merge_nodes(double, SolidMesh<3>&);
template void append_mesh(const SolidMesh<3>&, SolidMesh<3>&);

}  // namespace saltus
