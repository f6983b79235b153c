// VTK's XML files of points and cells with named numbers (.vtp, .vtu), as ParaView, VisIt, PyVista and meshio read
// them: little-endian bytes appended raw, in blocks packed by zlib. Positions are Float64; fields are Float32, twice as
// small and as exact as a picture needs (the trajectory has all digits).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

struct VtkArray {
  std::string name;
  int components = 1;
  std::variant<std::vector<float>, std::vector<std::int32_t>, std::vector<std::uint8_t>> values;
};

// Cells as lists of points.
struct VtkConnectivity {
  std::vector<std::int32_t> points, ends;  // the points of cell i end before ends[i]

  void add(std::span<const std::int32_t> cell) {
    points.insert(points.end(), cell.begin(), cell.end());
    ends.push_back(static_cast<std::int32_t>(points.size()));
  }
};

// Numbers of the cell types in use.
enum VtkCellType : std::uint8_t {
  kVtkTriangle = 5,
  kVtkQuad = 9,
  kVtkTetra = 10,
  kVtkHexahedron = 12,
  kVtkQuadraticTriangle = 22,
  kVtkQuadraticQuad = 23,
  kVtkQuadraticTetra = 24,
  kVtkQuadraticHexahedron = 25
};

struct VtkPiece {
  double time = 0;             // s
  std::vector<double> points;  // x, y, z of each; z = 0 in the plane
  // Surfaces, lines, points (.vtp); cell data are those of vertices, then lines, then polygons.
  VtkConnectivity vertices, lines, polygons;
  // A mesh (.vtu) has cells of given types instead.
  bool is_grid = false;
  VtkConnectivity cells;
  std::vector<std::uint8_t> types;
  std::vector<VtkArray> point_data, cell_data;

  std::int32_t point_count() const { return static_cast<std::int32_t>(points.size() / 3); }
  template <int Dim>
  std::int32_t add_point(const Vec<Dim>& x) {  // its number
    for (int k = 0; k < 3; ++k) points.push_back(k < Dim ? x[k] : 0);
    return point_count() - 1;
  }
};

// The file, complete. Arrays must have as many numbers as there are points or cells.
std::string format_vtk(const VtkPiece& piece);

// A time series: which file, of which part, at which time.
struct VtkEntry {
  double time = 0;
  int part = 0;
  std::string name, file;
};
std::string format_pvd(const std::vector<VtkEntry>& entries);

}  // namespace saltus
