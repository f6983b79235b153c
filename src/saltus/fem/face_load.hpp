// Forces at the nodes of faces (sides in the plane) that do the same work as a load spread over them.
//
//     traction   f_a = integral of N_a t dA over the faces without deformation: constant
//     pressure   f_a = -p integral of N_a n da over the faces where they are at q: follows them; its tangent is not symmetric
//
// In the plane faces are as deep as the thickness, in axial symmetry 2 pi r (of the deformed face for a pressure).
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

struct FaceDepth {
  PlaneKind plane = PlaneKind::strain;  // Dim 2
  double thickness = 1;                 // m
};

// Adds to `force` [N]; traction in Pa.
template <int Dim>
void add_traction(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth,
                  const Eigen::Matrix<double, Dim, 1>& traction, Eigen::VectorXd& force);

// Adds to `force` [N], and where asked for appends d force/d q; pressure in Pa, above 0 pushes into the body. Without
// deformation (small kinematics): q = 0 and no tangent.
template <int Dim>
void add_pressure(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth,
                  double pressure, const Eigen::VectorXd& q, Eigen::VectorXd& force,
                  std::vector<Eigen::Triplet<double>>* tangent = nullptr);

// m2, without deformation.
template <int Dim>
double face_area(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth);

}  // namespace saltus
