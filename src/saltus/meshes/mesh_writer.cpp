#include "saltus/meshes/mesh_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/meshes/cell_type.hpp"

namespace saltus {

namespace {

// Elements of gmsh belong to entities, and these to physical groups: members of the same groups share an entity.
template <int Dim>
class MshFormatter {
 public:
  explicit MshFormatter(const SolidMesh<Dim>& mesh) : mesh_(mesh) {}

  std::string format() {
    collect();
    fmt::format_to(out(), "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    add_names();
    add_entities();
    add_nodes();
    add_elements();
    return std::move(text_);
  }

 private:
  struct Entity {
    std::vector<int> tags;                          // physical, from 1
    std::map<int, std::vector<std::size_t>> cells;  // by gmsh's type: in cells_
  };
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  // Nodes of the cells in gmsh's order, numbered from 1.
  void add_cell(Entity& entity, int type, std::span<const int> nodes) {
    entity.cells[type].push_back(cells_.size());
    cells_.emplace_back(nodes.begin(), nodes.end());
  }

  void collect() {
    for (std::size_t m = 0; m < mesh_.materials.size(); ++m)
      if (!mesh_.materials[m].empty()) names_.push_back({Dim, static_cast<int>(m) + 1, mesh_.materials[m]});
    for (std::size_t g = 0; g < mesh_.side_groups.size(); ++g)
      names_.push_back({Dim - 1, static_cast<int>(g) + 1, mesh_.side_groups[g].name});
    for (std::size_t g = 0; g < mesh_.node_groups.size(); ++g)
      names_.push_back({0, static_cast<int>(g) + 1, mesh_.node_groups[g].name});
    collect_nodes();
    collect_sides();
    collect_elements();
  }

  // A point of gmsh is one node.
  void collect_nodes() {
    std::map<int, std::vector<int>> tags_of;
    for (std::size_t g = 0; g < mesh_.node_groups.size(); ++g)
      for (const int node : mesh_.node_groups[g].nodes) tags_of[node].push_back(static_cast<int>(g) + 1);
    for (auto& [node, tags] : tags_of) {
      Entity& entity = entities_[0].emplace_back(Entity{std::move(tags), {}});
      points_.push_back(node);
      add_cell(entity, 15, {&node, 1});
    }
  }

  void collect_sides() {
    std::map<std::pair<int, int>, std::vector<int>> tags_of;
    for (std::size_t g = 0; g < mesh_.side_groups.size(); ++g)
      for (const MeshSide& side : mesh_.side_groups[g].sides)
        tags_of[{side.element, side.face}].push_back(static_cast<int>(g) + 1);
    std::map<std::vector<int>, std::size_t> place_of;
    for (const auto& [side, tags] : tags_of) {
      const auto [place, is_new] = place_of.emplace(tags, entities_[Dim - 1].size());
      if (is_new) entities_[Dim - 1].push_back({tags, {}});
      const auto& element = mesh_.elements[side.first];
      std::vector<int> nodes;
      for (const int local : face_nodes(element.kind, side.second))
        nodes.push_back(mesh_.nodes_of(element)[local]);
      add_cell(entities_[Dim - 1][place->second], face_type(nodes.size()), nodes);
    }
  }

  static int face_type(std::size_t nodes) {
    if (Dim == 2) return nodes == 2 ? 1 : 8;
    return nodes == 3 ? 2 : nodes == 4 ? 3 : nodes == 6 ? 9 : 16;
  }

  void collect_elements() {
    for (std::size_t m = 0; m < mesh_.materials.size(); ++m)
      entities_[Dim].push_back(
          {mesh_.materials[m].empty() ? std::vector<int>{} : std::vector{static_cast<int>(m) + 1}, {}});
    std::vector<int> nodes;
    for (const auto& element : mesh_.elements) {
      const int type = gmsh_number(element.kind);
      const auto own = mesh_.nodes_of(element);
      nodes.assign(own.begin(), own.end());
      if (const unsigned char* order = find_gmsh_type(type)->order)
        for (std::size_t k = 0; k < own.size(); ++k) nodes[order[k]] = own[k];
      add_cell(entities_[Dim][element.material], type, nodes);
    }
  }

  void add_names() {
    if (names_.empty()) return;
    std::sort(names_.begin(), names_.end());
    fmt::format_to(out(), "$PhysicalNames\n{}\n", names_.size());
    for (const auto& [dimension, tag, name] : names_)
      fmt::format_to(out(), "{} {} \"{}\"\n", dimension, tag, name);
    fmt::format_to(out(), "$EndPhysicalNames\n");
  }

  Eigen::Vector3d place(int node) const {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    x.head<Dim>() = mesh_.nodes[node];
    return x;
  }

  void add_entities() {
    Eigen::Vector3d low = place(0), high = low;
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i) {
      low = low.cwiseMin(place(static_cast<int>(i)));
      high = high.cwiseMax(place(static_cast<int>(i)));
    }
    fmt::format_to(out(), "$Entities\n{} {} {} {}\n", entities_[0].size(), entities_[1].size(),
                   entities_[2].size(), entities_[3].size());
    for (int d = 0; d < 4; ++d)
      for (std::size_t i = 0; i < entities_[d].size(); ++i) {
        const Eigen::Vector3d from = d == 0 ? place(points_[i]) : low;
        fmt::format_to(out(), "{} {:.17g} {:.17g} {:.17g} ", i + 1, from.x(), from.y(), from.z());
        if (d > 0) fmt::format_to(out(), "{:.17g} {:.17g} {:.17g} ", high.x(), high.y(), high.z());
        fmt::format_to(out(), "{}", entities_[d][i].tags.size());
        for (const int tag : entities_[d][i].tags) fmt::format_to(out(), " {}", tag);
        text_ += d > 0 ? " 0\n" : "\n";
      }
    fmt::format_to(out(), "$EndEntities\n");
  }

  void add_nodes() {
    const std::size_t count = mesh_.nodes.size();
    fmt::format_to(out(), "$Nodes\n1 {} 1 {}\n{} 1 0 {}\n", count, count, Dim, count);
    for (std::size_t i = 1; i <= count; ++i) fmt::format_to(out(), "{}\n", i);
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d x = place(static_cast<int>(i));
      fmt::format_to(out(), "{:.17g} {:.17g} {:.17g}\n", x.x(), x.y(), x.z());
    }
    fmt::format_to(out(), "$EndNodes\n");
  }

  void add_elements() {
    std::size_t blocks = 0, number = 0;
    for (const auto& own : entities_)
      for (const Entity& entity : own) blocks += entity.cells.size();
    fmt::format_to(out(), "$Elements\n{} {} 1 {}\n", blocks, cells_.size(), cells_.size());
    for (int d = 0; d < 4; ++d)
      for (std::size_t i = 0; i < entities_[d].size(); ++i)
        for (const auto& [type, cells] : entities_[d][i].cells) {
          fmt::format_to(out(), "{} {} {} {}\n", d, i + 1, type, cells.size());
          for (const std::size_t cell : cells) {
            fmt::format_to(out(), "{}", ++number);
            for (const int node : cells_[cell]) fmt::format_to(out(), " {}", node + 1);
            text_ += '\n';
          }
        }
    fmt::format_to(out(), "$EndElements\n");
  }

  const SolidMesh<Dim>& mesh_;
  std::string text_;
  std::vector<std::tuple<int, int, std::string>> names_;  // dimension, physical tag, name
  std::array<std::vector<Entity>, 4> entities_;           // by dimension, tags from 1
  std::vector<int> points_;                               // nodes of the entities of dimension 0
  std::vector<std::vector<int>> cells_;
};

template <typename Groups>
void check_names(const Groups& groups, const std::string& path) {
  for (const auto& group : groups)
    for (const unsigned char c : group.name)
      if (c < 32 || c == 127 || c == '"')
        throw InputError(path, "name of a group", "'" + group.name + "'", "no quotes, no control characters");
}

}  // namespace

template <int Dim>
std::string format_msh(const SolidMesh<Dim>& mesh) {
  return MshFormatter<Dim>(mesh).format();
}

template <int Dim>
void write_msh(const SolidMesh<Dim>& mesh, const std::string& path) {
  check_names(mesh.node_groups, path);
  check_names(mesh.side_groups, path);
  const std::string text = format_msh(mesh);
  errno = 0;
  std::ofstream stream(path, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw OutputError(path, std::strerror(errno));
}

template std::string format_msh(const SolidMesh<2>&);
template std::string format_msh(const SolidMesh<3>&);
template void write_msh(const SolidMesh<2>&, const std::string&);
template void write_msh(const SolidMesh<3>&, const std::string&);

}  // namespace saltus
