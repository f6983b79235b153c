#include "saltus/fem/extrapolation.hpp"

#include <vector>

#include "saltus/fem/element_shape.hpp"
#include "saltus/fem/quadrature.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

template <int Dim, class Corner>
Eigen::MatrixXd fit(ElementKind kind) {
  const Quadrature<Dim> rule = stiffness_rule<Dim>(kind);
  const auto points = static_cast<Eigen::Index>(rule.size());
  const int nodes = node_count(kind);
  if (points < Corner::kNodes)
    return Eigen::MatrixXd::Constant(nodes, points, 1.0 / static_cast<double>(points));
  Eigen::MatrixXd at_points(points, Corner::kNodes), at_nodes(nodes, Corner::kNodes);
  for (int p = 0; p < points; ++p) at_points.row(p) = Corner::values(rule[p].at).transpose();
  for (int a = 0; a < nodes; ++a)
    at_nodes.row(a) = Corner::values(with_kind<Dim>(kind, [a]<ElementKind K>() {
                        return ElementShape<K>::node(a);
                      })).transpose();
  return at_nodes * least_squares_inverse(at_points);
}

Eigen::MatrixXd fit(ElementKind kind) {
  const bool simplex = corner_count(kind) == dimension_of(kind) + 1;
  if (dimension_of(kind) == 2)
    return simplex ? fit<2, detail::SimplexShape<2, false>>(kind) : fit<2, detail::CubeShape<2, false>>(kind);
  return simplex ? fit<3, detail::SimplexShape<3, false>>(kind) : fit<3, detail::CubeShape<3, false>>(kind);
}

}  // namespace

const Eigen::MatrixXd& extrapolation_of(ElementKind kind) {
  static const std::vector<Eigen::MatrixXd> all = [] {
    std::vector<Eigen::MatrixXd> list;
    for (int k = 0; k < kElementKinds; ++k) list.push_back(fit(static_cast<ElementKind>(k)));
    return list;
  }();
  return all[static_cast<std::size_t>(kind)];
}

}  // namespace saltus
