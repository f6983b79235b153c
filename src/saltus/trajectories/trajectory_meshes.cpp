#include "saltus/trajectories/trajectory_meshes.hpp"

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/cell_numbers.hpp"

namespace saltus {

namespace {

std::vector<std::string> components_of(std::size_t width, int dimension) {
  if (width == 1) return {""};
  std::vector<std::string> names = {"x", "y", "z"};
  if (width > static_cast<std::size_t>(dimension)) names = {"xx", "yy", "zz", "xy", "yz", "zx"};
  names.resize(width);
  return names;
}

// Rows [begin, begin + count) of the columns of that kind, by name.
void take_fields(const TrajectoryData& data, Rows rows, std::size_t begin, std::size_t count, int dimension,
                 std::vector<FrameField>& fields) {
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (column.rows != rows) continue;
    const auto& values = data.*std::get<TrajectoryData::Reals TrajectoryData::*>(column.data);
    if (values.empty()) continue;
    const auto width = static_cast<std::size_t>(column.width(dimension));
    const std::string path = column.path;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin * width);
    fields.push_back({path.substr(path.rfind('/') + 1),
                      components_of(width, dimension),
                      {first, first + static_cast<std::ptrdiff_t>(count * width)}});
  }
}

}  // namespace

template <int Dim>
void read_cells(const TrajectoryData& data, const std::string& path,
                std::span<SystemMesh<Dim>* const> meshes) {
  const auto fail = [&](const char* what) { throw InputError(path, std::string(what) + " (damaged file?)"); };
  const auto cells = static_cast<std::int64_t>(data.cell_type.size());
  std::vector<std::int64_t> first = {0};  // of the nodes of each cell
  for (const std::int64_t type : data.cell_type) {
    const auto kind = find_cell_kind(type);
    if (!kind || dimension_of(*kind) != Dim) fail("a cell is of a kind that is not known");
    first.push_back(first.back() + node_count(*kind));
  }
  if (first.back() != static_cast<std::int64_t>(data.cell_nodes.size()))
    fail("cells do not have the nodes of their kind");
  for (std::size_t s = 0; s < meshes.size(); ++s) {
    SystemMesh<Dim>& mesh = *meshes[s];
    const std::int64_t begin = data.system_cell_begin[s], count = data.system_cell_count[s];
    if (begin < 0 || count < 0 || begin > cells || count > cells - begin)
      fail("a system has cells that are not there");
    const auto from = static_cast<std::size_t>(begin), to = static_cast<std::size_t>(begin + count);
    for (std::size_t c = from; c < to; ++c) mesh.cells.push_back(*find_cell_kind(data.cell_type[c]));
    mesh.cell_volume.assign(data.cell_volume.begin() + begin, data.cell_volume.begin() + begin + count);
    mesh.connectivity.assign(data.cell_nodes.begin() + first[from], data.cell_nodes.begin() + first[to]);
    for (const int node : mesh.connectivity)
      if (node < 0 || node >= static_cast<int>(mesh.nodes.size()))
        fail("a cell has a node that is not there");
    if (s < data.system_kinematics.size() && s < data.system_plane.size()) {
      const std::int64_t kinematics = data.system_kinematics[s], plane = data.system_plane[s];
      if (kinematics < -1 || kinematics > 2 || plane < -1 || plane > 2)
        fail("a system has kinematics that are not known");
      if (kinematics >= 0) mesh.kinematics = static_cast<Kinematics>(kinematics);
      if (plane >= 0) mesh.plane = static_cast<PlaneKind>(plane);
    }
    const auto element = data.element_cell.begin() + data.system_element_begin[s];
    mesh.element_cell.assign(element, element + static_cast<std::ptrdiff_t>(mesh.elements.size()));
    for (const int cell : mesh.element_cell)
      if (cell < 0 || cell >= count) fail("an element is part of a cell that is not there");
  }
}

template <int Dim>
void read_surfaces(const TrajectoryData& data, const std::vector<std::string>& names, const std::string& path,
                   std::span<SystemMesh<Dim>* const> meshes) {
  constexpr std::size_t kNodes = SystemMesh<Dim>::kSideNodes;
  const auto fail = [&] {
    throw InputError(path, "a side belongs to a surface or node that is not there (damaged file?)");
  };
  for (std::size_t i = 0; i < data.side_system.size(); ++i) {
    const auto system = static_cast<std::size_t>(data.side_system[i]),
               name = static_cast<std::size_t>(data.side_surface[i]);
    if (system >= meshes.size() || name >= names.size()) fail();
    SystemMesh<Dim>& mesh = *meshes[system];
    if (mesh.surfaces.empty() || mesh.surfaces.back().name != names[name])
      mesh.surfaces.push_back({names[name], {}});
    auto& side = mesh.surfaces.back().sides.emplace_back();
    for (std::size_t k = 0; k < kNodes; ++k) {
      const std::int64_t node = data.side_nodes[kNodes * i + k];
      if (node >= static_cast<std::int64_t>(mesh.nodes.size()) || (node < 0 && (node != -1 || k < Dim)))
        fail();
      side[k] = static_cast<int>(node);
    }
  }
}

template <int Dim>
void fill_fields(const TrajectoryData& rows, const std::string& path, Frame<Dim>& frame) {
  std::size_t node = 0, cell = 0;
  for (const FrameSystem<Dim>& system : frame.systems)
    node += system.mesh->nodes.size(), cell += system.mesh->cells.size();
  const auto fits = [&](Rows kind, std::size_t count) {
    for (const TrajectoryColumn& column : trajectory_columns()) {
      if (column.rows != kind) continue;
      const auto& values = rows.*std::get<TrajectoryData::Reals TrajectoryData::*>(column.data);
      if (!values.empty() && values.size() != count * static_cast<std::size_t>(column.width(Dim)))
        return false;
    }
    return true;
  };
  if (!fits(Rows::node_value, node) || !fits(Rows::cell_value, cell))
    throw InputError(path, "a frame lacks fields of nodes or cells (damaged file?)");
  node = cell = 0;
  for (FrameSystem<Dim>& system : frame.systems) {
    const std::size_t nodes = system.mesh->nodes.size(), cells = system.mesh->cells.size();
    if (cells > 0) {
      take_fields(rows, Rows::node_value, node, nodes, Dim, system.node_fields);
      take_fields(rows, Rows::cell_value, cell, cells, Dim, system.cell_fields);
    }
    node += nodes, cell += cells;
  }
}

template void read_cells<2>(const TrajectoryData&, const std::string&, std::span<SystemMesh<2>* const>);
template void read_cells<3>(const TrajectoryData&, const std::string&, std::span<SystemMesh<3>* const>);
template void read_surfaces<2>(const TrajectoryData&, const std::vector<std::string>&, const std::string&,
                               std::span<SystemMesh<2>* const>);
template void read_surfaces<3>(const TrajectoryData&, const std::vector<std::string>&, const std::string&,
                               std::span<SystemMesh<3>* const>);
template void fill_fields<2>(const TrajectoryData&, const std::string&, Frame<2>&);
template void fill_fields<3>(const TrajectoryData&, const std::string&, Frame<3>&);

}  // namespace saltus
