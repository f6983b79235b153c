#include "saltus/fem/element_kind.hpp"

#include <vector>

namespace saltus {

namespace {

struct Kind {
  const char* name;
  int dimension, nodes, corners, face_corners;
  std::vector<std::vector<int>> faces;
};

// In the order of ElementKind.
const Kind& kind_of(ElementKind kind) {
  static const std::vector<Kind> kinds = {
      {"t3", 2, 3, 3, 2, {{0, 1}, {1, 2}, {2, 0}}},
      {"t6", 2, 6, 3, 2, {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}},
      {"q4", 2, 4, 4, 2, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
      {"q8", 2, 8, 4, 2, {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}},
      {"t4", 3, 4, 4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
      {"t10", 3, 10, 4, 3, {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}}},
      {"h8",
       3,
       8,
       8,
       4,
       {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
      {"h20",
       3,
       20,
       8,
       4,
       {{0, 3, 2, 1, 11, 10, 9, 8},
        {4, 5, 6, 7, 12, 13, 14, 15},
        {0, 1, 5, 4, 8, 17, 12, 16},
        {1, 2, 6, 5, 9, 18, 13, 17},
        {2, 3, 7, 6, 10, 19, 14, 18},
        {3, 0, 4, 7, 11, 16, 15, 19}}},
  };
  return kinds[static_cast<std::size_t>(kind)];
}

}  // namespace

const char* name(ElementKind kind) { return kind_of(kind).name; }
int dimension_of(ElementKind kind) { return kind_of(kind).dimension; }
int node_count(ElementKind kind) { return kind_of(kind).nodes; }
int corner_count(ElementKind kind) { return kind_of(kind).corners; }
int face_count(ElementKind kind) { return static_cast<int>(kind_of(kind).faces.size()); }
std::span<const int> face_nodes(ElementKind kind, int face) { return kind_of(kind).faces[face]; }
int face_corner_count(ElementKind kind) { return kind_of(kind).face_corners; }

}  // namespace saltus
