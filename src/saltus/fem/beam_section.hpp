// Cross sections of bars, strings and beams, with what they are made of. Axis 1 is along the line, axis 2 is `up` (2D: in the
// plane), axis 3 = 1 x 2.
#pragma once

#include <string>

namespace saltus {

struct BeamSection {
  double area = 0;          // m2
  double inertia = 0;       // m4, of deflections along axis 2: integral of y2^2
  double inertia_side = 0;  // m4, of deflections along axis 3: integral of y3^2
  double torsion = 0;       // m4: torque = shear modulus * torsion * twist
  double radius = 0;        // m, of what touches: half the height
  double shear_factor =
      0;  // of the area in shear; 0: sections stay at right angles to the line (Euler and Bernoulli)

  double young = 0, poisson = 0.3;  // Pa
  double density = 0;               // kg/m3
  double tension = 0;               // N, where it is at rest

  double shear_modulus() const { return young / (2 * (1 + poisson)); }
  double polar() const { return inertia + inertia_side; }  // m4
  double mass() const { return density * area; }           // kg/m
};

// Sizes in m; material numbers are left as they are.
BeamSection rectangle_section(double width, double height);  // height along axis 2
BeamSection circle_section(double radius);
BeamSection tube_section(double radius, double wall);  // outer radius, thickness of the wall

// Throws InputError: a number that is not finite or not of its sign; with `bends`, no inertia; with 3 dimensions, one of the
// other two is missing.
void check_section(const BeamSection& section, bool bends, int dimension, const std::string& where);

}  // namespace saltus
