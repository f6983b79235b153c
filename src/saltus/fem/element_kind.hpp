// Kinds of solid elements, and what of them is the same for all elements of a kind.
//
// Nodes are in VTK's order: corners (counter-clockwise in the plane; bottom, then top in space), then middles of sides.
//
//     t3 t6    corners 0 1 2;             middles 01 12 20
//     q4 q8    corners 0 1 2 3;           middles 01 12 23 30
//     t4 t10   corners 0 1 2, 3 above;    middles 01 12 20 03 13 23
//     h8 h20   corners 0 1 2 3, 4 5 6 7;  middles 01 12 23 30, 45 56 67 74, 04 15 26 37
#pragma once

#include <span>

namespace saltus {

enum class ElementKind : unsigned char { t3, t6, q4, q8, t4, t10, h8, h20 };
inline constexpr int kElementKinds = 8;
inline constexpr int kMostElementNodes = 20;
inline constexpr int kMostFaceNodes = 8;

const char* name(ElementKind kind);  // "t3"
int dimension_of(ElementKind kind);
int node_count(ElementKind kind);
int corner_count(ElementKind kind);

// Faces: sides in the plane, with the body on the left; in space triangles and quadrangles, counter-clockwise seen from
// outside. Local nodes of each, corners first, then middles (of a side: both ends, then its middle).
int face_count(ElementKind kind);
std::span<const int> face_nodes(ElementKind kind, int face);
int face_corner_count(ElementKind kind);  // 2, 3 or 4

}  // namespace saltus
