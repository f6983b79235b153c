// The solid elements of one body: internal forces and their tangent, masses, energies, what its materials remember.
//
// Degree of freedom Dim node + direction; q are displacements from where the body is without stress. A step is tried as often as
// one likes (`evaluate`), always from the accepted state, and taken once (`accept`). Loops run by base/parallel.hpp with the same
// bits on any number of threads; nothing is allocated after the first evaluation with a tangent.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <string>
#include <vector>

#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/element_chunks.hpp"
#include "saltus/fem/element_ops.hpp"
#include "saltus/fem/internal_forces.hpp"

namespace saltus {

template <int Dim>
class Continuum : public InternalForces {
 public:
  // One material per group of mesh.materials. Throws InputError that names the element, node or group: a kind of the
  // other dimension, a node that does not exist or has no element, an element turned inside out or degenerate, a material that
  // does not fit the kinematics.
  Continuum(SolidMesh<Dim> mesh, std::vector<ContinuumMaterial> materials, ContinuumOptions options);

  const SolidMesh<Dim>& mesh() const { return mesh_; }
  const std::vector<ContinuumMaterial>& materials() const { return materials_; }
  const ContinuumOptions& options() const { return options_; }
  int degrees_of_freedom() const override { return Dim * static_cast<int>(mesh_.nodes.size()); }
  bool is_linear() const override { return linear_; }
  bool has_symmetric_tangent() const { return symmetric_; }
  bool has_mean_dilatation(int material) const { return laws_[material].mean_dilatation; }

  // kg. Lumped: the diagonal of each element's consistent mass, scaled to its mass (Hinton, Rock and Zienkiewicz): positive.
  Eigen::SparseMatrix<double> mass(MassKind kind) const override;
  Eigen::VectorXd volume_weights() const;  // m3, per node: integral of its shape function
  double volume() const;                   // m3, without deformation

  // Internal force at the end of a step of `duration` [s] from the accepted state to displacements q. False: an
  // element turned inside out, a material has no answer; trouble() tells. A linear body assembles once, then multiplies.
  bool evaluate(const Eigen::VectorXd& q, double duration, Want want) override;
  // The same by the elements in any case.
  bool assemble(const Eigen::VectorXd& q, double duration, Want want);
  const Eigen::VectorXd& force() const override { return force_; }  // N
  const Eigen::SparseMatrix<double>& tangent() const override {
    return tangent_;
  }  // N/m, d force/d q; pattern never changes
  double stored() const override { return energy_.elastic + energy_.hardening; }  // J, at the evaluated point
  double stored_by_hardening() const override { return energy_.hardening; }  // J, its part that is not given back
  double plastic_dissipation() const override { return energy_.plastic; }  // J, in the evaluated step
  double viscous_dissipation() const override { return energy_.viscous; }
  double round_off() const override;
  const std::string& trouble() const override { return trouble_; }

  // Before the first step: everywhere the pressure of the weight above, density |gravity| (level + x . gravity/|gravity|), and no
  // strain: with a free surface at this level and sides that are held the body is in equilibrium. InputError: a material that remembers
  // no stress, a point above the level.
  void start_under_weight(double level, const Eigen::Matrix<double, Dim, 1>& gravity);

  void accept() override;  // the evaluated state becomes the accepted one

  // Of the accepted state, for checkpoints: displacements, duration of the step that led there, internal variables at its
  // start and end. Valid until the next call. InputError: another size.
  std::span<const double> internal_state() const override;
  void set_internal_state(std::span<const double> state) override;

  // At the accepted state. Points of an element in the order of stiffness_rule.
  std::vector<PointFields> point_fields(int element) const;
  PointFields element_mean(int element) const;     // by volume; its volume is that of the element
  std::vector<PointFields> element_means() const;  // of all
  std::vector<PointFields> node_fields() const;    // extrapolated in each element, then averaged by volume

  double largest_rotation()
      const;  // rad, over elements, at the accepted state: how far small kinematics may be trusted
  // Explicit steps with the lumped mass are stable below this [s]: 2/omega of the element that swings fastest, at q. 0: an element has
  // no answer there. A viscous force C v of the velocity before costs h^2 omega^2/4 + h c/2 <= 1 of every mode, which is K + 2 C/h
  // for K: the tangent of a step of `duration` = h/2. Without viscosity the duration does not matter.
  double critical_step(const Eigen::VectorXd& q, double duration) const override;
  // The diagonal of the lumped mass [kg] with elements made so heavy, each for itself, that none has a critical step below h; those that
  // have none are as they are. Empty: an element has no answer.
  Eigen::VectorXd stable_mass(const Eigen::VectorXd& q, double h) const;

 private:
  void check_mesh() const;
  void build_laws();
  void build_internal();
  ElementBatch<Dim> batch() const;           // all but what is written
  ElementBatch<Dim> accepted_batch() const;  // to ask elements about the accepted state
  void multiply(const Eigen::VectorXd& q);
  // omega^2 of the fastest oscillation of each element by itself, with its lumped mass [1/s2]. Infinite: no answer.
  std::vector<double> fastest_modes(const Eigen::VectorXd& q, double duration) const;

  SolidMesh<Dim> mesh_;
  std::vector<ContinuumMaterial> materials_;
  ContinuumOptions options_;
  BodyLaw body_;
  std::vector<ElementLaw> laws_;
  bool linear_ = false, symmetric_ = true;
  BlockPattern pattern_;
  ElementChunks chunks_;

  // Internal variables by element, in the order of the mesh: at the start of the accepted step, at its end, at the end of
  // the step that is tried.
  std::vector<std::size_t> first_internal_;
  std::vector<double> previous_, accepted_, tried_;
  Eigen::VectorXd accepted_q_, tried_q_;
  double accepted_duration_ = 0, tried_duration_ = 0;
  mutable std::vector<double> state_;

  std::vector<ChunkResult> results_;
  Eigen::VectorXd force_;
  Eigen::SparseMatrix<double> tangent_;
  bool assembled_ = false;  // linear: the tangent is there
  MaterialEnergies energy_;
  std::string trouble_;
};

}  // namespace saltus
