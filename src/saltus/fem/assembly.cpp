#include "saltus/fem/assembly.hpp"

#include <vector>

namespace saltus {

namespace {

// `matrix_of` gives the 6 x 6 matrix of an element.
template <class MatrixOf>
Eigen::SparseMatrix<double> assemble(const PlaneMesh& mesh, const MatrixOf& matrix_of) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& triangle : mesh.triangles) {
    const T3::Matrix part = matrix_of(element(mesh, triangle));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (part(i, j) != 0)
          entries.emplace_back(2 * triangle[i / 2] + i % 2, 2 * triangle[j / 2] + j % 2, part(i, j));
  }
  const auto size = static_cast<Eigen::Index>(2 * mesh.nodes.size());
  Eigen::SparseMatrix<double> whole(size, size);
  whole.setFromTriplets(entries.begin(), entries.end());
  return whole;
}

}  // namespace

T3 element(const PlaneMesh& mesh, const std::array<int, 3>& triangle) {
  return T3(mesh.nodes[triangle[0]], mesh.nodes[triangle[1]], mesh.nodes[triangle[2]]);
}

T3::Displacements displacements_of(const std::array<int, 3>& triangle, const Eigen::VectorXd& q) {
  T3::Displacements u;
  for (int i = 0; i < 3; ++i) u.segment<2>(2 * i) = q.segment<2>(2 * triangle[i]);
  return u;
}

Eigen::SparseMatrix<double> assemble_mass(const PlaneMesh& mesh, double density, double thickness,
                                          MassKind kind) {
  return assemble(mesh, [&](const T3& t) -> T3::Matrix {
    if (kind == MassKind::consistent) return t.consistent_mass(density, thickness);
    return t.lumped_mass(density, thickness) * T3::Matrix::Identity();
  });
}

Eigen::SparseMatrix<double> assemble_stiffness(const PlaneMesh& mesh, const Elasticity& law,
                                               double thickness) {
  const Eigen::Matrix3d D = stiffness_of(law);
  return assemble(mesh, [&](const T3& t) { return t.stiffness(D, thickness); });
}

}  // namespace saltus
