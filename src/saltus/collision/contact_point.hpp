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

#include "saltus/geometry/contact_frame.hpp"

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

}  // namespace saltus
