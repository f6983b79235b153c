// The complete state of a run in a file beside its trajectory (PATH.checkpoint), from which `--resume` goes
// on to the same bits. Replaced as a whole, with a checksum: it is there and right, or it is not there. A
// finished trajectory holds its last state in itself (/checkpoint), so that a run can go on beyond its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/trajectories/trajectory_capture.hpp"

namespace saltus {

// What a run knows besides the state of its simulation.
struct CheckpointHeader {
  std::int64_t frames = 0;    // of the trajectory that belong to the state; later ones are written again
  double output_seconds = 0;  // CPU time spent on output so far
  FrameFigures figures;       // of the steps since the last frame
  std::string scene_text;
  std::vector<double> measures;  // what measures remember (Measurer::memory)
};
struct Checkpoint : CheckpointHeader {
  std::vector<std::byte> state;  // Simulation::save
};

std::string checkpoint_path(const std::string& trajectory_path);

// `save` gives the state, part by part.
void encode_checkpoint(const CheckpointHeader& header, const std::function<void(const ByteSink&)>& save,
                       const ByteSink& sink);
// Throws InputError, opened by `where`, when the bytes are not a whole checkpoint of this version: what to do.
Checkpoint decode_checkpoint(std::span<const std::byte> bytes, const std::string& where);

// The same in a file. Throws OutputError.
void write_checkpoint(const std::string& path, const CheckpointHeader& header,
                      const std::function<void(const ByteSink&)>& save);

// None when there is no such file. Throws InputError.
std::optional<Checkpoint> read_checkpoint(const std::string& path);

}  // namespace saltus
