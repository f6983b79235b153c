// Pictures of the frames of a trajectory, without a display.
//
// 2D: a figure in the manner of the papers: outlines with a mark that turns, force chains whose width is the
// force, sticking and sliding contacts in two colours. 3D: the bodies, shaded, on their ground; with chains or contacts
// the bodies are pale and those show through.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/drawing/element_sides.hpp"
#include "saltus/drawing/render_canvas.hpp"
#include "saltus/drawing/render_scale.hpp"
#include "saltus/drawing/stress_crosses.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct RenderOptions {
  int width = 1200;  // pixels or points
  // Force chains; none: in the plane without a field and without stresses, in space with contacts.
  std::optional<bool> chains = {};
  bool contacts = false;  // contact points by status
  bool velocities = false;
  bool labels = true;                    // title, time, scale, legend
  double azimuth = -55, elevation = 22;  // degrees, 3D: where the camera stands
  std::optional<Vec<3>> eye = {};        // 3D: or exactly where, m
  std::optional<Vec<3>> target = {};     // what is in the middle of the picture, m
  std::optional<double> angle = {};      // 3D: degrees of the field of view from top to bottom
  double zoom = 1;
  std::vector<double> region = {};     // lower corner, upper corner, m: the part of the world that is shown
  std::vector<std::string> only = {};  // names of bodies that set the view; empty: all
  std::string colour = {};             // a field (drawing/fields.hpp); empty: none
  std::optional<std::pair<double, double>> range = {};  // of its colours; none: that of all pictures
  double least_force = 0;                               // N: chains of smaller forces are left out
  std::optional<double> full_force = {};                // N, of the widest chain; none: near the largest
  double magnify = 1;                                   // displacements of meshes
  StressMarks stresses = StressMarks::none;             // principal stresses as crosses
  double trails = 0;                                    // s of paths behind bodies
  std::vector<std::string> trails_of = {};              // names; empty: all that move
};

// Throws InputError unless the name ends in .png, .svg or .pdf.
void check_picture_name(const std::string& path);

template <int Dim>
class FieldColours;
template <int Dim>
class Trails;

template <int Dim>
class Renderer {
 public:
  // `shown` are the frames that will be drawn: all get the same view and the same scales. Throws InputError for names of
  // bodies and fields that there are not.
  Renderer(const TrajectoryReader<Dim>& reader, const RenderOptions& options,
           const std::vector<std::int64_t>& shown);
  ~Renderer();

  // Crosses of stresses and chains hide each other: both only where chains are asked for.
  bool shows_chains() const {
    const bool plain = options_.colour.empty() && options_.stresses == StressMarks::none;
    return options_.chains.value_or(options_.contacts || (Dim == 2 && plain));
  }

  int width() const { return options_.width; }
  int height() const;  // even, for films

  void paint(std::int64_t frame, const Canvas& canvas) const;
  // Throws OutputError, or InputError when the name is no picture.
  void draw(std::int64_t frame, const std::string& path) const;

 private:
  void require_stored_fields();
  void find_outline(const std::vector<std::int64_t>& shown, const ViewChoice& view);  // 3D
  void widen_view(const std::vector<std::int64_t>& shown);                            // to paths of bodies
  // Page of a place of the world.
  using ToPage = std::function<Vec<2>(const Vec<Dim>&)>;
  void draw_crosses(const Canvas& canvas, const Frame<Dim>& frame, const ToPage& to_page) const;
  void draw_labels(const Canvas& canvas, double time, double chain_width, double pixels_per_metre) const;

  const TrajectoryReader<Dim>& reader_;
  RenderOptions options_;
  RenderScale<Dim> scale_;
  Bounds<2> outline_;  // 3D: of what is in view, on the page of a camera of focal length 1
  std::unique_ptr<FieldColours<Dim>> colours_;  // none: bodies have the colours of the figure
  std::unique_ptr<Trails<Dim>> trails_;
  std::vector<ElementSides> sides_;  // of systems
  double full_stress_ = 0;           // Pa, of a line as long as its element
};

template <>
void Renderer<2>::find_outline(const std::vector<std::int64_t>& shown, const ViewChoice& view);
template <>
void Renderer<3>::find_outline(const std::vector<std::int64_t>& shown, const ViewChoice& view);
template <>
int Renderer<2>::height() const;
template <>
int Renderer<3>::height() const;
template <>
void Renderer<2>::paint(std::int64_t frame, const Canvas& canvas) const;
template <>
void Renderer<3>::paint(std::int64_t frame, const Canvas& canvas) const;
extern template class Renderer<2>;
extern template class Renderer<3>;

}  // namespace saltus
