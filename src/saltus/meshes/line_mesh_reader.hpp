// Meshes of lines: from the line elements of a file, and by rule.
#pragma once

#include <string>
#include <vector>

#include "saltus/fem/line_mesh.hpp"

namespace saltus {

// Lines of gmsh, Abaqus (T2D2, T3D2, B21, B31 and the like), VTK files; elements of other dimensions and nodes of no line are left out.
// Groups of lines are groups of elements (a line in several: the first of the strongest kind), groups of points and sets of nodes
// groups of nodes. `scale`: m per unit of the file. Throws InputError.
template <int Dim>
LineMesh<Dim> read_line_mesh(const std::string& path, double scale);

// Through the corners, each stretch between two cut into `divisions` elements; `grading`: last element over first, of each stretch.
// Groups of nodes: start, end, and corner K for each corner between (from 1).
template <int Dim>
LineMesh<Dim> build_polyline(const std::vector<Eigen::Matrix<double, Dim, 1>>& corners,
                             const std::vector<int>& divisions, double grading);
// Of a circle about a centre, in the plane of x and y; angles in rad.
template <int Dim>
LineMesh<Dim> build_arc(const Eigen::Matrix<double, Dim, 1>& centre, double radius, double from, double to,
                        int divisions);

}  // namespace saltus
