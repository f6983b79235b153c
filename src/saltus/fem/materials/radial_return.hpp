// The return to von Mises' yield surface (Wilkins; Simo and Hughes, box 3.2), implicit.
//
//     s = 2 G dev(trial),  q = sqrt(3/2) |s|;  q - 3 G a - yield(alpha + a) = 0  gives the plastic strain a of the step
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/materials/hardening.hpp"

namespace saltus {

struct RadialReturn {
  Vector6 stress;
  Vector6 elastic_strain;
  double flow = 0;  // a
  Matrix6 tangent;  // dstress/dtrial, where asked for
  MaterialEnergies energy;
};

// `trial`: elastic strain if nothing flowed. False: trial is not finite.
bool return_radially(const ElasticModuli& moduli, const Hardening& hardening, const Vector6& trial,
                     double alpha, bool want_tangent, RadialReturn& out);

}  // namespace saltus
