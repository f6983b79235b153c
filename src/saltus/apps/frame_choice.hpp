// Which frames of a trajectory a command works on.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

// The frame nearest to a time. Throws InputError: a time before the first frame, or after the last, by more than frames are apart.
template <int Dim>
std::int64_t frame_at(const TrajectoryReader<Dim>& reader, double time) {
  const std::int64_t last = reader.frames() - 1;
  if (last < 0) throw InputError(reader.file().path(), "holds no frame");
  const double begin = reader.time(0), end = reader.time(last);
  const double apart = last > 0 ? (end - begin) / static_cast<double>(last) : 0;
  const double room = apart + 1e-9 * std::max(std::abs(begin), std::abs(end));
  if (!(time >= begin - room && time <= end + room))
    throw InputError(reader.file().path(), "--at", fmt::format("{:g}", time),
                     fmt::format("{:g} to {:g} s, the times of its frames", begin, end));
  return reader.nearest_frame(time);
}

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
