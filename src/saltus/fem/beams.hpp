// Bars, strings or beams of one body: the elements of a mesh of lines.
//
// Coordinates: displacements of a node, then, of beams, its rotation: q[stride node + i] with i = x, y (z) and rz (rx, ry, rz). In
// the plane rotations add up. In space q holds the rotation vector of the accepted state; a step turns it by the rotation vector
// q - q_accepted, whose rate is the spin at the start of the step, and `name_accepted` gives the rotation vector of both.
// Forces of rotations are moments about the axes of space.
//
//     small   force = K q, K the tangent where it is at rest: beams of Euler and Bernoulli (Hermite's cubics), or Timoshenko
//     large   fem/beam_element.hpp
//
// Mass, small: consistent (Hermite's cubics across, linear along and in torsion), or lumped: half of an element at each
// node, rotations by scaling the diagonal to it (m L^2/78). Large: linear between the nodes, the same in all directions, so that it
// does not turn: errors of frequencies are of order L^2; sections have the inertia of their polar moment (2D: their own) about every axis.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <vector>

#include "saltus/fem/beam_element.hpp"
#include "saltus/fem/internal_forces.hpp"
#include "saltus/fem/line_mesh.hpp"

namespace saltus {

struct BeamOptions {
  LineKind kind = LineKind::beam;
  bool large = false;                             // rotations
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();  // axis 2 of sections, 3D
  std::string where;                              // place in the input, opens error messages
};

template <int Dim>
class Beams : public InternalForces {
 public:
  static constexpr int kTurns = Dim == 2 ? 1 : 3;

  // One section per group of the mesh. Throws InputError: a mesh or section that is none.
  Beams(LineMesh<Dim> mesh, std::vector<BeamSection> sections, BeamOptions options);

  const LineMesh<Dim>& mesh() const { return mesh_; }
  const BeamOptions& options() const { return options_; }
  const BeamElement& element(int i) const { return elements_[i]; }
  const BeamSection& section(int element) const { return sections_[mesh_.elements[element].group]; }
  bool turns() const { return options_.kind == LineKind::beam; }
  int stride() const { return turns() ? Dim + kTurns : Dim; }

  int degrees_of_freedom() const override { return stride() * static_cast<int>(mesh_.nodes.size()); }
  bool is_linear() const override { return !options_.large; }
  Eigen::SparseMatrix<double> mass(MassKind kind) const override;
  bool evaluate(const Eigen::VectorXd& q, double duration, Want want) override;
  const Eigen::VectorXd& force() const override { return force_; }
  const Eigen::SparseMatrix<double>& tangent() const override { return tangent_; }
  double stored() const override { return stored_; }
  double round_off() const override;
  const std::string& trouble() const override { return trouble_; }
  void accept() override;
  void name_accepted(Eigen::VectorXd& q) const override;
  std::span<const double> internal_state() const override;
  void set_internal_state(std::span<const double> state) override;
  double critical_step(const Eigen::VectorXd& q, double duration) const override;

  // What pulls at coordinates where it is at rest: tensions that neighbours do not balance.
  Eigen::VectorXd force_at_rest() const;
  // Of an element at q, as of the accepted state: N (along, across) and M (torsion, about 2, about 3), half way.
  BeamForces section_forces(int element, const Eigen::VectorXd& q) const;
  double largest_rotation(const Eigen::VectorXd& q) const;  // rad: how far `small` may be trusted

 private:
  using Dofs = std::array<Eigen::Index, 12>;
  using Block =
      Eigen::Matrix<double, 12, 12>;  // of both nodes in space: displacements, then rotations, of each

  // Place of the coordinates of an element among all; -1: it has none there.
  Dofs dofs_of(int element) const;
  void build_pattern();
  Eigen::Quaterniond turn_of(int node, const Eigen::VectorXd& q, Eigen::Vector3d& step) const;
  // Force on both nodes, and its derivative in q.
  bool evaluate_element(int element, const Eigen::VectorXd& q, bool with_tangent, BeamForces& forces,
                        Eigen::Matrix<double, 12, 1>& force, Block& tangent) const;
  Block element_mass(int element, MassKind kind) const;
  bool assemble(const Eigen::VectorXd& q, bool with_tangent);

  LineMesh<Dim> mesh_;
  std::vector<BeamSection> sections_;
  BeamOptions options_;
  std::vector<BeamElement> elements_;
  Eigen::SparseMatrix<double> tangent_;
  std::vector<int> place_;  // of the entries of elements in the values of the tangent
  Eigen::VectorXd force_, tried_, accepted_;
  double stored_ = 0;
  std::string trouble_;
};

}  // namespace saltus
