#include "saltus/fem/face_load.hpp"

#include <Eigen/Geometry>
#include <numbers>

#include "saltus/fem/element_shape.hpp"
#include "saltus/fem/quadrature.hpp"

namespace saltus {

namespace {

// Shape functions at one point of a face, and their derivatives along it.
struct FacePoint {
  Eigen::VectorXd values;
  Eigen::MatrixXd slopes;  // a column per direction
  double weight;
};
using FaceTable = std::vector<FacePoint>;

template <ElementKind K>
FaceTable face_table(const Quadrature<2>& rule) {
  using Shape = ElementShape<K>;
  FaceTable table;
  for (const auto& p : rule) table.push_back({Shape::values(p.at), Shape::gradients(p.at), p.weight});
  return table;
}

FaceTable side_table(int nodes) {
  FaceTable table;
  for (const auto& p : line_rule(3)) {
    const double x = p.at[0];
    Eigen::VectorXd n(nodes), d(nodes);
    if (nodes == 2) {
      n << (1 - x) / 2, (1 + x) / 2;
      d << -0.5, 0.5;
    } else {
      n << x * (x - 1) / 2, x * (x + 1) / 2, 1 - x * x;
      d << x - 0.5, x + 0.5, -2 * x;
    }
    table.push_back({n, d, p.weight});
  }
  return table;
}

const FaceTable& table_of(ElementKind kind) {
  using enum ElementKind;
  static const FaceTable side2 = side_table(2), side3 = side_table(3);
  static const FaceTable triangle3 = face_table<t3>(simplex_rule<2>(2)),
                         triangle6 = face_table<t6>(simplex_rule<2>(5));
  static const FaceTable square4 = face_table<q4>(cube_rule<2>(2)), square8 = face_table<q8>(cube_rule<2>(3));
  switch (kind) {
    case t3:
    case q4: return side2;
    case t6:
    case q8: return side3;
    case t4: return triangle3;
    case t10: return triangle6;
    case h8: return square4;
    default: return square8;
  }
}

template <int Dim>
struct Face {
  std::array<int, kMostFaceNodes> nodes;
  Eigen::Matrix<double, Dim, Eigen::Dynamic, 0, Dim, kMostFaceNodes> x;  // a column per node
};

// Where it is at q, or without deformation.
template <int Dim>
Face<Dim> face_of(const SolidMesh<Dim>& mesh, const MeshSide& side, const Eigen::VectorXd* q) {
  const auto& element = mesh.elements[side.element];
  const auto own = mesh.nodes_of(element);
  const auto local = face_nodes(element.kind, side.face);
  Face<Dim> face;
  face.x.resize(Dim, static_cast<Eigen::Index>(local.size()));
  for (std::size_t k = 0; k < local.size(); ++k) {
    face.nodes[k] = own[local[k]];
    face.x.col(k) = mesh.nodes[face.nodes[k]];
    if (q != nullptr) face.x.col(k) += q->segment<Dim>(Dim * face.nodes[k]);
  }
  return face;
}

// The normal, as long as the area per unit of the reference cell, outwards.
template <int Dim>
Eigen::Matrix<double, Dim, 1> normal_of(const Face<Dim>& face, const FacePoint& p) {
  const Eigen::Matrix<double, Dim, Dim - 1> along = face.x * p.slopes;
  if constexpr (Dim == 2)
    return {along(1, 0), -along(0, 0)};
  else
    return along.col(0).cross(along.col(1));
}

template <int Dim>
double depth_of(const FaceDepth& depth, const Face<Dim>& face, const FacePoint& p) {
  if (Dim == 3) return 1;
  if (depth.plane != PlaneKind::axisymmetric) return depth.thickness;
  return 2 * std::numbers::pi * face.x.row(0).dot(p.values);
}

// d(depth normal)/dx of node b.
template <int Dim>
Eigen::Matrix<double, Dim, Dim> normal_change(const FaceDepth& depth, const Face<Dim>& face,
                                              const FacePoint& p, int b) {
  const double deep = depth_of(depth, face, p);
  Eigen::Matrix<double, Dim, Dim> change;
  if constexpr (Dim == 2) {
    change << 0, deep * p.slopes(b, 0), -deep * p.slopes(b, 0), 0;
    if (depth.plane == PlaneKind::axisymmetric)
      change.col(0) += 2 * std::numbers::pi * p.values[b] * normal_of(face, p);
  } else {
    const Eigen::Matrix<double, 3, 2> along = face.x * p.slopes;
    const Eigen::Vector3d v = p.slopes(b, 1) * along.col(0) - p.slopes(b, 0) * along.col(1);
    change << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  }
  return change;
}

}  // namespace

template <int Dim>
void add_traction(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth,
                  const Eigen::Matrix<double, Dim, 1>& traction, Eigen::VectorXd& force) {
  for (const MeshSide& side : sides) {
    const Face<Dim> face = face_of(mesh, side, nullptr);
    for (const FacePoint& p : table_of(mesh.elements[side.element].kind)) {
      const double area = p.weight * depth_of(depth, face, p) * normal_of(face, p).norm();
      for (int a = 0; a < p.values.size(); ++a)
        force.segment<Dim>(Dim * face.nodes[a]) += area * p.values[a] * traction;
    }
  }
}

template <int Dim>
void add_pressure(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth,
                  double pressure, const Eigen::VectorXd& q, Eigen::VectorXd& force,
                  std::vector<Eigen::Triplet<double>>* tangent) {
  for (const MeshSide& side : sides) {
    const Face<Dim> face = face_of(mesh, side, &q);
    for (const FacePoint& p : table_of(mesh.elements[side.element].kind)) {
      const Eigen::Matrix<double, Dim, 1> push =
          -pressure * p.weight * depth_of(depth, face, p) * normal_of(face, p);
      const auto nodes = static_cast<int>(p.values.size());
      for (int a = 0; a < nodes; ++a) force.segment<Dim>(Dim * face.nodes[a]) += p.values[a] * push;
      if (tangent == nullptr) continue;
      for (int b = 0; b < nodes; ++b) {
        const Eigen::Matrix<double, Dim, Dim> change =
            -pressure * p.weight * normal_change(depth, face, p, b);
        for (int a = 0; a < nodes; ++a)
          for (int j = 0; j < Dim; ++j)
            for (int i = 0; i < Dim; ++i)
              tangent->emplace_back(Dim * face.nodes[a] + i, Dim * face.nodes[b] + j,
                                    p.values[a] * change(i, j));
      }
    }
  }
}

template <int Dim>
double face_area(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides, const FaceDepth& depth) {
  double area = 0;
  for (const MeshSide& side : sides) {
    const Face<Dim> face = face_of(mesh, side, nullptr);
    for (const FacePoint& p : table_of(mesh.elements[side.element].kind))
      area += p.weight * depth_of(depth, face, p) * normal_of(face, p).norm();
  }
  return area;
}

template void add_traction(const SolidMesh<2>&, std::span<const MeshSide>, const FaceDepth&,
                           const Eigen::Vector2d&, Eigen::VectorXd&);
template void add_traction(const SolidMesh<3>&, std::span<const MeshSide>, const FaceDepth&,
                           const Eigen::Vector3d&, Eigen::VectorXd&);
template void add_pressure(const SolidMesh<2>&, std::span<const MeshSide>, const FaceDepth&, double,
                           const Eigen::VectorXd&, Eigen::VectorXd&, std::vector<Eigen::Triplet<double>>*);
template void add_pressure(const SolidMesh<3>&, std::span<const MeshSide>, const FaceDepth&, double,
                           const Eigen::VectorXd&, Eigen::VectorXd&, std::vector<Eigen::Triplet<double>>*);
template double face_area(const SolidMesh<2>&, std::span<const MeshSide>, const FaceDepth&);
template double face_area(const SolidMesh<3>&, std::span<const MeshSide>, const FaceDepth&);

}  // namespace saltus
