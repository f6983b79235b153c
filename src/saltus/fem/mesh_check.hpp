// What a mesh must fulfil before anything is computed on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

struct MeshCheckOptions {
  // Two nodes nearer to each other than this times the extent of the mesh are an error; 0: they are allowed (bodies that
  // lie against each other in one mesh, faults).
  double coincidence = 1e-9;
  // Surfaces that meet themselves in a node (plane) or an edge (space) only.
  bool allow_pinches = false;
  // Numbers of elements and nodes for messages; empty: counted from 0.
  std::span<const std::int64_t> element_numbers, node_numbers;
};

// Throws InputError at `where` that names the element, node or group:
//   - no elements; nodes that do not exist, twice in one element, in no element; coordinates that are not finite or above
//     1e100 m;
//   - elements that are inverted or degenerate: the Jacobian at a corner, as a share of the product of the lengths of the
//     sides that meet there, not above 1e-6; a middle node outside of the middle half of its side (there the
//     Jacobian vanishes between the corners), or further beside it than half the length of the side;
//   - two nodes at one place;
//   - a face of more than two elements, or of two on one side of it (they overlap), or whose middle nodes differ;
//   - a surface that is no manifold;
//   - groups without a name or members, of one name, with what is not there or not on the boundary.
// Linear in elements and nodes (but for sorts): one to three seconds for 10^6 elements (t4, h8).
template <int Dim>
void check_mesh(const SolidMesh<Dim>& mesh, const std::string& where, const MeshCheckOptions& options = {});

}  // namespace saltus
