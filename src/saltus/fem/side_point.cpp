#include "saltus/fem/side_point.hpp"

#include <algorithm>
#include <limits>

#include "saltus/fem/element_shape.hpp"
#include "saltus/math/small_solve.hpp"

namespace saltus {

namespace {

template <int Along>
struct SideShape {
  Eigen::VectorXd values;
  Eigen::MatrixXd slopes;  // a column per direction
};

SideShape<1> shape_at(ElementKind kind, const Eigen::Matrix<double, 1, 1>& at) {
  const double x = at[0];
  SideShape<1> shape;
  if (kind == ElementKind::t3 || kind == ElementKind::q4) {
    shape.values = Eigen::Vector2d((1 - x) / 2, (1 + x) / 2);
    shape.slopes = Eigen::Vector2d(-0.5, 0.5);
  } else {
    shape.values = Eigen::Vector3d(x * (x - 1) / 2, x * (x + 1) / 2, 1 - x * x);
    shape.slopes = Eigen::Vector3d(x - 0.5, x + 0.5, -2 * x);
  }
  return shape;
}

template <ElementKind K>
SideShape<2> face_shape(const Eigen::Vector2d& at) {
  return {ElementShape<K>::values(at), ElementShape<K>::gradients(at)};
}
SideShape<2> shape_at(ElementKind kind, const Eigen::Vector2d& at) {
  using enum ElementKind;
  switch (kind) {
    case t4: return face_shape<t3>(at);
    case t10: return face_shape<t6>(at);
    case h8: return face_shape<q4>(at);
    default: return face_shape<q8>(at);
  }
}

bool is_triangle(ElementKind kind) { return kind == ElementKind::t4 || kind == ElementKind::t10; }

template <int Along>
Eigen::Matrix<double, Along, 1> clamped(ElementKind kind, Eigen::Matrix<double, Along, 1> at) {
  if (Along == 1 || !is_triangle(kind)) return at.cwiseMax(-1).cwiseMin(1);
  at = at.cwiseMax(0).cwiseMin(1);
  if (const double beyond = at.sum() - 1; beyond > 0) at.array() -= beyond / 2;
  return at;
}

// Gauss and Newton's method on the squared distance: exact at once where the side is flat and its nodes evenly spaced.
template <int Dim>
SidePoint<Dim> nearest_on(const SolidMesh<Dim>& mesh, const MeshSide& side,
                          const Eigen::Matrix<double, Dim, 1>& place) {
  constexpr int kAlong = Dim - 1, kTurns = 30;
  using At = Eigen::Matrix<double, kAlong, 1>;
  const auto& element = mesh.elements[side.element];
  const auto own = mesh.nodes_of(element);
  const auto local = face_nodes(element.kind, side.face);
  Eigen::Matrix<double, Dim, Eigen::Dynamic> x(Dim, static_cast<Eigen::Index>(local.size()));
  SidePoint<Dim> found;
  for (std::size_t k = 0; k < local.size(); ++k) {
    found.shares.nodes.push_back(own[local[k]]);
    x.col(static_cast<Eigen::Index>(k)) = mesh.nodes[own[local[k]]];
  }
  At at = At::Constant(Dim == 3 && is_triangle(element.kind) ? 1.0 / 3 : 0.0);
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto shape = shape_at(element.kind, at);
    const Eigen::Matrix<double, Dim, kAlong> slope = x * shape.slopes;
    const At step = solve_small<kAlong>(slope.transpose() * slope, slope.transpose() * (place - x * shape.values));
    const At next = clamped<kAlong>(element.kind, at + step);
    const double moved = (next - at).norm();
    at = next;
    if (moved < 1e-14) break;
  }
  const Eigen::VectorXd values = shape_at(element.kind, at).values;
  found.shares.weights.assign(values.data(), values.data() + values.size());
  found.distance = (place - x * values).norm();
  return found;
}

}  // namespace

template <int Dim>
SidePoint<Dim> find_nearest(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                            const Eigen::Matrix<double, Dim, 1>& place) {
  SidePoint<Dim> best;
  best.distance = std::numeric_limits<double>::infinity();
  for (const MeshSide& side : sides)
    if (SidePoint<Dim> own = nearest_on<Dim>(mesh, side, place); own.distance < best.distance)
      best = std::move(own);
  return best;
}

template SidePoint<2> find_nearest<2>(const SolidMesh<2>&, std::span<const MeshSide>, const Eigen::Vector2d&);
template SidePoint<3> find_nearest<3>(const SolidMesh<3>&, std::span<const MeshSide>, const Eigen::Vector3d&);

}  // namespace saltus
