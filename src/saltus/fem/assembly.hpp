// Matrices of a mesh of triangles. Degree of freedom 2 node + direction.
#pragma once

#include <Eigen/SparseCore>

#include "saltus/fem/elasticity.hpp"
#include "saltus/fem/mass_kind.hpp"
#include "saltus/fem/mesh.hpp"
#include "saltus/fem/t3.hpp"

namespace saltus {

T3 element(const PlaneMesh& mesh, const std::array<int, 3>& triangle);
// Of its nodes, from those of all.
T3::Displacements displacements_of(const std::array<int, 3>& triangle, const Eigen::VectorXd& q);

Eigen::SparseMatrix<double> assemble_mass(const PlaneMesh& mesh, double density, double thickness,
                                          MassKind kind);
Eigen::SparseMatrix<double> assemble_stiffness(const PlaneMesh& mesh, const Elasticity& law,
                                               double thickness);

}  // namespace saltus
