#include "saltus/meshes/vtk_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr const char* kGroupNames[] = {"group", "material", "MaterialIds", "gmsh:physical", "CellEntityIds"};

void add_vtk_groups(const std::string& name, const std::vector<double>& values, const std::string& where,
                    RawMesh& mesh) {
  std::map<std::int64_t, std::size_t> group_of;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::abs(values[i]) < 1e15) || values[i] != std::floor(values[i]))
      throw InputError(where, fmt::format("value of '{}' of cell {}", name, i), fmt::format("{}", values[i]),
                       "integers, which are numbers of groups");
    if (values[i] <= 0) continue;
    const auto number = static_cast<std::int64_t>(values[i]);
    const auto [place, is_new] = group_of.emplace(number, mesh.groups.size());
    if (is_new) mesh.groups.emplace_back().name = std::to_string(number);
    mesh.groups[place->second].cells.push_back(static_cast<int>(i));
  }
}

}  // namespace

bool is_vtk_group_name(const std::string& name) {
  return std::find(std::begin(kGroupNames), std::end(kGroupNames), name) != std::end(kGroupNames);
}

void add_vtk_cells(const VtkCells& cells, const std::string& where, RawMesh& mesh) {
  if (cells.types.size() != cells.ends.size())
    throw InputError(where, "number of types of cells", fmt::format("{}", cells.types.size()),
                     fmt::format("{}, as there are cells", cells.ends.size()));
  const auto points = static_cast<std::int64_t>(mesh.nodes.size());
  std::int64_t from = 0;
  for (std::size_t i = 0; i < cells.types.size(); ++i) {
    const std::int64_t to = cells.ends[i];
    if (to < from || to > static_cast<std::int64_t>(cells.connectivity.size()))
      throw InputError(where, fmt::format("end of the nodes of cell {}", i), fmt::format("{}", to),
                       fmt::format("{} to {}", from, cells.connectivity.size()));
    const CellType* type = find_vtk_type(static_cast<long>(cells.types[i]));
    if (!type)
      throw InputError(where, fmt::format("type of cell {}", i), fmt::format("{}", cells.types[i]),
                       "a type of VTK");
    if (type->corners > 0 && to - from != type->nodes)
      throw InputError(where, fmt::format("nodes of cell {} ({})", i, type->name),
                       fmt::format("{}", to - from), fmt::format("{}", type->nodes));
    std::array<int, kMostElementNodes> own{};
    for (std::int64_t k = from; k < to; ++k) {
      const std::int64_t node = cells.connectivity[k];
      if (node < 0 || node >= points)
        throw InputError(where, fmt::format("node of cell {} ({})", i, type->name), fmt::format("{}", node),
                         fmt::format("0 to {}", points - 1));
      if (k - from < kMostElementNodes) own[k - from] = static_cast<int>(node);
    }
    mesh.add_cell(*type, static_cast<std::int64_t>(i), own.data());
    from = to;
  }
  for (const char* name : kGroupNames)
    for (const auto& [found, values] : cells.data)
      if (found == name) {
        if (values.size() != cells.types.size())
          throw InputError(where, fmt::format("values of '{}'", name), fmt::format("{}", values.size()),
                           fmt::format("{}, as there are cells", cells.types.size()));
        return add_vtk_groups(found, values, where, mesh);
      }
}

}  // namespace saltus
