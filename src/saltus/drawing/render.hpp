// Pictures of the frames of a trajectory, without a display.
//
// 2D: a figure in the manner of the papers: outlines with a mark that turns, force chains whose width is the
// force, sticking and sliding contacts in two colours. 3D: the bodies, shaded, on their ground.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/drawing/render_scale.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct RenderOptions {
  int width = 1200;       // pixels or points
  bool chains = true;     // 2D: force chains
  bool contacts = false;  // contact points by status; 3D: force chains too
  bool velocities = false;
  bool labels = true;                    // title, time, scale, legend
  double azimuth = -55, elevation = 22;  // degrees, 3D: where the camera stands
};

// Throws InputError unless the name ends in .png, .svg or .pdf.
void check_picture_name(const std::string& path);

template <int Dim>
class Renderer {
 public:
  // `shown` are the frames that will be drawn: all get the same view and the same scale of forces.
  Renderer(const TrajectoryReader<Dim>& reader, const RenderOptions& options,
           const std::vector<std::int64_t>& shown)
      : reader_(reader), options_(options), scale_(compute_scale(reader, shown)) {}

  // Throws OutputError, or InputError when the name is no picture.
  void draw(std::int64_t frame, const std::string& path) const;

 private:
  const TrajectoryReader<Dim>& reader_;
  RenderOptions options_;
  RenderScale<Dim> scale_;
};

template <>
void Renderer<2>::draw(std::int64_t frame, const std::string& path) const;
template <>
void Renderer<3>::draw(std::int64_t frame, const std::string& path) const;

}  // namespace saltus
