// Frames of a trajectory as pieces of VTK files: one per part of the scene.
//
// | part | file | holds |
// |---|---|---|
// | centres | .vtp | a point per body, with radius and orientation: what spheres are drawn from when there are many |
// | bodies | .vtp | surfaces of the bodies, as polygons |
// | walls | .vtp | the same of endless ones (planes, drums), cut: a part of its own, for they hide what is behind |
// | meshes | .vtu | deformable bodies where they are, with displacement, velocity and what is stored of nodes and elements |
// | contacts | .vtp | a point per contact |
// | chains | .vtp | lines from centre to centre through the contact, to the contact alone where a body is held or endless |
// | joints | .vtp | a line between the two points of each |
#pragma once

#include <optional>
#include <vector>

#include "saltus/drawing/fields.hpp"
#include "saltus/exchange/surface_mesh.hpp"
#include "saltus/exchange/vtk_file.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct VtkPart {
  std::string name;
  VtkPiece piece;
};

template <int Dim>
class VtkFrames {
 public:
  // `sides` of round things; none: 24, fewer when there are many bodies, and no balls (only their centres) when their
  // surfaces would have more than two million polygons.
  VtkFrames(const TrajectoryReader<Dim>& reader, std::optional<int> sides);

  // The parts that this trajectory has; one that is empty at this frame is there, without points.
  std::vector<VtkPart> build(std::int64_t number);
  std::vector<std::string> names() const;  // of the parts
  bool leaves_out_balls() const { return surface_.sides == 0; }
  // Arrays and parts that need fields which were not stored: "velocity, spin (velocities)"; empty: none.
  std::string left_out() const;

 private:
  VtkPiece build_centres(const Frame<Dim>& frame, std::int64_t number);
  VtkPiece build_bodies(const Frame<Dim>& frame, std::int64_t number, bool endless);
  VtkPiece build_contacts(const Frame<Dim>& frame) const;
  VtkPiece build_chains(const Frame<Dim>& frame) const;
  VtkPiece build_joints(const Frame<Dim>& frame) const;
  std::vector<VtkArray> body_arrays(const Frame<Dim>& frame, std::int64_t number,
                                    const std::vector<std::size_t>& rows);
  const SurfaceMesh& surface_of(const FrameBody<Dim>& body);
  bool is_stored(const std::vector<std::string>& fields) const;
  void drop_missing(std::vector<VtkArray>& arrays, bool of_contacts) const;

  const TrajectoryReader<Dim>& reader_;
  FieldReader<Dim> fields_;
  SurfaceOptions surface_;
  std::unordered_map<const Shape<Dim>*, SurfaceMesh> surfaces_;
  bool has_walls_ = false, has_meshes_ = false, has_contacts_ = false, has_joints_ = false;
};

extern template class VtkFrames<2>;
extern template class VtkFrames<3>;

}  // namespace saltus
