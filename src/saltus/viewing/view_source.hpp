// A trajectory as the viewer takes it: three kinds of packs (viewing/view_pack.hpp, docs/viewer-format.md).
//
//     model    what stays: shapes as triangles, bodies, meshes, names, fields to colour by
//     series   one number per frame (times, energies, figures of the solver) and the measures of the run
//     frame    where everything is in one frame, and what else of it was wished for
//
// Frames are found by the index of the file: nothing else of it is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace saltus {

// What a frame holds besides places and turns.
struct FrameWish {
  bool motion = false;  // velocities and spins
  bool contacts = false;
  std::vector<std::string> fields;  // to colour by, of ViewSource::fields()
};

class ViewSource {
 public:
  virtual ~ViewSource() = default;

  virtual std::int64_t frames() const = 0;
  virtual double time(std::int64_t frame) const = 0;
  virtual bool is_finished() const = 0;
  virtual std::vector<std::string> fields() const = 0;  // names, components of vectors included

  virtual std::string model() = 0;
  // Rows of these frames only.
  virtual std::string series(const std::vector<std::int64_t>& chosen) = 0;
  // Throws InputError for a frame or a field that there is none of.
  virtual std::string frame(std::int64_t number, const FrameWish& wish) = 0;
};

// Throws InputError when the file is not a trajectory, or was written without positions.
std::unique_ptr<ViewSource> open_view(const std::string& path);

std::vector<std::int64_t> all_frames(const ViewSource& source);

}  // namespace saltus
