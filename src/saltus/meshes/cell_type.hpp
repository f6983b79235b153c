// Kinds of cells that mesh files hold: those that a mesh of solids is made of, their sides, and others that can only be
// left out or refused.
#pragma once

#include <optional>
#include <string_view>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

struct CellType {
  std::string_view name;            // as in messages
  int dimension = 0, nodes = 0;     // nodes in a file
  int corners = 0;                  // 0: the kind is not one of ours
  std::optional<ElementKind> kind;  // of a solid element
  // Node k in our order is node order[k] of the file; none: the orders are the same.
  const unsigned char* order = nullptr;
};

// By the numbers of gmsh ("element-type") and of VTK; none for a number that is not known. A kind whose number of nodes is
// not fixed (a polygon) has 0 nodes.
const CellType* find_gmsh_type(long number);
const CellType* find_vtk_type(long number);
// By the name in an Abaqus or CalculiX deck, in capitals. None for a name that is not known.
const CellType* find_abaqus_type(std::string_view name);

int gmsh_number(ElementKind kind);

}  // namespace saltus
