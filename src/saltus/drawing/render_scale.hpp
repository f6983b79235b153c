// What all pictures of a sequence share: the part of the world they show and the scale of forces.
#pragma once

#include <string>
#include <vector>

#include "saltus/geometry/bounds.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

inline constexpr std::size_t kScaleFrames = 60;

template <int Dim>
struct RenderScale {
  Bounds<Dim>
      view;  // of everything bounded, of the inside of drums, and of the floor under all that where it is near
  std::vector<Vec<Dim>>
      held;  // corners of that which are of no body: of the inside of drums, of the floor, of paths
  double strongest = 0;  // N
  double fastest = 0;    // m/s
  double size = 0;       // m, mean width of the moving bodies
};

// What the view is made of.
struct ViewChoice {
  std::vector<double> region;     // lower corner, upper corner, m; empty: of bodies
  std::vector<std::string> only;  // names of bodies or systems that set the view; empty: all
  double magnify = 1;             // displacements of meshes
};

// From at most these of the frames, evenly chosen. Throws InputError for a name that there is none of, or a region that is none.
template <int Dim>
RenderScale<Dim> compute_scale(const TrajectoryReader<Dim>& reader, const std::vector<std::int64_t>& shown,
                               const ViewChoice& choice = {});

// Where the nodes of a mesh are drawn: displacements times `magnify`.
template <int Dim>
std::vector<Vec<Dim>> magnified_nodes(const FrameSystem<Dim>& system, double magnify);

// Force of a contact, N.
template <int Dim>
double force(const FrameContact<Dim>& contact, double h) {
  return h > 0 ? contact.impulse.norm() / h : 0;
}

// The two ends of a chain through a contact: centres of its bodies, or the contact itself where a body is
// fixed, driven or unbounded. With periods, the images that are nearest to the contact.
template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> chain_ends(const Frame<Dim>& frame, const FrameContact<Dim>& contact,
                                         const std::vector<double>& period);

}  // namespace saltus
