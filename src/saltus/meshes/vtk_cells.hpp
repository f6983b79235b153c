// Cells of VTK's unstructured grids, the same in .vtk and .vtu: types, places and node indices.
//
// Groups come from one array of cell data, the first that is there of "group", "material", "MaterialIds", "gmsh:physical",
// "CellEntityIds". Cells of one value above 0 are a group, named by the number; 0 and below: none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

struct VtkCells {
  std::vector<std::int64_t> types, ends, connectivity;            // nodes of cell i end at ends[i]
  std::vector<std::pair<std::string, std::vector<double>>> data;  // arrays of one value a cell, by name
};

bool is_vtk_group_name(const std::string& name);

// Throws InputError that names the cell; cells and points are counted from 0, as in VTK. The nodes of the mesh are there.
void add_vtk_cells(const VtkCells& cells, const std::string& where, RawMesh& mesh);

}  // namespace saltus
