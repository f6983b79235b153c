#include "saltus/meshes/cell_type.hpp"

#include <map>
#include <string>

namespace saltus {

namespace {

using Kind = ElementKind;

constexpr unsigned char kGmshT10[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
constexpr unsigned char kGmshH20[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

constexpr unsigned char kAbaqusLine3[] = {0, 2, 1};  // the middle comes second

// A curve of three nodes or a face with middles is matched by its corners, so the order of the rest does not matter.
const std::map<long, CellType>& gmsh_types() {
  static const std::map<long, CellType> types = {
      {1, {"line of 2 nodes", 1, 2, 2, {}}},
      {2, {"t3", 2, 3, 3, Kind::t3}},
      {3, {"q4", 2, 4, 4, Kind::q4}},
      {4, {"t4", 3, 4, 4, Kind::t4}},
      {5, {"h8", 3, 8, 8, Kind::h8}},
      {6, {"prism of 6 nodes", 3, 6, 0, {}}},
      {7, {"pyramid of 5 nodes", 3, 5, 0, {}}},
      {8, {"line of 3 nodes", 1, 3, 2, {}}},
      {9, {"t6", 2, 6, 3, Kind::t6}},
      {10, {"quadrangle of 9 nodes", 2, 9, 0, {}}},
      {11, {"t10", 3, 10, 4, Kind::t10, kGmshT10}},
      {12, {"hexahedron of 27 nodes", 3, 27, 0, {}}},
      {13, {"prism of 18 nodes", 3, 18, 0, {}}},
      {14, {"pyramid of 14 nodes", 3, 14, 0, {}}},
      {15, {"point", 0, 1, 1, {}}},
      {16, {"q8", 2, 8, 4, Kind::q8}},
      {17, {"h20", 3, 20, 8, Kind::h20, kGmshH20}},
      {18, {"prism of 15 nodes", 3, 15, 0, {}}},
      {19, {"pyramid of 13 nodes", 3, 13, 0, {}}},
      {20, {"triangle of 9 nodes", 2, 9, 0, {}}},
      {21, {"triangle of 10 nodes", 2, 10, 0, {}}},
      {22, {"triangle of 12 nodes", 2, 12, 0, {}}},
      {23, {"triangle of 15 nodes", 2, 15, 0, {}}},
      {24, {"triangle of 15 nodes", 2, 15, 0, {}}},
      {25, {"triangle of 21 nodes", 2, 21, 0, {}}},
      {26, {"line of 4 nodes", 1, 4, 0, {}}},
      {27, {"line of 5 nodes", 1, 5, 0, {}}},
      {28, {"line of 6 nodes", 1, 6, 0, {}}},
      {29, {"tetrahedron of 20 nodes", 3, 20, 0, {}}},
      {30, {"tetrahedron of 35 nodes", 3, 35, 0, {}}},
      {31, {"tetrahedron of 56 nodes", 3, 56, 0, {}}},
      {36, {"quadrangle of 16 nodes", 2, 16, 0, {}}},
      {37, {"quadrangle of 25 nodes", 2, 25, 0, {}}},
      {92, {"hexahedron of 64 nodes", 3, 64, 0, {}}},
      {93, {"hexahedron of 125 nodes", 3, 125, 0, {}}},
  };
  return types;
}

const std::map<long, CellType>& vtk_types() {
  static const std::map<long, CellType> types = {
      {1, {"point", 0, 1, 1, {}}},
      {2, {"set of points", 0, 0, 0, {}}},
      {3, {"line of 2 nodes", 1, 2, 2, {}}},
      {4, {"polyline", 1, 0, 0, {}}},
      {5, {"t3", 2, 3, 3, Kind::t3}},
      {6, {"strip of triangles", 2, 0, 0, {}}},
      {7, {"polygon", 2, 0, 0, {}}},
      {8, {"pixel", 2, 4, 0, {}}},
      {9, {"q4", 2, 4, 4, Kind::q4}},
      {10, {"t4", 3, 4, 4, Kind::t4}},
      {11, {"voxel", 3, 8, 0, {}}},
      {12, {"h8", 3, 8, 8, Kind::h8}},
      {13, {"wedge of 6 nodes", 3, 6, 0, {}}},
      {14, {"pyramid of 5 nodes", 3, 5, 0, {}}},
      {21, {"line of 3 nodes", 1, 3, 2, {}}},
      {22, {"t6", 2, 6, 3, Kind::t6}},
      {23, {"q8", 2, 8, 4, Kind::q8}},
      {24, {"t10", 3, 10, 4, Kind::t10}},
      {25, {"h20", 3, 20, 8, Kind::h20}},
      {26, {"wedge of 15 nodes", 3, 15, 0, {}}},
      {27, {"pyramid of 13 nodes", 3, 13, 0, {}}},
      {28, {"quadrangle of 9 nodes", 2, 9, 0, {}}},
      {29, {"hexahedron of 27 nodes", 3, 27, 0, {}}},
      {30, {"quadrangle of 6 nodes", 2, 6, 0, {}}},
      {31, {"wedge of 12 nodes", 3, 12, 0, {}}},
      {32, {"wedge of 18 nodes", 3, 18, 0, {}}},
      {33, {"hexahedron of 24 nodes", 3, 24, 0, {}}},
      {34, {"triangle of 7 nodes", 2, 7, 0, {}}},
      {42, {"polyhedron", 3, 0, 0, {}}},
      {68, {"Lagrange curve", 1, 0, 0, {}}},
      {69, {"Lagrange triangle", 2, 0, 0, {}}},
      {70, {"Lagrange quadrangle", 2, 0, 0, {}}},
      {71, {"Lagrange tetrahedron", 3, 0, 0, {}}},
      {72, {"Lagrange hexahedron", 3, 0, 0, {}}},
      {73, {"Lagrange wedge", 3, 0, 0, {}}},
  };
  return types;
}

// Abaqus numbers nodes and faces of these as we do. Planes of strain, of stress and of axial symmetry differ by the
// material law alone, and so do reduced integration (R), incompatible modes (I), hybrid (H) and modified (M) elements.
struct AbaqusFamily {
  std::string_view stem;
  CellType type;
};
const AbaqusFamily kAbaqusFamilies[] = {
    {"T2D2", {"line of 2 nodes", 1, 2, 2, {}}},
    {"T3D2", {"line of 2 nodes", 1, 2, 2, {}}},
    {"B21", {"line of 2 nodes", 1, 2, 2, {}}},
    {"B23", {"line of 2 nodes", 1, 2, 2, {}}},
    {"B31", {"line of 2 nodes", 1, 2, 2, {}}},
    {"B33", {"line of 2 nodes", 1, 2, 2, {}}},
    {"CPS3", {"t3", 2, 3, 3, Kind::t3}},
    {"CPE3", {"t3", 2, 3, 3, Kind::t3}},
    {"CAX3", {"t3", 2, 3, 3, Kind::t3}},
    {"CPS6", {"t6", 2, 6, 3, Kind::t6}},
    {"CPE6", {"t6", 2, 6, 3, Kind::t6}},
    {"CAX6", {"t6", 2, 6, 3, Kind::t6}},
    {"CPS4", {"q4", 2, 4, 4, Kind::q4}},
    {"CPE4", {"q4", 2, 4, 4, Kind::q4}},
    {"CAX4", {"q4", 2, 4, 4, Kind::q4}},
    {"CPS8", {"q8", 2, 8, 4, Kind::q8}},
    {"CPE8", {"q8", 2, 8, 4, Kind::q8}},
    {"CAX8", {"q8", 2, 8, 4, Kind::q8}},
    {"C3D4", {"t4", 3, 4, 4, Kind::t4}},
    {"C3D10", {"t10", 3, 10, 4, Kind::t10}},
    {"C3D8", {"h8", 3, 8, 8, Kind::h8}},
    {"C3D20", {"h20", 3, 20, 8, Kind::h20}},
    {"C3D6", {"C3D6", 3, 6, 0, {}}},
    {"C3D15", {"C3D15", 3, 15, 0, {}}},
    {"C3D5", {"C3D5", 3, 5, 0, {}}},
    {"S3", {"shell S3", 2, 3, 3, Kind::t3}},
    {"S4", {"shell S4", 2, 4, 4, Kind::q4}},
    {"S6", {"shell S6", 2, 6, 3, Kind::t6}},
    {"S8", {"shell S8", 2, 8, 4, Kind::q8}},
    {"T2D2", {"bar T2D2", 1, 2, 2, {}}},
    {"T3D2", {"bar T3D2", 1, 2, 2, {}}},
    {"T3D3", {"bar T3D3", 1, 3, 2, {}, kAbaqusLine3}},
    {"B21", {"beam B21", 1, 2, 2, {}}},
    {"B31", {"beam B31", 1, 2, 2, {}}},
    {"B32", {"beam B32", 1, 3, 2, {}, kAbaqusLine3}},
    {"MASS", {"point mass", 0, 1, 1, {}}},
};

const CellType* find_number(const std::map<long, CellType>& types, long number) {
  const auto place = types.find(number);
  return place == types.end() ? nullptr : &place->second;
}

}  // namespace

const CellType* find_gmsh_type(long number) { return find_number(gmsh_types(), number); }
const CellType* find_vtk_type(long number) { return find_number(vtk_types(), number); }

const CellType* find_abaqus_type(std::string_view name) {
  for (const AbaqusFamily& family : kAbaqusFamilies) {
    if (!name.starts_with(family.stem)) continue;
    const std::string_view tail = name.substr(family.stem.size());
    if (tail.find_first_not_of("RIHMT") == std::string_view::npos) return &family.type;
  }
  return nullptr;
}

int gmsh_number(ElementKind kind) {
  for (const auto& [number, type] : gmsh_types())
    if (type.kind == kind) return static_cast<int>(number);
  return 0;
}

}  // namespace saltus
