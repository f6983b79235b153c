// The part of a trajectory file that is written once, and its outcome at the end.
#include <fmt/format.h>

#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/trajectory_handles.hpp"
#include "saltus/trajectories/trajectory_hdf5.hpp"

namespace saltus {

namespace {

constexpr const char* kSummaryPath = "/summary";
constexpr const char* kFailurePath = "/failure";
constexpr const char* kStatePath = "/checkpoint";
constexpr const char* kScenePath = "/scene/text";

bool make_group(hid_t file, const char* path) {
  return static_cast<bool>(
      Hdf5Handle(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose));
}

// Coordinates, then velocities, with a space between: no name has one.
std::string join(const SystemNames& names) {
  return fmt::format("{}{}{}", fmt::join(names.coordinates, " "), names.coordinates.empty() ? "" : " ",
                     fmt::join(names.velocities, " "));
}

SystemNames split_names(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  const auto half = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
  return {{words.begin(), half}, {half, words.end()}};
}

std::vector<std::string> join(const std::vector<SystemNames>& all) {
  std::vector<std::string> texts;
  for (const SystemNames& names : all) texts.push_back(join(names));
  return texts;
}

}  // namespace

void TrajectoryFile::write_header(const TrajectoryHeader& header) {
  const hid_t file = handles_->file.id();
  const bool written =
      write_text_dataset(file, "/format", kTrajectoryFormat) &&
      write_attribute(file, "format_version", kTrajectoryVersion) &&
      write_attribute(file, "dimension", header.dimension) && write_attribute(file, "finished", 0) &&
      write_attribute(file, "h", std::vector<double>{header.h}) &&
      write_attribute(file, "gravity", header.gravity) && write_attribute(file, "period", header.period) &&
      write_text_dataset(file, "/program", header.program) && make_group(file, "/scene") &&
      write_text_dataset(file, "/scene/name", header.name) &&
      write_text_dataset(file, "/scene/title", header.title) &&
      write_text_dataset(file, kScenePath, header.scene_text) &&
      write_texts_dataset(file, "/scene/fields", header.fields) &&
      write_texts_dataset(file, "/scene/body_names", header.body_names) &&
      write_texts_dataset(file, "/scene/materials", header.materials) &&
      write_texts_dataset(file, "/scene/system_names", header.system_names) &&
      write_texts_dataset(file, "/scene/coordinate_names", join(header.coordinate_names)) &&
      write_texts_dataset(file, "/scene/joint_names", header.joint_names) &&
      write_texts_dataset(file, "/scene/measures", header.measures) &&
      (!header.has_meshes || write_texts_dataset(file, "/scene/surface_names", header.surface_names));
  if (!written) fail_writing();
}

void TrajectoryFile::read_version() {
  const auto format = read_texts_dataset(handles_->file.id(), "/format");
  if (!format || format->size() != 1 || (*format)[0] != kTrajectoryFormat)
    fail_reading("not a trajectory of saltus (an HDF5 file of another kind)");
  const auto version = read_integer_attribute(handles_->file.id(), "format_version");
  if (!version || *version < 1 || *version > kTrajectoryVersion)
    throw InputError(path_, "format version of the trajectory",
                     version ? fmt::format("{}", *version) : "none",
                     fmt::format("1 to {}", kTrajectoryVersion));
  version_ = static_cast<int>(*version);
  const auto dimension = read_integer_attribute(handles_->file.id(), "dimension");
  if (dimension != 2 && dimension != 3)
    fail_reading("the attribute dimension is neither 2 nor 3 (damaged file?)");
  dimension_ = static_cast<int>(*dimension);
}

std::string TrajectoryFile::read_text(const std::string& path) const {
  const auto texts = read_texts_dataset(handles_->file.id(), path);
  if (!texts || texts->size() != 1) fail_reading(path + " is missing (damaged file?)");
  return (*texts)[0];
}

TrajectoryHeader TrajectoryFile::read_header() const {
  const Hdf5Silence silence;
  TrajectoryHeader header;
  header.dimension = dimension_;
  header.name = read_text("/scene/name"), header.title = read_text("/scene/title");
  header.scene_text = read_text(kScenePath), header.program = read_text("/program");
  const auto fields = read_texts_dataset(handles_->file.id(), "/scene/fields");
  const auto names = read_texts_dataset(handles_->file.id(), "/scene/body_names");
  const auto h = read_reals_attribute(handles_->file.id(), "h");
  const auto gravity = read_reals_attribute(handles_->file.id(), "gravity"),
             period = read_reals_attribute(handles_->file.id(), "period");
  const std::size_t size = static_cast<std::size_t>(dimension_);
  if (!fields || !names || !h || h->size() != 1 || !gravity || gravity->size() != size || !period ||
      period->size() != size)
    fail_reading("its header is not complete (damaged file?)");
  header.fields = *fields, header.body_names = *names;
  header.materials = read_optional_texts("/scene/materials");
  header.measures = read_optional_texts("/scene/measures");
  header.surface_names = read_optional_texts("/scene/surface_names");
  header.has_meshes = rows(Rows::cell) > 0;
  header.system_names = read_optional_texts("/scene/system_names");
  for (const std::string& text : read_optional_texts("/scene/coordinate_names"))
    header.coordinate_names.push_back(split_names(text));
  header.coordinate_names.resize(header.system_names.size());
  header.joint_names = read_optional_texts("/scene/joint_names");
  header.h = (*h)[0], header.gravity = *gravity, header.period = *period;
  return header;
}

void TrajectoryFile::set_outcome(const Outcome& outcome) {
  const Hdf5Silence silence;
  const hid_t file = handles_->file.id();
  if (!write_attribute(file, "finished", outcome.finished ? 1 : 0) ||
      !write_text_dataset(file, kSummaryPath, outcome.summary) || !remove_dataset(file, kFailurePath) ||
      !remove_dataset(file, kStatePath) ||
      (!outcome.failure.empty() && !write_text_dataset(file, kFailurePath, outcome.failure)) ||
      (outcome.save && !write_bytes_dataset(file, kStatePath, outcome.save)))
    fail_writing();
}

void TrajectoryFile::set_scene_text(const std::string& text) {
  const Hdf5Silence silence;
  if (!write_text_dataset(handles_->file.id(), kScenePath, text)) fail_writing();
}

bool TrajectoryFile::is_finished() const {
  const Hdf5Silence silence;
  return read_integer_attribute(handles_->file.id(), "finished") == 1;
}

// What need not be there, but if it is, is whole.
std::vector<std::string> TrajectoryFile::read_optional_texts(const std::string& path) const {
  const Hdf5Silence silence;
  if (H5Lexists(handles_->file.id(), path.c_str(), H5P_DEFAULT) == 0) return {};
  const auto texts = read_texts_dataset(handles_->file.id(), path);
  if (!texts) fail_reading(path + " cannot be read (damaged file?)");
  return *texts;
}

std::string TrajectoryFile::read_summary() const {
  const std::vector<std::string> texts = read_optional_texts(kSummaryPath);
  return texts.empty() ? "" : texts[0];
}

std::string TrajectoryFile::read_failure() const {
  const std::vector<std::string> texts = read_optional_texts(kFailurePath);
  return texts.empty() ? "" : texts[0];
}

std::vector<std::byte> TrajectoryFile::read_state() const {
  const Hdf5Silence silence;
  if (H5Lexists(handles_->file.id(), kStatePath, H5P_DEFAULT) == 0) return {};
  auto bytes = read_bytes_dataset(handles_->file.id(), kStatePath);
  if (!bytes) fail_reading(std::string(kStatePath) + " cannot be read (damaged file?)");
  return std::move(*bytes);
}

}  // namespace saltus
