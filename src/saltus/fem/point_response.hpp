// What a material answers to a displacement gradient H at one point, in one form for all kinematics.
//
//     small   strain sym(H): stress sigma, tangent dsigma/dH
//     finite  F = I + H: stress P, tangent dP/dH
//
// Plane stress: H_zz is sought so that the stress zz vanishes, with one more internal variable to start from, and eliminated
// from the tangent. Isotropic materials have no other stress out of a plane.
#pragma once

#include "saltus/fem/material.hpp"

namespace saltus {

struct PointResponse {
  Eigen::Matrix3d stress;
  Matrix9 tangent;
  MaterialEnergies energy;
  double out_of_plane = 0;  // H_zz
};

class PointLaw {
 public:
  PointLaw(StrainMeasure measure, bool plane_stress) : measure_(measure), plane_stress_(plane_stress) {}

  StrainMeasure measure() const { return measure_; }
  int internal_count(const Material& material) const {
    return material.internal_count(measure_) + (plane_stress_ ? 1 : 0);
  }
  void start(const Material& material, double* internal) const;

  // False: the material has no answer, or none without stress out of the plane.
  bool respond(const Material& material, const Eigen::Matrix3d& H, const MaterialStep& step,
               PointResponse& out) const;

 private:
  bool respond_in_space(const Material& material, const Eigen::Matrix3d& H, const MaterialStep& step,
                        PointResponse& out) const;

  StrainMeasure measure_;
  bool plane_stress_;
};

}  // namespace saltus
