#include "saltus/meshes/solid_mesh_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_check.hpp"
#include "saltus/fem/mesh_faces.hpp"
#include "saltus/fem/mesh_nodes.hpp"

namespace saltus {

namespace {

template <int Dim>
class SolidMeshBuilder {
 public:
  SolidMeshBuilder(RawMesh raw, const std::string& where, const MeshReadOptions& options)
      : raw_(std::move(raw)), where_(where), options_(options) {}

  ReadMesh<Dim> build() {
    check_sizes();
    result_.notes = std::move(raw_.notes);
    add_elements();
    add_nodes();
    if constexpr (Dim == 2) turn_round();
    if (options_.coincident == CoincidentNodes::merge) merge();
    add_materials();
    add_groups();
    tell_ignored();
    if (options_.is_checked) check();
    return std::move(result_);
  }

 private:
  using Mesh = SolidMesh<Dim>;

  void note(const std::string& text) { result_.notes.push_back(where_ + ": " + text); }
  static std::string name_cell(const RawMesh::Cell& cell) {
    return fmt::format("element {} ({})", cell.number, cell.type->name);
  }

  void check_sizes() const {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    if (raw_.connectivity.size() > kMost || raw_.nodes.size() > kMost)
      throw InputError(where_, "the mesh is too large",
                       fmt::format("{} nodes of elements", raw_.connectivity.size()),
                       fmt::format("{}", kMost));
    if (!(std::isfinite(options_.scale) && options_.scale > 0))
      throw InputError(where_, "scale of the mesh", fmt::format("{}", options_.scale), "above 0");
    if (!(options_.coincidence >= 1e-14 && options_.coincidence <= 0.1))
      throw InputError(where_,
                       "distance within which nodes are at one place, as a share of the extent of the mesh",
                       fmt::format("{}", options_.coincidence), "1e-14 to 0.1");
  }

  void add_elements() {
    element_of_.assign(raw_.cells.size(), -1);
    for (std::size_t c = 0; c < raw_.cells.size(); ++c) {
      const RawMesh::Cell& cell = raw_.cells[c];
      if (cell.type->dimension > Dim)
        throw InputError(where_, fmt::format("{} in a mesh of dimension {}", name_cell(cell), Dim));
      if (cell.type->dimension < Dim) continue;
      if (!cell.type->kind)
        throw InputError(where_, fmt::format("kind of element {}", cell.number), std::string(cell.type->name),
                         Dim == 2 ? "t3, t6, q4, q8" : "t4, t10, h8, h20");
      element_of_[c] = static_cast<int>(result_.mesh.elements.size());
      result_.mesh.add_element(*cell.type->kind, own_nodes(cell));
      result_.element_numbers.push_back(cell.number);
    }
    if (result_.mesh.elements.empty())
      throw InputError(where_, fmt::format("the file has no elements of dimension {}", Dim),
                       fmt::format("{} cells", raw_.cells.size()));
  }

  std::span<const int> own_nodes(const RawMesh::Cell& cell) const {
    return std::span(raw_.connectivity).subspan(cell.first, cell.type->corners == 0 ? 0 : cell.type->nodes);
  }

  void add_nodes() {
    Mesh& mesh = result_.mesh;
    number_.assign(raw_.nodes.size(), -1);
    for (const int node : mesh.connectivity) number_[node] = 0;
    int level = -1;  // the node that tells the height of the plane
    for (std::size_t i = 0; i < number_.size(); ++i) {
      if (number_[i] < 0) continue;
      if (!(raw_.nodes[i].cwiseAbs().maxCoeff() * options_.scale <= 1e100) || !raw_.nodes[i].allFinite())
        throw InputError(where_, fmt::format("coordinates of node {}", raw_.node_numbers[i]),
                         fmt::format("{} {} {}", raw_.nodes[i].x(), raw_.nodes[i].y(), raw_.nodes[i].z()),
                         "finite numbers up to 1e100");
      number_[i] = static_cast<int>(mesh.nodes.size());
      mesh.nodes.push_back((raw_.nodes[i] * options_.scale).template head<Dim>());
      result_.node_numbers.push_back(raw_.node_numbers[i]);
      if (level < 0) level = static_cast<int>(i);
    }
    for (int& node : mesh.connectivity) node = number_[node];
    if (mesh.nodes.size() < raw_.nodes.size())
      note(fmt::format("{} nodes of no element are left out", raw_.nodes.size() - mesh.nodes.size()));
    if (Dim == 3) return;
    const double height = raw_.nodes[level].z(), extent = compute_extent(mesh) / options_.scale;
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (number_[i] >= 0 && !(std::abs(raw_.nodes[i].z() - height) <= 1e-9 * extent))
        throw InputError(where_,
                         fmt::format("z of node {}: a mesh of the plane lies at one z", raw_.node_numbers[i]),
                         fmt::format("{:.9g}", raw_.nodes[i].z()),
                         fmt::format("{:.9g}, as node {}", height, raw_.node_numbers[level]));
  }

  void turn_round() {
    Mesh& mesh = result_.mesh;
    is_turned_.assign(mesh.elements.size(), 0);
    int turned = 0;
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const auto& element = mesh.elements[e];
      const auto nodes = std::span(mesh.connectivity).subspan(element.first, node_count(element.kind));
      const int corners = corner_count(element.kind);
      double area = 0;
      for (int k = 0; k < corners; ++k) {
        const auto &a = mesh.nodes[nodes[k]], &b = mesh.nodes[nodes[(k + 1) % corners]];
        const Eigen::Vector2d from = (a - mesh.nodes[nodes[0]]).template head<2>(),
                              to = (b - mesh.nodes[nodes[0]]).template head<2>();
        area += from.x() * to.y() - from.y() * to.x();
      }
      if (!(area < 0)) continue;
      // 0 3 2 1 | 7 6 5 4: corners but the first, and middles, go backwards.
      std::reverse(nodes.begin() + 1, nodes.begin() + corners);
      std::reverse(nodes.begin() + corners, nodes.end());
      is_turned_[e] = 1;
      ++turned;
    }
    if (turned > 0) note(fmt::format("{} clockwise elements were turned round", turned));
  }

  void merge() {
    const std::size_t before = result_.mesh.nodes.size();
    const std::vector<int> merged = merge_nodes(options_.coincidence, result_.mesh);
    if (result_.mesh.nodes.size() == before) return;
    note(fmt::format("{} nodes were merged with others at their place", before - result_.mesh.nodes.size()));
    for (int& node : number_)
      if (node >= 0) node = merged[node];
    std::vector<std::int64_t> numbers(result_.mesh.nodes.size());
    for (std::size_t i = merged.size(); i-- > 0;) numbers[merged[i]] = result_.node_numbers[i];
    result_.node_numbers = std::move(numbers);
  }

  // Groups of the highest rank first, then in the order of the file. A set of all elements beside others is a handle, no
  // material, unless it is a section.
  void add_materials() {
    Mesh& mesh = result_.mesh;
    std::vector<int> material(mesh.elements.size(), -1);
    std::vector<std::string> names;
    std::vector<std::vector<int>> members_of;
    bool has_parts = false, has_sections = false;
    for (const auto& group : raw_.groups) {
      members_of.push_back(elements_in(group));
      has_parts =
          has_parts || (!members_of.back().empty() && members_of.back().size() < mesh.elements.size());
      has_sections = has_sections || group.rank == 2;
    }
    for (int rank = 2; rank >= (has_sections ? 2 : 0); --rank)
      for (std::size_t g = 0; g < raw_.groups.size(); ++g) {
        const std::vector<int>& members = members_of[g];
        if (raw_.groups[g].rank != rank || members.empty()) continue;
        if (members.size() == mesh.elements.size() && has_parts && rank < 2) continue;
        const auto taken =
            std::find_if(members.begin(), members.end(), [&](int e) { return material[e] >= 0; });
        if (taken != members.end()) {
          note(fmt::format("'{}' is no material: element {} is already of '{}'", raw_.groups[g].name,
                           result_.element_numbers[*taken], names[material[*taken]]));
          continue;
        }
        for (const int e : members) material[e] = static_cast<int>(names.size());
        names.push_back(raw_.groups[g].name);
      }
    const auto unnamed = std::count(material.begin(), material.end(), -1);
    if (unnamed > 0 && !names.empty()) note(fmt::format("{} elements are in no group: material ''", unnamed));
    mesh.materials.clear();
    if (unnamed > 0) mesh.materials.emplace_back();
    mesh.materials.insert(mesh.materials.end(), names.begin(), names.end());
    for (std::size_t e = 0; e < material.size(); ++e)
      mesh.elements[e].material = unnamed > 0 ? material[e] + 1 : material[e];
  }

  std::vector<int> elements_in(const RawMesh::Group& group) const {
    std::vector<int> members;
    for (const int c : group.cells)
      if (element_of_[c] >= 0) members.push_back(element_of_[c]);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
  }

  void add_groups() {
    const MeshFaces faces(result_.mesh);
    for (const auto& group : raw_.groups) {
      add_sides(group, faces);
      std::vector<int> nodes = group.nodes;
      bool has_low_cells = false;
      for (const int c : group.cells) {
        const RawMesh::Cell& cell = raw_.cells[c];
        if (cell.type->dimension > Dim - 2) continue;
        has_low_cells = true;
        require_known(cell, group);
        nodes.insert(nodes.end(), own_nodes(cell).begin(), own_nodes(cell).end());
      }
      if (has_low_cells || !group.nodes.empty()) add_node_group(group.name, std::move(nodes));
    }
  }

  void require_known(const RawMesh::Cell& cell, const RawMesh::Group& group) const {
    if (cell.type->corners == 0)
      throw InputError(where_, fmt::format("kind of element {} of group '{}'", cell.number, group.name),
                       std::string(cell.type->name), "points, lines and faces with corners and middles");
  }

  void add_node_group(const std::string& name, std::vector<int> nodes) {
    std::size_t kept = 0;
    for (const int node : nodes)
      if (number_[node] >= 0) nodes[kept++] = number_[node];
    const std::size_t lost = nodes.size() - kept;
    nodes.resize(kept);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (nodes.empty())
      throw InputError(
          where_, fmt::format("group of nodes '{}': none of its {} nodes belongs to an element", name, lost));
    if (lost > 0)
      note(fmt::format("{} nodes of group '{}' belong to no element and are left out", lost, name));
    if (!node_names_.insert(name).second)
      throw InputError(where_, "two groups of nodes of one name", "'" + name + "'");
    result_.mesh.node_groups.push_back({name, std::move(nodes)});
  }

  void add_sides(const RawMesh::Group& group, const MeshFaces& faces) {
    std::vector<MeshSide> sides;
    std::size_t inside = 0;
    const auto add = [&](std::span<const MeshFace> same, const std::string& what) {
      if (same.size() == 2) ++inside;
      if (same.size() == 1) sides.push_back(same[0].side());
      if (inside > 0 && !sides.empty())
        throw InputError(where_,
                         fmt::format("group '{}': {} is {}, others are not", group.name, what,
                                     same.size() == 2 ? "inside the body" : "on the boundary"),
                         {}, "sides on the boundary, or all inside");
    };
    for (const int c : group.cells) {
      const RawMesh::Cell& cell = raw_.cells[c];
      if (cell.type->dimension != Dim - 1) continue;
      require_known(cell, group);
      add(find_face(cell, group, faces), name_cell(cell));
    }
    for (const auto& side : group.sides)
      add(find_face(side, group, faces), "a side of " + name_cell(raw_.cells[side.cell]));
    if (inside > 0) {
      note(fmt::format("the {} sides of group '{}' are inside the body: it is a group of nodes", inside,
                       group.name));
      add_node_group(group.name, inner_nodes(group));
    }
    if (!sides.empty()) put_sides(group.name, std::move(sides));
  }

  void put_sides(const std::string& name, std::vector<MeshSide> sides) {
    const auto before = [](const MeshSide& a, const MeshSide& b) {
      return std::pair(a.element, a.face) < std::pair(b.element, b.face);
    };
    std::sort(sides.begin(), sides.end(), before);
    sides.erase(std::unique(sides.begin(), sides.end(),
                            [](const MeshSide& a, const MeshSide& b) {
                              return a.element == b.element && a.face == b.face;
                            }),
                sides.end());
    if (!side_names_.insert(name).second)
      throw InputError(where_, "two groups of sides of one name", "'" + name + "'");
    result_.mesh.side_groups.push_back({name, std::move(sides)});
  }

  std::span<const MeshFace> find_face(const RawMesh::Cell& cell, const RawMesh::Group& group,
                                      const MeshFaces& faces) const {
    int corners[4];
    std::span<const MeshFace> same;
    bool exists = true;
    for (int k = 0; k < cell.type->corners; ++k) {
      corners[k] = number_[own_nodes(cell)[k]];
      exists = exists && corners[k] >= 0;
    }
    if (exists) same = faces.find({corners, static_cast<std::size_t>(cell.type->corners)});
    if (same.empty() || same.size() > 2)
      throw InputError(
          where_, fmt::format("group '{}': its {} is {}", group.name, name_cell(cell),
                              same.empty() ? "no side of an element" : "a side of more than two elements"));
    return same;
  }

  std::span<const MeshFace> find_face(const RawMesh::Side& side, const RawMesh::Group& group,
                                      const MeshFaces& faces) const {
    const RawMesh::Cell& cell = raw_.cells[side.cell];
    const int e = element_of_[side.cell];
    if (e < 0 || side.face >= face_count(*cell.type->kind))
      throw InputError(where_, fmt::format("surface '{}': face of {}", group.name, name_cell(cell)),
                       fmt::format("S{}", side.face + 1),
                       e < 0 ? std::string("faces of solid elements")
                             : fmt::format("S1 to S{}", face_count(*cell.type->kind)));
    int face = side.face;
    // A turned element counts its sides the other way round.
    if (Dim == 2 && is_turned_[e]) face = corner_count(*cell.type->kind) - 1 - face;
    int corners[4];
    const int count = face_corner_count(*cell.type->kind);
    for (int k = 0; k < count; ++k)
      corners[k] = result_.mesh.nodes_of(result_.mesh.elements[e])[face_nodes(*cell.type->kind, face)[k]];
    const auto same = faces.find({corners, static_cast<std::size_t>(count)});
    if (same.size() > 2)
      throw InputError(where_, fmt::format("surface '{}': a face of {} is shared by more than two elements",
                                           group.name, name_cell(cell)));
    return same;
  }

  // Numbers of the file's nodes: add_node_group turns them into ours.
  std::vector<int> inner_nodes(const RawMesh::Group& group) const {
    std::vector<int> nodes;
    for (const int c : group.cells)
      if (raw_.cells[c].type->dimension == Dim - 1)
        nodes.insert(nodes.end(), own_nodes(raw_.cells[c]).begin(), own_nodes(raw_.cells[c]).end());
    for (const auto& side : group.sides)
      for (const int local : face_nodes(*raw_.cells[side.cell].type->kind, side.face))
        nodes.push_back(own_nodes(raw_.cells[side.cell])[local]);
    return nodes;
  }

  void tell_ignored() {
    std::vector<char> is_named(raw_.cells.size(), 0);
    for (const auto& group : raw_.groups)
      for (const int c : group.cells) is_named[c] = 1;
    std::map<std::string, int> ignored;
    for (std::size_t c = 0; c < raw_.cells.size(); ++c)
      if (raw_.cells[c].type->dimension < Dim && !is_named[c])
        ++ignored[std::string(raw_.cells[c].type->name)];
    for (const auto& [kind, count] : ignored)
      note(fmt::format("{} elements in no group are left out: {}", count, kind));
  }

  void check() const {
    MeshCheckOptions check;
    check.coincidence = options_.coincident == CoincidentNodes::keep ? 0 : options_.coincidence;
    // Merged nodes are further apart than the tolerance, but perhaps by a rounding only.
    if (options_.coincident == CoincidentNodes::merge) check.coincidence *= 0.99;
    check.allow_pinches = options_.allow_pinches;
    check.element_numbers = result_.element_numbers;
    check.node_numbers = result_.node_numbers;
    check_mesh(result_.mesh, where_, check);
  }

  RawMesh raw_;
  const std::string& where_;
  const MeshReadOptions& options_;
  ReadMesh<Dim> result_;
  std::vector<int> element_of_;  // of a cell, -1: none
  std::vector<int> number_;      // of a node of the file in the mesh, -1: none
  std::vector<char> is_turned_;  // elements of the plane
  std::set<std::string> node_names_, side_names_;
};

}  // namespace

template <int Dim>
ReadMesh<Dim> build_solid_mesh(RawMesh raw, const std::string& where, const MeshReadOptions& options) {
  return SolidMeshBuilder<Dim>(std::move(raw), where, options).build();
}

template ReadMesh<2> build_solid_mesh(RawMesh, const std::string&, const MeshReadOptions&);
template ReadMesh<3> build_solid_mesh(RawMesh, const std::string&, const MeshReadOptions&);

}  // namespace saltus
