// What a deformable body answers to the system that moves it (systems/solid_system.hpp): forces within it and their tangent.
//
// A step is tried as often as one likes (`evaluate`), always from the accepted state, and taken once (`accept`).
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <string>

#include "saltus/fem/mass_kind.hpp"

namespace saltus {

class InternalForces {
 public:
  struct Want {
    bool tangent = false;
  };

  virtual ~InternalForces() = default;

  virtual int degrees_of_freedom() const = 0;
  virtual bool is_linear() const = 0;  // force = K q, whatever q
  virtual Eigen::SparseMatrix<double> mass(MassKind kind) const = 0;

  // Internal force at the end of a step of `duration` [s] from the accepted state to coordinates q. False: there is none;
  // trouble() tells why.
  virtual bool evaluate(const Eigen::VectorXd& q, double duration, Want want) = 0;
  virtual const Eigen::VectorXd& force() const = 0;                // N, or N m
  virtual const Eigen::SparseMatrix<double>& tangent() const = 0;  // d force/d q; its pattern never changes
  virtual double stored() const = 0;                               // J, at the evaluated point
  virtual double stored_by_hardening() const { return 0; }          // J, its part that is not given back
  virtual double plastic_dissipation() const { return 0; }         // J, in the evaluated step
  virtual double viscous_dissipation() const { return 0; }
  // N, or N m: norm of what round-off of places and rotations may leave of force() at the evaluated point.
  virtual double round_off() const = 0;
  virtual const std::string& trouble() const = 0;
  virtual void accept() = 0;  // the evaluated state becomes the accepted one
  // Coordinates of the accepted state, where they have another name than the sum of all steps: rotations in space.
  virtual void name_accepted(Eigen::VectorXd&) const {}

  // Of the accepted state, for checkpoints: all that is not in coordinates and velocities.
  virtual std::span<const double> internal_state() const { return {}; }
  virtual void set_internal_state(std::span<const double>) {}

  // Explicit steps with the lumped mass are stable below this [s], with viscosity as steps of twice `duration` feel it. 0: there is
  // no answer.
  virtual double critical_step(const Eigen::VectorXd& q, double duration) const = 0;
};

}  // namespace saltus
