#include "saltus/fem/mesh_check.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_faces.hpp"
#include "saltus/fem/mesh_nodes.hpp"

namespace saltus {

namespace {

constexpr double kFlattest = 1e-6;            // of a corner: Jacobian over product of lengths
constexpr double kLargestCoordinate = 1e100;  // m: products of three of them are still numbers

// Ends and middle of the sides (edges in space) of a kind. The middle is -1 in linear elements.
struct LocalEdge {
  int from, to, middle;
};

// Neighbours of each corner, turning so that their triple product is positive in a good element.
struct ElementCorners {
  std::vector<LocalEdge> edges;
  std::vector<std::array<int, 3>> neighbours;
};

ElementCorners find_corners(ElementKind kind) {
  ElementCorners result;
  const bool quadratic = node_count(kind) > corner_count(kind);
  const auto add = [&](std::initializer_list<std::pair<int, int>> ends) {
    int middle = corner_count(kind);
    for (const auto& [from, to] : ends) result.edges.push_back({from, to, quadratic ? middle++ : -1});
  };
  switch (kind) {
    case ElementKind::t3:
    case ElementKind::t6:
      add({{0, 1}, {1, 2}, {2, 0}});
      result.neighbours = {{1, 2, -1}, {2, 0, -1}, {0, 1, -1}};
      break;
    case ElementKind::q4:
    case ElementKind::q8:
      add({{0, 1}, {1, 2}, {2, 3}, {3, 0}});
      result.neighbours = {{1, 3, -1}, {2, 0, -1}, {3, 1, -1}, {0, 2, -1}};
      break;
    case ElementKind::t4:
    case ElementKind::t10:
      add({{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}});
      result.neighbours = {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}};
      break;
    case ElementKind::h8:
    case ElementKind::h20:
      add({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}});
      result.neighbours = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                           {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
      break;
  }
  return result;
}

const ElementCorners& corners_of(ElementKind kind) {
  static const std::vector<ElementCorners> all = [] {
    std::vector<ElementCorners> kinds;
    for (int k = 0; k < kElementKinds; ++k) kinds.push_back(find_corners(static_cast<ElementKind>(k)));
    return kinds;
  }();
  return all[static_cast<std::size_t>(kind)];
}

template <int Dim>
class MeshChecker {
 public:
  using Mesh = SolidMesh<Dim>;
  using Element = typename Mesh::Element;
  using Point = typename Mesh::Point;

  MeshChecker(const Mesh& mesh, const std::string& where, const MeshCheckOptions& options)
      : mesh_(mesh), where_(where), options_(options) {}

  void check() const {
    if (mesh_.elements.empty()) throw InputError(where_, "a mesh without elements");
    check_nodes();
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) check_edges(static_cast<int>(e));
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) check_corners(static_cast<int>(e));
    check_places();
    const std::vector<MeshFace> boundary = check_faces(MeshFaces(mesh_));
    if (!options_.allow_pinches) check_pinches(boundary);
    check_groups(boundary);
  }

 private:
  std::string node_name(int i) const {
    return fmt::format("node {}", options_.node_numbers.empty() ? i : options_.node_numbers[i]);
  }
  std::string element_name(int e) const {
    return fmt::format("element {} ({})", options_.element_numbers.empty() ? e : options_.element_numbers[e],
                       name(mesh_.elements[e].kind));
  }
  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const {
    throw InputError(where_, what, value, allowed);
  }

  void check_nodes() const {
    const int count = static_cast<int>(mesh_.nodes.size());
    for (int i = 0; i < count; ++i)
      if (const double most = mesh_.nodes[i].cwiseAbs().maxCoeff();
          !mesh_.nodes[i].allFinite() || most > kLargestCoordinate)
        fail("coordinates of " + node_name(i), fmt::format("{}", fmt::join(mesh_.nodes[i], " ")),
             "finite numbers up to 1e100");
    std::vector<char> is_used(mesh_.nodes.size(), 0);
    for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) check_connectivity(e, is_used);
    const auto idle = std::find(is_used.begin(), is_used.end(), 0);
    if (idle != is_used.end())
      fail(node_name(static_cast<int>(idle - is_used.begin())) + " belongs to no element");
  }

  void check_connectivity(int e, std::vector<char>& is_used) const {
    const Element& element = mesh_.elements[e];
    const int count = static_cast<int>(mesh_.nodes.size());
    if (dimension_of(element.kind) != Dim)
      fail(element_name(e) + " does not fit a mesh of dimension " + std::to_string(Dim));
    if (element.first < 0 ||
        element.first + std::size_t(node_count(element.kind)) > mesh_.connectivity.size())
      fail(element_name(e) + ": its nodes are not in the connectivity");
    if (element.material < 0 || element.material >= static_cast<int>(mesh_.materials.size()))
      fail("material of " + element_name(e), std::to_string(element.material),
           fmt::format("0 to {}", static_cast<int>(mesh_.materials.size()) - 1));
    const auto nodes = mesh_.nodes_of(element);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] < 0 || nodes[k] >= count)
        fail("a node of " + element_name(e), std::to_string(nodes[k]), fmt::format("0 to {}", count - 1));
      is_used[nodes[k]] = 1;
      if (std::find(nodes.begin(), nodes.begin() + k, nodes[k]) != nodes.begin() + k)
        fail(element_name(e) + " is degenerate: it has " + node_name(nodes[k]) + " twice");
    }
  }

  // The map along a side is monotone where its middle is in the middle half: there 4 m - 3 a - b, the slope at a, and the
  // slope at b point from a to b.
  void check_edges(int e) const {
    const auto nodes = mesh_.nodes_of(mesh_.elements[e]);
    for (const LocalEdge& edge : corners_of(mesh_.elements[e].kind).edges) {
      if (edge.middle < 0) return;
      const Point a = mesh_.nodes[nodes[edge.from]], along = mesh_.nodes[nodes[edge.to]] - a;
      const Point middle = mesh_.nodes[nodes[edge.middle]] - a;
      const double share = middle.dot(along) / along.squaredNorm();
      const double beside = (middle - share * along).norm() / along.norm();
      if (!(share > 0.25 && share < 0.75))
        fail(fmt::format("{}: middle {} of the side from {} to {}, as a share of its length", element_name(e),
                         node_name(nodes[edge.middle]), node_name(nodes[edge.from]),
                         node_name(nodes[edge.to])),
             fmt::format("{:.4g}", share), "between 0.25 and 0.75 (best 0.5); is the order of nodes right?");
      if (!(beside <= 0.5))
        fail(fmt::format("{}: middle {} lies beside the side from {} to {}, by a share of its length",
                         element_name(e), node_name(nodes[edge.middle]), node_name(nodes[edge.from]),
                         node_name(nodes[edge.to])),
             fmt::format("{:.4g}", beside), "up to 0.5");
    }
  }

  // The slope at a corner along a side depends on the nodes of the side alone, in every kind.
  void check_corners(int e) const {
    const auto nodes = mesh_.nodes_of(mesh_.elements[e]);
    const ElementCorners& corners = corners_of(mesh_.elements[e].kind);
    const auto slope = [&](int a, int b) -> Point {
      if (corners.edges[0].middle < 0) return mesh_.nodes[nodes[b]] - mesh_.nodes[nodes[a]];
      for (const LocalEdge& edge : corners.edges)
        if ((edge.from == a && edge.to == b) || (edge.from == b && edge.to == a))
          return Point(4 * (mesh_.nodes[nodes[edge.middle]] - mesh_.nodes[nodes[a]]) -
                       (mesh_.nodes[nodes[b]] - mesh_.nodes[nodes[a]]));
      return Point::Zero();
    };
    for (std::size_t c = 0; c < corners.neighbours.size(); ++c) {
      Eigen::Matrix<double, Dim, Dim> slopes;
      for (int d = 0; d < Dim; ++d)
        slopes.col(d) = slope(static_cast<int>(c), corners.neighbours[c][d]).normalized();
      const double jacobian = slopes.determinant();
      if (jacobian > kFlattest) continue;
      fail(fmt::format("{} is {}: its Jacobian at {}, relative to its sides", element_name(e),
                       jacobian < -kFlattest ? "inverted" : "degenerate", node_name(nodes[c])),
           fmt::format("{:.4g}", jacobian), fmt::format("above {:g}", kFlattest));
    }
  }

  void check_places() const {
    if (!(options_.coincidence > 0)) return;
    const double distance = options_.coincidence * compute_extent(mesh_);
    if (!(distance > 0)) return;
    const std::vector<int> first = find_coincident_nodes(mesh_, distance);
    for (int i = 0; i < static_cast<int>(first.size()); ++i)
      if (first[i] != i)
        fail(fmt::format("{} and {} are at one place, ({:.9g}): merge them, or allow it", node_name(first[i]),
                         node_name(i), fmt::join(mesh_.nodes[i], ", ")),
             fmt::format("{:.3g} m apart", (mesh_.nodes[i] - mesh_.nodes[first[i]]).norm()),
             fmt::format("more than {:.3g} m, {:g} of the extent of the mesh", distance,
                         options_.coincidence));
  }

  std::string face_name(const MeshFace& face) const {
    std::string text = Dim == 2 ? "the side of nodes" : "the face of nodes";
    for (const int node : face.corners)
      if (node >= 0) text.append(" ").append(node_name(node), 5);
    return text;
  }

  std::vector<int> middles(const MeshFace& face) const {
    const Element& element = mesh_.elements[face.element];
    std::vector<int> nodes;
    for (const int local : face_nodes(element.kind, face.face).subspan(face_corner_count(element.kind)))
      nodes.push_back(mesh_.nodes_of(element)[local]);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  std::vector<MeshFace> check_faces(const MeshFaces& faces) const {
    std::vector<MeshFace> boundary;
    faces.for_each([&](std::span<const MeshFace> same) {
      if (same.size() == 1) {
        boundary.push_back(same[0]);
        return;
      }
      const std::string both = element_name(same[0].element) + " and " + element_name(same[1].element);
      if (same.size() > 2)
        fail(fmt::format("{} is shared by {}, {}", face_name(same[0]), both, element_name(same[2].element)),
             fmt::format("{} elements", same.size()), "two");
      if (same[0].reversed == same[1].reversed)
        fail(both + " lie on one side of " + face_name(same[0]) + ": they overlap, or are the same");
      if (node_count(mesh_.elements[same[0].element].kind) ==
              corner_count(mesh_.elements[same[0].element].kind) &&
          node_count(mesh_.elements[same[1].element].kind) ==
              corner_count(mesh_.elements[same[1].element].kind))
        return;
      if (middles(same[0]) != middles(same[1]))
        fail(both + " share " + face_name(same[0]) + ", but not its middle nodes");
    });
    return boundary;
  }

  // On a manifold no way from a corner to the next is gone twice by the faces of the boundary. In the plane a side has
  // one way, and no corner is left twice.
  void check_pinches(const std::vector<MeshFace>& boundary) const {
    struct Way {
      int from, to, element;
      bool operator<(const Way& o) const {
        return std::tie(from, to, element) < std::tie(o.from, o.to, o.element);
      }
    };
    std::vector<Way> ways;
    for (const MeshFace& face : boundary) {
      const Element& element = mesh_.elements[face.element];
      const auto nodes = mesh_.nodes_of(element);
      const auto local = face_nodes(element.kind, face.face);
      const int count = face_corner_count(element.kind);
      for (int k = 0; k < (Dim == 2 ? 1 : count); ++k)
        ways.push_back({nodes[local[k]], Dim == 2 ? -1 : nodes[local[(k + 1) % count]], face.element});
    }
    std::sort(ways.begin(), ways.end());
    for (std::size_t i = 1; i < ways.size(); ++i)
      if (ways[i].from == ways[i - 1].from && ways[i].to == ways[i - 1].to)
        fail(fmt::format("the surface is no manifold: {} and {} touch in {} only",
                         element_name(ways[i - 1].element), element_name(ways[i].element),
                         Dim == 2
                             ? node_name(ways[i].from)
                             : "the edge from " + node_name(ways[i].from) + " to " + node_name(ways[i].to)));
  }

  void check_groups(const std::vector<MeshFace>& boundary) const {
    check_materials();
    std::set<std::string> names;
    for (const auto& group : mesh_.node_groups) {
      check_name("group of nodes", group.name, group.nodes.empty(), names);
      for (std::size_t i = 0; i < group.nodes.size(); ++i)
        if (group.nodes[i] < 0 || group.nodes[i] >= static_cast<int>(mesh_.nodes.size()) ||
            (i > 0 && group.nodes[i] <= group.nodes[i - 1]))
          fail(fmt::format("group of nodes '{}'", group.name), fmt::format("node {}", group.nodes[i]),
               "nodes of the mesh, ascending, each once");
    }
    std::vector<std::pair<int, int>> outside;
    if (!mesh_.side_groups.empty())
      for (const MeshFace& face : boundary) outside.emplace_back(face.element, face.face);
    std::sort(outside.begin(), outside.end());
    names.clear();
    for (const auto& group : mesh_.side_groups) {
      check_name("group of sides", group.name, group.sides.empty(), names);
      for (const MeshSide& side : group.sides)
        if (!std::binary_search(outside.begin(), outside.end(), std::pair(side.element, side.face)))
          fail(fmt::format("group of sides '{}'", group.name),
               fmt::format("face {} of element {}", side.face, side.element),
               "faces on the boundary of the mesh");
    }
  }

  void check_materials() const {
    std::vector<char> is_used(mesh_.materials.size(), 0);
    for (const Element& element : mesh_.elements) is_used[element.material] = 1;
    std::set<std::string> names;
    for (std::size_t m = 0; m < mesh_.materials.size(); ++m) {
      if (!names.insert(mesh_.materials[m]).second)
        fail("two groups of elements of one name", "'" + mesh_.materials[m] + "'");
      if (!is_used[m] && !mesh_.materials[m].empty())
        fail(fmt::format("group of elements '{}' is empty", mesh_.materials[m]));
    }
  }

  void check_name(const std::string& kind, const std::string& name, bool is_empty,
                  std::set<std::string>& names) const {
    if (name.empty()) fail("a " + kind + " without a name");
    if (is_empty) fail(fmt::format("{} '{}' is empty", kind, name));
    if (!names.insert(name).second) fail(fmt::format("a second {} of this name", kind), "'" + name + "'");
  }

  const Mesh& mesh_;
  const std::string& where_;
  const MeshCheckOptions& options_;
};

}  // namespace

template <int Dim>
void check_mesh(const SolidMesh<Dim>& mesh, const std::string& where, const MeshCheckOptions& options) {
  MeshChecker<Dim>(mesh, where, options).check();
}

template void check_mesh(const SolidMesh<2>&, const std::string&, const MeshCheckOptions&);
template void check_mesh(const SolidMesh<3>&, const std::string&, const MeshCheckOptions&);

}  // namespace saltus
