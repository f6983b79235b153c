#include "saltus/trajectories/trajectory_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/trajectory_files.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kMostPending = 8 << 20;  // bytes that may wait in memory
constexpr double kInterval = 1;                 // s, and
constexpr double kFlushCostFactor = 20;         // times the last cost: a flush takes at most 5 % of a run

bool is_empty(const TrajectoryData& data) { return data.frames() == 0 && data.measure_step.empty(); }

std::string next_path(const std::string& path) { return path + ".next"; }

}  // namespace

TrajectoryWriter::TrajectoryWriter(TrajectoryFile front, TrajectoryFile back)
    : path_(front.path()),
      next_(next_path(path_)),
      front_(std::move(front)),
      back_(std::move(back)),
      last_flush_(seconds(Clock::wall)) {}

TrajectoryWriter TrajectoryWriter::create(const std::string& path, const TrajectoryHeader& header) {
  const std::string next = next_path(path);
  try {
    TrajectoryFile::create(next, header, path).close();
  } catch (const OutputError&) {
    std::remove(next.c_str());
    throw;
  }
  if (std::rename(next.c_str(), path.c_str()) != 0) {
    remove_file(next);
    throw OutputError(path, "a file cannot be put in this place");
  }
  copy_file(path, next);
  return {TrajectoryFile::open(path, TrajectoryFile::Mode::write),
          TrajectoryFile::open(next, TrajectoryFile::Mode::write, path)};
}

TrajectoryWriter TrajectoryWriter::resume(const std::string& path, std::int64_t frames, std::int64_t step,
                                          const std::string& scene_text) {
  const std::string next = next_path(path);
  TrajectoryFile front = TrajectoryFile::open(path, TrajectoryFile::Mode::write);
  if (front.frames() < frames)
    throw InputError(path, "has fewer frames than its checkpoint", fmt::format("{}", front.frames()),
                     fmt::format("{} or more", frames));
  copy_file(path, next);
  TrajectoryWriter writer(std::move(front), TrajectoryFile::open(next, TrajectoryFile::Mode::write, path));
  for (int twin = 0; twin < 2; ++twin) {
    writer.back_->truncate(frames, step);
    writer.back_->set_scene_text(scene_text);
    writer.back_->set_outcome({});
    writer.back_->flush();
    writer.publish();
  }
  return writer;
}

TrajectoryWriter::~TrajectoryWriter() {
  if (!back_) return;
  back_.reset();
  std::remove(next_.c_str());
}

void TrajectoryWriter::add(const TrajectoryData& rows) { append(rows, pending_); }

void TrajectoryWriter::add(TrajectoryData&& rows) {
  if (byte_count(pending_) == 0)
    std::swap(rows, pending_);
  else
    append(rows, pending_);
  if (byte_count(pending_) < kMostPending) return;
  update_back();
  lag_ = pending_ = {};
  spilled_ = true;
}

bool TrajectoryWriter::is_due() const {
  if (spilled_) return true;
  if (is_empty(pending_)) return false;
  return seconds(Clock::wall) - last_flush_ >= std::max(kInterval, kFlushCostFactor * last_cost_);
}

void TrajectoryWriter::update_back() {
  back_->append(lag_);
  back_->append(pending_);
}

void TrajectoryWriter::copy_to_back() {
  constexpr std::int64_t kRows = 1 << 14;  // at a time
  TrajectoryData rows;
  for (int i = 0; i < kRowKinds; ++i) {
    const Rows kind = static_cast<Rows>(i);
    while (back_->rows(kind) < front_->rows(kind)) {
      const std::int64_t begin = back_->rows(kind);
      clear(rows);
      front_->read(kind, begin, std::min(kRows, front_->rows(kind) - begin), rows);
      back_->append(rows);
    }
  }
}

void TrajectoryWriter::publish() {
  exchange_files(path_, next_);
  std::swap(front_, back_);
}

void TrajectoryWriter::flush() {
  if (is_empty(pending_) && !spilled_) return;
  const Stopwatch wall(Clock::wall);
  update_back();
  back_->flush();
  publish();
  std::swap(lag_, pending_);
  clear(pending_);
  if (spilled_) {
    clear(lag_);
    copy_to_back();
    spilled_ = false;
  }
  last_cost_ = wall.seconds();
  last_flush_ = seconds(Clock::wall);
}

void TrajectoryWriter::finish(const TrajectoryFile::Outcome& outcome) {
  update_back();
  back_->set_outcome(outcome);
  back_->flush();
  // Closed before it gets its name: closing may still write.
  back_->close();
  exchange_files(path_, next_);
  back_.reset();
  front_->close();
  remove_file(next_);
}

void refuse_foreign_files(const std::string& path) {
  // What each begins with. A run that was killed may have left the beginning of it only.
  const std::pair<const char*, std::string> own[] = {{".next", "\x89HDF"},
                                                     {".old", "\x89HDF"},
                                                     {".checkpoint", "saltusc"},
                                                     {".checkpoint.part", "saltusc"},
                                                     {".lock", ""}};
  for (const auto& [ending, start] : own) {
    const std::string beside = path + ending;
    std::error_code error;
    const auto status = std::filesystem::symlink_status(beside, error);
    if (!std::filesystem::exists(status)) continue;
    bool is_own = std::filesystem::is_regular_file(status);
    if (is_own) {
      std::ifstream stream(beside, std::ios::binary);
      std::string head(std::max<std::size_t>(start.size(), 1), '\0');
      stream.read(head.data(), static_cast<std::streamsize>(head.size()));
      head.resize(static_cast<std::size_t>(stream.gcount()));
      is_own = head.size() <= start.size() && start.starts_with(head);
    }
    if (!is_own)
      throw InputError(beside, "is none of the files that runs leave, and this run would write there", {},
                       "another place for it, or another --out");
  }
}

}  // namespace saltus
