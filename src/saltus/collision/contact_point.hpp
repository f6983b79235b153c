// One point where two bodies touch or nearly do.
//
// Sign convention (docs/notation.md): a < b, the normal is a unit vector from a to b, gap > 0
// is open. `point` lies midway between the two surfaces. With periodic boundaries the contact
// is between a where it is and b moved by shift * period: arms are point - x_a and
// point - (x_b + shift * period).
//
// `feature` names the pair of features (parts, faces, edges, corners) that touch; it survives
// steps as long as the same features touch, and is unique within a pair of bodies and shift.
#pragma once

#include <cstdint>
#include <tuple>

#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
struct ContactPoint {
  int a = -1;
  int b = -1;
  std::uint64_t feature = 0;
  Vec<Dim> point = Vec<Dim>::Zero();
  Vec<Dim> normal = Vec<Dim>::Zero();
  double gap = 0;
  IntVec<Dim> shift = IntVec<Dim>::Zero();
};

// The order in which contacts are listed.
template <int Dim>
bool precedes(const ContactPoint<Dim>& c, const ContactPoint<Dim>& d) {
  return std::tie(c.a, c.b, c.feature) < std::tie(d.a, d.b, d.feature);
}

// Columns n, t (2D) or n, t, s (3D): a right-handed orthonormal frame that depends on the normal
// alone, continuously except where n is near -e_z. In 2D t is a quarter turn counter-clockwise
// from n. In 3D: J. W. Frisvad's frame in the form of T. Duff et al., J. Comput. Graph. Tech. 6
// (2017), which loses no accuracy anywhere.
Mat<2> contact_frame(const Vec<2>& normal);
Mat<3> contact_frame(const Vec<3>& normal);

}  // namespace saltus
