// Meshes from files: gmsh .msh (2.2 and 4.1, text and binary), Abaqus or CalculiX .inp, VTK .vtk and .vtu.
//
// Groups of the file become names (docs/meshes.md):
//     elements of dimension Dim          materials
//     of dimension Dim - 1               groups of sides: each must be a face of an element on the boundary
//     of lower dimension; sets of nodes  groups of nodes
// A group of sides that are all inside becomes a group of nodes, and a note tells it.
//
// Every defect is an InputError with the place (file:line, or the byte in binary parts), or that names the element, node or
// group by its number in the file. Counts that a file announces are believed only as far as its length allows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

enum class MeshFormat { msh, inp, vtk, vtu };

enum class CoincidentNodes {
  refuse,  // two nodes at one place are an error
  merge,   // they become one
  keep     // bodies that lie against each other, faults
};

struct MeshReadOptions {
  double scale = 1;  // m per unit of the file
  CoincidentNodes coincident = CoincidentNodes::refuse;
  double coincidence = 1e-9;   // what counts as one place, times the extent of the mesh; from 1e-14 to 0.1
  bool allow_pinches = false;  // as in MeshCheckOptions
  bool is_checked = true;      // check_mesh is asked
};

template <int Dim>
struct ReadMesh {
  SolidMesh<Dim> mesh;
  std::vector<std::int64_t> node_numbers, element_numbers;  // in the file
  // What was left out or changed, each a sentence with the name of the file.
  std::vector<std::string> notes;
};

// The format is told by the extension (.msh, .inp, .vtk, .vtu), else by the content.
template <int Dim>
ReadMesh<Dim> read_mesh(const std::string& path, const MeshReadOptions& options);

// The same from memory; `where` stands for the file in messages.
template <int Dim>
ReadMesh<Dim> parse_mesh(std::string_view bytes, MeshFormat format, const std::string& where,
                         const MeshReadOptions& options = {});

}  // namespace saltus
