#include "saltus/drawing/surface_forces.hpp"

#include <algorithm>
#include <limits>

namespace saltus {

namespace {

// Of the matter at a point of the surface of a mesh: linear in the simplex that holds it, or nearly does.
template <int Dim>
Vec<Dim> displacement_at(const FrameSystem<Dim>& system, const Vec<Dim>& x) {
  double best = -std::numeric_limits<double>::infinity();
  Vec<Dim> found = Vec<Dim>::Zero();
  const auto place = [&](int node) -> const Vec<Dim>& { return system.nodes[static_cast<std::size_t>(node)]; };
  for (const auto& simplex : *system.elements) {
    Mat<Dim> edges;
    for (int k = 0; k < Dim; ++k) edges.col(k) = place(simplex[k + 1]) - place(simplex[0]);
    const Vec<Dim> shares = edges.inverse() * (x - place(simplex[0]));
    const double least = std::min(shares.minCoeff(), 1 - shares.sum());
    if (!(least > best)) continue;
    best = least;
    const auto moved = [&](int k) -> Vec<Dim> {
      return system.coordinates.template segment<Dim>(Dim * simplex[k]);
    };
    found = (1 - shares.sum()) * moved(0);
    for (int k = 0; k < Dim; ++k) found += shares[k] * moved(k + 1);
  }
  return found;
}

}  // namespace

template <int Dim>
Vec<Dim> magnified_point(const Frame<Dim>& frame, const FrameContact<Dim>& contact, double magnify) {
  if (magnify == 1) return contact.point;
  Vec<Dim> sum = Vec<Dim>::Zero();
  int count = 0;
  for (const int index : {contact.a, contact.b}) {
    const FrameBody<Dim>& body = frame.bodies[static_cast<std::size_t>(index)];
    if (!body.follows) continue;
    sum += displacement_at(frame.systems[static_cast<std::size_t>(body.system)], contact.point);
    ++count;
  }
  return count == 0 ? contact.point : Vec<Dim>(contact.point + (magnify - 1) * sum / count);
}

template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> force_line(const Frame<Dim>& frame, const FrameContact<Dim>& contact,
                                         double magnify, double length) {
  const Vec<Dim> middle = magnified_point(frame, contact, magnify),
                 half = 0.5 * length * (contact.axes * contact.impulse).normalized();
  return {middle - half, middle + half};
}

template Vec<2> magnified_point<2>(const Frame<2>&, const FrameContact<2>&, double);
template Vec<3> magnified_point<3>(const Frame<3>&, const FrameContact<3>&, double);
template std::pair<Vec<2>, Vec<2>> force_line<2>(const Frame<2>&, const FrameContact<2>&, double, double);
template std::pair<Vec<3>, Vec<3>> force_line<3>(const Frame<3>&, const FrameContact<3>&, double, double);

}  // namespace saltus
