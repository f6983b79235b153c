// Masses of bars, strings and beams.
#include "saltus/fem/beams.hpp"

namespace saltus {

namespace {

using Block = Eigen::Matrix<double, 12, 12>;

// Linear between the nodes, on coordinate i of both; `whole` of the element.
void add_linear(double whole, bool lumped, int i, Block& m) {
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < 2; ++l)
      m(6 * k + i, 6 * l + i) += whole * (lumped ? (k == l ? 0.5 : 0.0) : (k == l ? 1.0 / 3 : 1.0 / 6));
}

// Hermite's cubics: deflection along axis `across`, slope sign times the rotation `about`.
void add_cubic(double whole, double L, int across, int about, double sign, Block& m) {
  const double rows[4][4] = {{156, 22 * L, 54, -13 * L},
                             {22 * L, 4 * L * L, 13 * L, -3 * L * L},
                             {54, 13 * L, 156, -22 * L},
                             {-13 * L, -3 * L * L, -22 * L, 4 * L * L}};
  const int place[4] = {across, 3 + about, 6 + across, 9 + about};
  const double signs[4] = {1, sign, 1, sign};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m(place[i], place[j]) += whole / 420 * signs[i] * signs[j] * rows[i][j];
}

}  // namespace

template <int Dim>
typename Beams<Dim>::Block Beams<Dim>::element_mass(int e, MassKind kind) const {
  const BeamSection& own = section(e);
  const double L = elements_[e].length, whole = own.mass() * L;
  const bool lumped = kind == MassKind::lumped;
  Block m = Block::Zero();
  if (options_.large || !turns()) {
    for (int i = 0; i < 3; ++i) add_linear(whole, lumped, i, m);
    const double turning = own.density * L * (Dim == 2 ? own.inertia : own.polar());
    for (int i = 0; i < 3; ++i) add_linear(turning, lumped, 3 + i, m);
    return m;
  }
  add_linear(own.density * L * own.polar(), lumped, 3, m);
  if (lumped) {
    for (int i = 0; i < 3; ++i) add_linear(whole, true, i, m);
    for (int i = 4; i < 6; ++i) add_linear(whole * L * L / 39, true, i, m);
  } else {
    add_linear(whole, false, 0, m);
    add_cubic(whole, L, 1, 2, 1, m);
    add_cubic(whole, L, 2, 1, -1, m);
  }
  Block turn = Block::Zero();
  for (int k = 0; k < 4; ++k) turn.block<3, 3>(3 * k, 3 * k) = elements_[e].axes;
  return turn * m * turn.transpose();
}

template <int Dim>
Eigen::SparseMatrix<double> Beams<Dim>::mass(MassKind kind) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    const Dofs dofs = dofs_of(e);
    const Block own = element_mass(e, kind);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        if (dofs[i] >= 0 && dofs[j] >= 0 && own(i, j) != 0) entries.emplace_back(dofs[i], dofs[j], own(i, j));
  }
  Eigen::SparseMatrix<double> mass(degrees_of_freedom(), degrees_of_freedom());
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

template Eigen::SparseMatrix<double> Beams<2>::mass(MassKind) const;
template Eigen::SparseMatrix<double> Beams<3>::mass(MassKind) const;
template typename Beams<2>::Block Beams<2>::element_mass(int, MassKind) const;
template typename Beams<3>::Block Beams<3>::element_mass(int, MassKind) const;

}  // namespace saltus
