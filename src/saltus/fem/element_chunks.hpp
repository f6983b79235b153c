// The order in which threads visit the elements of a mesh so that sums come out the same, whatever their number.
//
// Elements of one kind that lie near each other make a chunk; chunks that share no node have one colour. Colours are run one
// after the other, chunks of a colour by any thread, elements of a chunk in order: every entry of a sum gets its terms in one
// order, and no two threads write to one place.
#pragma once

#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

struct ElementChunk {
  ElementKind kind;
  int begin, end;  // in `order`
};

struct ElementChunks {
  std::vector<int> order;  // all elements
  std::vector<ElementChunk> chunks;
  std::vector<int> colours;  // where each colour begins in `chunks`, and the end
};

template <int Dim>
ElementChunks build_chunks(const SolidMesh<Dim>& mesh);

}  // namespace saltus
