// States that are kept, files of them, copies, and recordings.
#include <fmt/format.h>

#include <cmath>

#include "driver_of.hpp"
#include "problems.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/checkpoint_file.hpp"

namespace saltus::bindings {

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// Rows of measures go behind what measures remember: their number, then step, time and values of each.
std::vector<double> pack(const MeasuredState& m) {
  std::vector<double> numbers{static_cast<double>(m.steps.size()), static_cast<double>(m.memory.size())};
  numbers.insert(numbers.end(), m.memory.begin(), m.memory.end());
  for (const std::int64_t step : m.steps) numbers.push_back(static_cast<double>(step));
  numbers.insert(numbers.end(), m.times.begin(), m.times.end());
  numbers.insert(numbers.end(), m.values.begin(), m.values.end());
  return numbers;
}

// A checkpoint of `saltus run` has the memory alone; its rows are in the trajectory.
MeasuredState unpack(const std::vector<double>& numbers, std::size_t width, bool packed) {
  MeasuredState m;
  if (!packed) return {numbers, {}, {}, {}};
  const auto count = [&](std::size_t i) {
    return i < numbers.size() && numbers[i] >= 0 && numbers[i] < 1e15 ? static_cast<std::size_t>(numbers[i])
                                                                      : 0;
  };
  const std::size_t rows = count(0), memory = count(1);
  if (numbers.size() != 2 + memory + rows * (2 + width))
    throw InputError("", "the saved state is damaged: its measures do not fit the scene");
  auto at = numbers.begin() + 2;
  m.memory.assign(at, at + static_cast<std::ptrdiff_t>(memory));
  at += static_cast<std::ptrdiff_t>(memory);
  for (std::size_t i = 0; i < rows; ++i) m.steps.push_back(static_cast<std::int64_t>(*at++));
  m.times.assign(at, at + static_cast<std::ptrdiff_t>(rows));
  m.values.assign(at + static_cast<std::ptrdiff_t>(rows), numbers.end());
  return m;
}

constexpr double kPacked = -1;  // output_seconds of a checkpoint that Python wrote

}  // namespace

template <int Dim>
SavedState DriverOf<Dim>::save() const {
  SavedState saved;
  use().save([&](std::span<const std::byte> part) {
    saved.state.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  saved.measured = measured_.save();
  saved.steps = simulation_.steps();
  saved.time = simulation_.time();
  return saved;
}

template <int Dim>
void DriverOf<Dim>::refuse_recording() const {
  if (recording_)
    throw InputError("", "a state is restored while a trajectory is recorded", {},
                     "after the recording is closed");
}

template <int Dim>
void DriverOf<Dim>::restore(const SavedState& saved) {
  use();
  refuse_recording();
  if (saved.measured.values.size() != saved.measured.steps.size() * measured_.columns().size())
    throw InputError("", "the saved state has measures that do not fit the scene");
  const MeasuredState before = measured_.save();
  measured_.restore(saved.measured, simulation_);
  try {
    simulation_.restore(bytes_of(saved.state));
  } catch (...) {  // all of it, or nothing
    measured_.restore(before, simulation_);
    throw;
  }
  report_ = {};
  report_.step = simulation_.steps();
  report_.time = simulation_.time();
  failure_.clear();
  arrays_.refresh(simulation_);
}

template <int Dim>
void DriverOf<Dim>::save_file(const std::string& path) const {
  CheckpointHeader header;
  header.scene_text = (use(), scene_text_);
  header.measures = pack(measured_.save());
  header.output_seconds = kPacked;
  write_checkpoint(path, header, [&](const ByteSink& sink) { simulation_.save(sink); });
}

template <int Dim>
void DriverOf<Dim>::restore_file(const std::string& path) {
  use();
  refuse_recording();
  const std::optional<Checkpoint> checkpoint = read_checkpoint(path);
  if (!checkpoint) throw InputError(path, "no such checkpoint");
  SavedState saved;
  saved.state.assign(reinterpret_cast<const char*>(checkpoint->state.data()), checkpoint->state.size());
  try {
    saved.measured =
        unpack(checkpoint->measures, measured_.columns().size(), checkpoint->output_seconds == kPacked);
    restore(saved);
  } catch (const InputError& error) {
    throw InputError(path, error.what());
  }
}

template <int Dim>
std::unique_ptr<Driver> DriverOf<Dim>::copy() const {
  return std::unique_ptr<Driver>(new DriverOf(use().copy(), *this));
}

template <int Dim>
py::object DriverOf<Dim>::contact_problem() const {
  Problem problem;
  problem.problem = use().build_contact_problem();
  return py::cast(std::move(problem));
}

template <int Dim>
void DriverOf<Dim>::record(const std::string& path, double every, bool force) {
  use();
  if (!(every >= 0) || std::isinf(every))
    throw InputError("", "seconds between frames", fmt::format("{}", every), "a finite number, 0 or more");
  if (recording_) throw InputError(path, "a second recording of one simulation", {}, "one at a time");
  recording_ =
      std::make_unique<Recording<Dim>>(simulation_, scene_text_, measured_.columns(), path, every, force);
}

template <int Dim>
std::int64_t DriverOf<Dim>::finish_record() {
  use();
  if (!recording_) return 0;
  const std::unique_ptr<Recording<Dim>> done = std::move(recording_);
  return done->finish(simulation_, measured_, failure_);
}

template SavedState DriverOf<2>::save() const;
template SavedState DriverOf<3>::save() const;
template void DriverOf<2>::refuse_recording() const;
template void DriverOf<3>::refuse_recording() const;
template void DriverOf<2>::restore(const SavedState&);
template void DriverOf<3>::restore(const SavedState&);
template void DriverOf<2>::save_file(const std::string&) const;
template void DriverOf<3>::save_file(const std::string&) const;
template void DriverOf<2>::restore_file(const std::string&);
template void DriverOf<3>::restore_file(const std::string&);
template std::unique_ptr<Driver> DriverOf<2>::copy() const;
template std::unique_ptr<Driver> DriverOf<3>::copy() const;
template py::object DriverOf<2>::contact_problem() const;
template py::object DriverOf<3>::contact_problem() const;
template void DriverOf<2>::record(const std::string&, double, bool);
template void DriverOf<3>::record(const std::string&, double, bool);
template std::int64_t DriverOf<2>::finish_record();
template std::int64_t DriverOf<3>::finish_record();

}  // namespace saltus::bindings
