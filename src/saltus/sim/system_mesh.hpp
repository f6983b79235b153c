// The mesh of a system and what its finite elements tell of stress and strain, as plain numbers to be stored, measured and drawn.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/element_kind.hpp"
#include "saltus/geometry/vec.hpp"

namespace saltus {

// Coordinates of the system are displacements of the nodes, Dim of each.
template <int Dim>
struct SystemMesh {
  static constexpr int kSideNodes = Dim == 2 ? 3 : 8;
  using Side =
      std::array<int,
                 kSideNodes>;  // corners, then middles, as face_nodes has them; -1: there is no such node
  struct Surface {
    std::string name;  // a group of sides of the mesh
    std::vector<Side> sides;
  };
  static int corner_count_of(const Side& side) {
    return Dim == 2 ? 2 : side[3] < 0 || (side[5] >= 0 && side[6] < 0) ? 3 : 4;
  }

  std::vector<Vec<Dim>> nodes;  // without stress, m; none: the system has no place in space
  std::vector<std::array<int, Dim + 1>> elements;  // simplices that the cells are cut into
  std::vector<int> element_cell;                   // of each simplex
  std::vector<ElementKind> cells;                  // the finite elements
  std::vector<int> connectivity;    // nodes of one cell after the other (node_count of its kind)
  std::vector<double> cell_volume;  // m3, without deformation
  std::vector<Surface> surfaces;
  std::optional<Kinematics> kinematics;  // none: a trajectory of a program that did not tell
  PlaneKind plane = PlaneKind::strain;   // Dim 2
};

// One row per node, or cell. Stresses are Cauchy's (Pa), strains those of fem/element_ops.hpp as components of the tensor (shears not
// doubled): xx, yy, zz, xy (, yz, zx in space). At nodes: extrapolated within each element, averaged by volume.
struct SystemFields {
  std::vector<double> node_stress, node_strain, node_plastic_strain;
  std::vector<double> node_reaction;  // N, Dim numbers: force of supports on the node in the last step
  std::vector<double> cell_stress, cell_strain,
      cell_plastic_strain;  // means over the cell, of stress over its volume now
};

// Numbers in a row of stress or strain.
inline constexpr int tensor_width(int dimension) { return dimension == 2 ? 4 : 6; }

}  // namespace saltus
