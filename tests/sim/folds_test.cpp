#include "saltus/sim/folds.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace saltus::folds_test {
namespace {

// Two elements side by side in one body, a side of 1 m each, 1 m apart along x.
template <int Dim>
SolidMesh<Dim> two_blocks(ElementKind kind) {
  SolidMesh<Dim> mesh;
  const int corners = corner_count(kind);
  constexpr int kX[] = {0, 1, 1, 0};
  for (int block = 0; block < 2; ++block) {
    std::vector<int> own(corners);
    std::iota(own.begin(), own.end(), static_cast<int>(mesh.nodes.size()));
    for (int k = 0; k < corners; ++k) {
      Eigen::Matrix<double, Dim, 1> x;
      x[0] = 2 * block + kX[k % 4], x[1] = k % 4 / 2;
      if constexpr (Dim == 3) x[2] = k / 4;
      mesh.nodes.push_back(x);
    }
    mesh.add_element(kind, own);
  }
  return mesh;
}

// All of the boundary, the second block moved by `move`.
template <int Dim>
Folds folds_of(const SolidMesh<Dim>& mesh, const Eigen::Matrix<double, Dim, 1>& move) {
  std::vector<MeshSide> sides;
  for (int element = 0; element < 2; ++element)
    for (int face = 0; face < face_count(mesh.elements[element].kind); ++face)
      sides.push_back({element, face});
  const auto surface = build_contact_surface<Dim>(mesh, sides, ContactPoints::nodes, true);
  const auto half = static_cast<Eigen::Index>(mesh.nodes.size() / 2);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(2 * Dim * half);
  for (Eigen::Index i = half; i < 2 * half; ++i) q.segment<Dim>(Dim * i) = move;
  return find_folds<Dim>(mesh, surface, q);
}

// A corner of each lies half way in the other: node 4 = (0.5, 0.3) in the first, node 2 = (1, 1) in the second.
TEST(Folds, a_corner_in_another_element_is_found_and_one_at_its_side_is_contact) {
  const SolidMesh<2> mesh = two_blocks<2>(ElementKind::q4);
  const Folds folds = folds_of<2>(mesh, {-1.5, 0.3});
  EXPECT_EQ(folds.nodes, 2);
  EXPECT_EQ(folds.node, 2);
  EXPECT_EQ(folds.element, 1);
  EXPECT_EQ(folds_of<2>(mesh, {0, 0}).nodes, 0);
  // A tenth of the way from the side to the middle, 5 cm, is skin: 4 cm are contact, 6 cm are not.
  EXPECT_EQ(folds_of<2>(mesh, {-1.04, 0.3}).nodes, 0);
  EXPECT_EQ(folds_of<2>(mesh, {-1.06, 0.3}).nodes, 2);
}

TEST(Folds, in_space_too_where_boxes_are_cut_into_tetrahedra) {
  const SolidMesh<3> mesh = two_blocks<3>(ElementKind::h8);
  // (0.4, 0.2, 0.3) is a corner of the second; (1, 1, 1) of the first is deep in the second as well.
  const Folds folds = folds_of<3>(mesh, {-1.6, 0.2, 0.3});
  EXPECT_EQ(folds.nodes, 2);
  EXPECT_EQ(folds_of<3>(mesh, {-0.9, 0.2, 0.3}).nodes, 0);
  EXPECT_EQ(folds_of<3>(mesh, {-1.02, 0.2, 0.3}).nodes, 0);
}

}  // namespace
}  // namespace saltus::folds_test
