// Contact forces on meshes in pictures: lines about the contact along the force, as long as it is large (Jean 1999, figure 8).
#pragma once

#include <utility>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

// Whether a contact is one of the surface of a mesh.
template <int Dim>
bool is_on_mesh(const Frame<Dim>& frame, const FrameContact<Dim>& contact) {
  return frame.bodies[static_cast<std::size_t>(contact.a)].follows ||
         frame.bodies[static_cast<std::size_t>(contact.b)].follows;
}

// Where such a contact is drawn: with the displacements of its mesh times `magnify`, of both meshes their mean.
template <int Dim>
Vec<Dim> magnified_point(const Frame<Dim>& frame, const FrameContact<Dim>& contact, double magnify);

// Ends of the line of its force, `length` long, about that place.
template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> force_line(const Frame<Dim>& frame, const FrameContact<Dim>& contact,
                                         double magnify, double length);

}  // namespace saltus
