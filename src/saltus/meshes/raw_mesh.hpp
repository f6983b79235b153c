// What a mesh file says, before it becomes a mesh of solids: nodes in space, cells of every dimension, groups. Each reader
// makes one; build_solid_mesh (meshes/solid_mesh_builder.hpp) turns it into elements, sides and groups.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "saltus/meshes/cell_type.hpp"

namespace saltus {

struct RawMesh {
  struct Cell {
    const CellType* type = nullptr;
    std::size_t first =
        0;  // of its nodes in `connectivity`, in our order; kinds that are not ours have none there
    std::int64_t number = 0;
  };
  struct Side {
    int cell = 0, face = 0;
  };
  // A name for whatever it holds.
  struct Group {
    std::string name;
    std::vector<int> cells, nodes;
    std::vector<Side> sides;
    // What tells the material of a cell in several groups: a section (2) before a set (1) before a way to list elements (0).
    int rank = 1;
  };

  std::vector<Eigen::Vector3d> nodes;
  std::vector<std::int64_t> node_numbers;
  std::vector<Cell> cells;
  std::vector<int> connectivity;
  std::vector<Group> groups;
  std::vector<std::string> notes;

  // Nodes in the order of the file, already found among `nodes`.
  void add_cell(const CellType& type, std::int64_t number, const int* own) {
    cells.push_back({&type, connectivity.size(), number});
    if (type.corners == 0) return;
    for (int k = 0; k < type.nodes; ++k) connectivity.push_back(own[type.order ? type.order[k] : k]);
  }
};

// What a file holds (meshes/mesh_reader.hpp tells the formats). Throws InputError.
RawMesh read_raw_mesh(const std::string& path);

}  // namespace saltus
