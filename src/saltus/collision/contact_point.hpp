// One point where two bodies touch or nearly do.
//
// Sign convention (docs/notation.md): a < b, the normal is a unit vector from a to b, gap > 0
// is open. `point` lies midway between the two surfaces. With periodic boundaries the contact
// is between a where it is and b moved by image * period: arms are point - x_a and
// point - (x_b + image * period).
//
// `feature` names the pair of features (parts, faces, edges, corners) that touch; it survives
// steps as long as the same features touch, and is unique within a pair of bodies and image.
#pragma once

#include <cstdint>
#include <tuple>

#include "saltus/geometry/contact_axes.hpp"

namespace saltus {

template <int Dim>
struct ContactPoint {
  int a = -1;
  int b = -1;
  std::uint64_t feature = 0;
  Vec<Dim> point = Vec<Dim>::Zero();
  Vec<Dim> normal = Vec<Dim>::Zero();
  double gap = 0;
  IntVec<Dim> image = IntVec<Dim>::Zero();
};

// The order in which contacts are listed. Two bodies may touch by way of several images: the image comes
// before the feature.
inline auto contact_order(const int& a, const int& b, const IntVec<2>& image, const std::uint64_t& feature) {
  return std::tie(a, b, image[0], image[1], feature);
}
inline auto contact_order(const int& a, const int& b, const IntVec<3>& image, const std::uint64_t& feature) {
  return std::tie(a, b, image[0], image[1], image[2], feature);
}
template <int Dim>
bool precedes(const ContactPoint<Dim>& c, const ContactPoint<Dim>& d) {
  return contact_order(c.a, c.b, c.image, c.feature) < contact_order(d.a, d.b, d.image, d.feature);
}

}  // namespace saltus
