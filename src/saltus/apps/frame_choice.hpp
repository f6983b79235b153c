// Which frames of a trajectory a command works on.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct FrameChoice {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  // s
  std::int64_t every = 1;  // of the frames between them
};

// At least one, in order. Throws InputError when there is none.
template <int Dim>
std::vector<std::int64_t> choose_frames(const TrajectoryReader<Dim>& reader, const FrameChoice& choice) {
  std::vector<std::int64_t> frames;
  std::int64_t between = 0;
  for (std::int64_t i = 0; i < reader.frames(); ++i)
    if (reader.time(i) >= choice.from && reader.time(i) <= choice.to && between++ % choice.every == 0)
      frames.push_back(i);
  if (frames.empty())
    throw InputError(reader.file().path(),
                     reader.frames() == 0 ? "holds no frame" : "has no frame between --from and --to");
  return frames;
}

}  // namespace saltus
