#include "saltus/systems/rigid_motions.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/dynamics/drive.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

// The piece of the mesh that each node belongs to, named by one of its nodes.
template <int Dim>
std::vector<int> find_pieces(const SolidMesh<Dim>& mesh) {
  std::vector<int> piece(mesh.nodes.size());
  std::iota(piece.begin(), piece.end(), 0);
  const auto root = [&](int node) {
    while (piece[node] != node) node = piece[node] = piece[piece[node]];
    return node;
  };
  for (const auto& element : mesh.elements) {
    const auto nodes = mesh.nodes_of(element);
    for (const int node : nodes) piece[root(node)] = root(nodes[0]);
  }
  for (int node = 0; node < static_cast<int>(piece.size()); ++node) piece[node] = root(node);
  return piece;
}

// Velocity of a point along a direction, in each motion; rotations of a body of unit size.
template <int Dim>
Eigen::VectorXd motions_at(const Vec<Dim>& x, int direction) {
  Eigen::VectorXd row = Eigen::VectorXd::Zero(kDofs<Dim>);
  row[direction] = 1;
  for (int i = 0; i < kSpins<Dim>; ++i)
    row[Dim + i] = spin_velocity(Spin<Dim>(Spin<Dim>::Unit(i)), x)[direction];
  return row;
}

}  // namespace

template <int Dim>
int count_free_motions(const SolidMesh<Dim>& mesh, PlaneKind plane, const std::vector<char>& is_driven) {
  constexpr double kParallel = 1e-9;
  const std::vector<int> piece = find_pieces(mesh);
  const bool axisymmetric = Dim == 2 && plane == PlaneKind::axisymmetric;
  int most = 0;
  for (int first = 0; first < static_cast<int>(piece.size()); ++first) {
    if (piece[first] != first) continue;
    double size = 0;
    for (std::size_t i = 0; i < piece.size(); ++i)
      if (piece[i] == first) size = std::max(size, (mesh.nodes[i] - mesh.nodes[first]).norm());
    std::vector<Eigen::VectorXd> rows;
    bool stops_axis = false;
    for (std::size_t i = 0; i < piece.size(); ++i)
      for (int k = 0; k < Dim && piece[i] == first; ++k) {
        if (!is_driven[Dim * i + k]) continue;
        rows.push_back(motions_at<Dim>(Vec<Dim>((mesh.nodes[i] - mesh.nodes[first]) / size), k));
        stops_axis = stops_axis || k == 1;
      }
    if (axisymmetric) {  // moving out or turning strains it: only the axis is free
      most = std::max(most, stops_axis ? 0 : 1);
      continue;
    }
    Eigen::MatrixXd held =
        Eigen::MatrixXd::Zero(std::max<Eigen::Index>(1, static_cast<Eigen::Index>(rows.size())), kDofs<Dim>);
    for (std::size_t r = 0; r < rows.size(); ++r)
      held.row(static_cast<Eigen::Index>(r)) = rows[r].transpose();
    DenseLeastNorm factor;
    factor.compute(held, kParallel);
    most = std::max(most, kDofs<Dim> - static_cast<int>(factor.rank()));
  }
  return most;
}

template int count_free_motions<2>(const SolidMesh<2>&, PlaneKind, const std::vector<char>&);
template int count_free_motions<3>(const SolidMesh<3>&, PlaneKind, const std::vector<char>&);

}  // namespace saltus
