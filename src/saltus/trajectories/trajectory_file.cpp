#include "saltus/trajectories/trajectory_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/schemes/step_report.hpp"
#include "saltus/trajectories/trajectory_handles.hpp"
#include "saltus/trajectories/trajectory_hdf5.hpp"
#include "saltus/trajectories/trajectory_shapes.hpp"

namespace saltus {

namespace {

using Storage = TrajectoryColumn::Storage;

constexpr std::int64_t kChunkBytes = 1 << 16;  // large enough to compress well, small enough to skip
constexpr std::int64_t kFrameChunkRows = 256;  // one number per frame: keeps short runs small
constexpr unsigned kCompression = 3;           // beyond, deflate costs more and gains little on doubles
constexpr std::size_t kCacheBytes = 4 * kChunkBytes;

template <class Enum>
std::vector<std::string> names_up_to(Enum last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) names.emplace_back(name(static_cast<Enum>(i)));
  return names;
}

Hdf5Handle file_type(Storage storage) {
  switch (storage) {
    case Storage::real: return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case Storage::single: return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    case Storage::unsigned64: return {H5Tcopy(H5T_STD_U64LE), H5Tclose};
    case Storage::flag: return {H5Tcopy(H5T_STD_U8LE), H5Tclose};
    case Storage::shape_kind: return build_enumeration(shape_kind_names());
    case Storage::contact_status: return build_enumeration(names_up_to(ContactStatus::slide));
    case Storage::step_status: return build_enumeration(names_up_to(StepStatus::not_finite));
    case Storage::integer: break;
  }
  return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
}

// Numbers are 8 bytes in memory. Enumerations are written from bytes of their own type, see pack_bytes.
hid_t memory_type(Storage storage) {
  switch (storage) {
    case Storage::real:
    case Storage::single: return H5T_NATIVE_DOUBLE;
    case Storage::unsigned64: return H5T_NATIVE_UINT64;
    default: return H5T_NATIVE_INT64;
  }
}

bool is_enumeration(Storage storage) {
  return storage == Storage::shape_kind || storage == Storage::contact_status ||
         storage == Storage::step_status;
}

// Readers may open the file of a run that is going on: no locks. Since HDF5 1.8 the library puts checksums on
// the metadata of files, so that damage there is refused and not interpreted. A file made by the rules
// of 1.10 would also be marked while it is written, and those who look at a run could not open it.
Hdf5Handle access_properties() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  H5Pset_file_locking(access.id(), false, true);
  return access;
}

Hdf5Handle column_access() {
  Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.id(), 101, kCacheBytes, H5D_CHUNK_CACHE_W0_DEFAULT);
  return access;
}

int rank(const TrajectoryColumn& column, int dimension) { return column.width(dimension) == 1 ? 1 : 2; }

// Selects rows [begin, begin + count) of the dataset.
Hdf5Handle select_rows(hid_t dataset, std::int64_t begin, std::int64_t count, int width) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const hsize_t start[2] = {static_cast<hsize_t>(begin), 0};
  const hsize_t size[2] = {static_cast<hsize_t>(count), static_cast<hsize_t>(width)};
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start, nullptr, size, nullptr) < 0) return {};
  return space;
}

Hdf5Handle memory_space(std::int64_t count, int width) {
  const hsize_t size = static_cast<hsize_t>(count * width);
  return {H5Screate_simple(1, &size, nullptr), H5Sclose};
}

}  // namespace

TrajectoryFile::TrajectoryFile(std::string path)
    : path_(std::move(path)), handles_(std::make_unique<Handles>()) {}
TrajectoryFile::TrajectoryFile(TrajectoryFile&&) noexcept = default;
TrajectoryFile& TrajectoryFile::operator=(TrajectoryFile&&) noexcept = default;
TrajectoryFile::~TrajectoryFile() {
  // After a failure the library cannot close either; that it failed has been told already.
  const Hdf5Silence silence;
  handles_.reset();
}

void TrajectoryFile::fail_writing() const {
  // HDF5 does not pass errno on in its return values, but it leaves it alone on the way up.
  const int error = errno;
  throw OutputError(path_,
                    error ? std::generic_category().message(error) : "the HDF5 library failed (disk full?)");
}

// A run exchanges its two files and then writes on in the one that was left (trajectories/trajectory_writer.hpp).
void TrajectoryFile::fail_reading(const std::string& what) const {
  struct stat now {};
  const std::string& name = handles_->opened;
  if (!name.empty() && ::stat(name.c_str(), &now) == 0 && now.st_ino != handles_->node)
    throw InputError(path_, "the run that writes this file went on while it was read: try again");
  throw InputError(path_, what);
}

bool TrajectoryFile::has(const TrajectoryColumn& column) const {
  return static_cast<bool>(
      handles_->columns[static_cast<std::size_t>(&column - trajectory_columns().data())]);
}

TrajectoryFile TrajectoryFile::create(const std::string& path, const TrajectoryHeader& header,
                                      const std::string& shown) {
  leave_no_exit_handler();
  const Hdf5Silence silence;
  TrajectoryFile made(shown.empty() ? path : shown);
  made.dimension_ = header.dimension;
  const Hdf5Handle access = access_properties();
  errno = 0;
  made.handles_->file =
      Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  if (!made.handles_->file) made.fail_writing();
  // The file is made; its datasets are by the rules of 1.10: since then the index of chunks has checksums
  // too.
  if (H5Fset_libver_bounds(made.handles_->file.id(), H5F_LIBVER_V110, H5F_LIBVER_V110) < 0)
    made.fail_writing();
  made.write_header(header);
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  made.handles_->columns.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_chosen(all[i], header.fields) && (header.has_meshes || !all[i].of_meshes)) made.create_column(i);
  made.flush();
  return made;
}

void TrajectoryFile::create_column(std::size_t index) {
  const TrajectoryColumn& column = trajectory_columns()[index];
  const int width = column.width(dimension_);
  const hsize_t none[2] = {0, static_cast<hsize_t>(width)};
  const hsize_t most[2] = {H5S_UNLIMITED, static_cast<hsize_t>(width)};
  const std::int64_t fitting =
      std::max<std::int64_t>(1, kChunkBytes / static_cast<std::int64_t>(sizeof(double)) / width);
  const hsize_t chunk[2] = {static_cast<hsize_t>(column.rows == Rows::frame ? kFrameChunkRows : fitting),
                            static_cast<hsize_t>(width)};
  const int dimensions = rank(column, dimension_);
  const Hdf5Handle space(H5Screate_simple(dimensions, none, most), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
      link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), dimensions, chunk);
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), kCompression);
  H5Pset_fletcher32(creation.id());
  H5Pset_create_intermediate_group(link.id(), 1);
  const Hdf5Handle access = column_access(), type = file_type(column.storage);
  handles_->columns[index] = Hdf5Handle(H5Dcreate2(handles_->file.id(), column.path, type.id(), space.id(),
                                                   link.id(), creation.id(), access.id()),
                                        H5Dclose);
  if (!handles_->columns[index]) fail_writing();
}

TrajectoryFile TrajectoryFile::open(const std::string& path, Mode mode, const std::string& shown) {
  leave_no_exit_handler();
  const Hdf5Silence silence;
  TrajectoryFile opened(shown.empty() ? path : shown);
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    opened.fail_reading(error ? error.message() : "there is no such file");
  if (!std::filesystem::is_regular_file(path, error))
    opened.fail_reading("not a trajectory: not a regular file");
  struct stat file {};
  if (mode == Mode::read && ::stat(path.c_str(), &file) == 0)
    opened.handles_->opened = path, opened.handles_->node = file.st_ino;
  const Hdf5Handle access = access_properties();
  const unsigned flags = mode == Mode::write ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
  opened.handles_->file = Hdf5Handle(H5Fopen(path.c_str(), flags, access.id()), H5Fclose);
  if (!opened.handles_->file) opened.fail_reading("not a trajectory: the HDF5 library cannot open it");
  opened.read_version();
  opened.open_columns();
  opened.check_fields();
  return opened;
}

void TrajectoryFile::open_columns() {
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  handles_->columns.resize(all.size());
  std::array<bool, kRowKinds> counted{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string path = all[i].path;
    // Negative: the library cannot tell, because what it reads for it is damaged.
    const htri_t group =
        H5Lexists(handles_->file.id(), path.substr(0, path.find('/', 1)).c_str(), H5P_DEFAULT);
    const htri_t found = group > 0 ? H5Lexists(handles_->file.id(), path.c_str(), H5P_DEFAULT) : group;
    if (found < 0) fail_reading(path + " cannot be looked for (damaged file?)");
    const bool exists = found > 0;
    if (!exists && !*all[i].field && all[i].since <= version_)
      fail_reading(path + " is missing: not a trajectory, or a damaged one");
    if (!exists) continue;
    const Hdf5Handle access = column_access();
    handles_->columns[i] = Hdf5Handle(H5Dopen2(handles_->file.id(), all[i].path, access.id()), H5Dclose);
    if (!handles_->columns[i]) fail_reading(path + " cannot be opened (damaged file?)");
    const Hdf5Handle space(H5Dget_space(handles_->columns[i].id()), H5Sclose);
    hsize_t size[2] = {0, 1};
    const int width = all[i].width(dimension_);
    if (H5Sget_simple_extent_ndims(space.id()) != rank(all[i], dimension_) ||
        H5Sget_simple_extent_dims(space.id(), size, nullptr) < 0 || size[1] != static_cast<hsize_t>(width))
      fail_reading(fmt::format("{} does not have {} numbers per row (damaged file?)", path, width));
    if (!is_stored(handles_->columns[i].id()) || !has_all_chunks(handles_->columns[i].id()))
      fail_reading(fmt::format("{} announces more rows than are stored (damaged file?)", path));
    const std::size_t kind = static_cast<std::size_t>(all[i].rows);
    if (!counted[kind]) rows_[kind] = static_cast<std::int64_t>(size[0]);
    counted[kind] = true;
    if (rows_[kind] != static_cast<std::int64_t>(size[0]))
      fail_reading(fmt::format("{} has {} rows where {} belong (damaged file?)", path, size[0], rows_[kind]));
  }
}

// The fields that the header announces are there. One is there with all its columns or not at all, and what
// contacts there are have their bodies.
void TrajectoryFile::check_fields() const {
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  const std::vector<std::string> announced = read_header().fields;
  const bool has_meshes = std::any_of(all.begin(), all.end(), [this](const TrajectoryColumn& column) {
    return column.of_meshes && has(column);
  });
  for (const TrajectoryColumn& column : all) {
    const bool is_later = column.of_meshes ? !has_meshes : column.since > version_;
    if (has(column) || is_later) continue;
    if (is_chosen(column, announced))
      fail_reading(fmt::format("{} is announced and missing (a damaged file, or one of another version)",
                               column.path));
    for (const TrajectoryColumn& other : all) {
      const bool together = std::string(column.field) == other.field;
      const bool needed = std::string(column.field) == "contacts" && other.rows == Rows::contact;
      if (has(other) && (together || needed))
        fail_reading(fmt::format("{} is missing beside {} (a damaged file, or one of another version)",
                                 column.path, other.path));
    }
  }
}

void TrajectoryFile::append(const TrajectoryData& data) {
  const Hdf5Silence silence;
  errno = 0;
  std::array<std::int64_t, kRowKinds> added{};
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!handles_->columns[i]) continue;
    const int width = all[i].width(dimension_);
    const std::size_t kind = static_cast<std::size_t>(all[i].rows);
    const auto write = [&](const auto& values) {
      const std::int64_t count = static_cast<std::int64_t>(values.size()) / width;
      added[kind] = count;
      if (count == 0) return;
      const hsize_t size[2] = {static_cast<hsize_t>(rows_[kind] + count), static_cast<hsize_t>(width)};
      if (H5Dset_extent(handles_->columns[i].id(), size) < 0) fail_writing();
      const Hdf5Handle rows = select_rows(handles_->columns[i].id(), rows_[kind], count, width);
      const Hdf5Handle memory = memory_space(count, width);
      const void* source = values.data();
      Hdf5Handle type(H5Tcopy(memory_type(all[i].storage)), H5Tclose);
      if (is_enumeration(all[i].storage)) {
        bytes.assign(values.size(), 0);
        std::transform(values.begin(), values.end(), bytes.begin(),
                       [](auto v) { return static_cast<unsigned char>(v); });
        source = bytes.data();
        type = file_type(all[i].storage);
      }
      if (!rows ||
          H5Dwrite(handles_->columns[i].id(), type.id(), memory.id(), rows.id(), H5P_DEFAULT, source) < 0)
        fail_writing();
    };
    std::visit([&](auto member) { write(data.*member); }, all[i].data);
  }
  for (std::size_t kind = 0; kind < kRowKinds; ++kind) rows_[kind] += added[kind];
}

void TrajectoryFile::truncate(std::int64_t frames, std::int64_t step) {
  const Hdf5Silence silence;
  errno = 0;
  std::array<std::int64_t, kRowKinds> kept = rows_;
  if (frames < this->frames()) {
    TrajectoryData first;
    read(Rows::frame, frames, 1, first);
    kept[static_cast<std::size_t>(Rows::frame)] = frames;
    kept[static_cast<std::size_t>(Rows::body)] = first.body_begin[0];
    kept[static_cast<std::size_t>(Rows::contact)] = first.contact_begin[0];
    if (!first.coordinate_begin.empty()) {
      kept[static_cast<std::size_t>(Rows::coordinate)] = first.coordinate_begin[0];
      kept[static_cast<std::size_t>(Rows::joint)] = first.joint_begin[0];
    }
    if (!first.node_begin.empty()) {
      kept[static_cast<std::size_t>(Rows::node_value)] = first.node_begin[0];
      kept[static_cast<std::size_t>(Rows::cell_value)] = first.cell_begin[0];
    }
  }
  if (rows(Rows::measure) > 0) {
    TrajectoryData measured;
    read(Rows::measure, 0, rows(Rows::measure), measured);
    const auto& steps = measured.measure_step;
    const std::int64_t width = rows(Rows::measure_value) / rows(Rows::measure);
    const std::int64_t before = std::upper_bound(steps.begin(), steps.end(), step) - steps.begin();
    kept[static_cast<std::size_t>(Rows::measure)] = before;
    kept[static_cast<std::size_t>(Rows::measure_value)] = before * width;
  }
  if (kept == rows_) return;
  for (std::size_t kind = 0; kind < kRowKinds; ++kind)
    if (kept[kind] < 0 || kept[kind] > rows_[kind])
      fail_reading("a frame begins after the end of its rows (damaged file?)");
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!handles_->columns[i]) continue;
    const hsize_t size[2] = {static_cast<hsize_t>(kept[static_cast<std::size_t>(all[i].rows)]),
                             static_cast<hsize_t>(all[i].width(dimension_))};
    if (H5Dset_extent(handles_->columns[i].id(), size) < 0) fail_writing();
  }
  rows_ = kept;
}

void TrajectoryFile::flush() {
  const Hdf5Silence silence;
  errno = 0;
  if (H5Fflush(handles_->file.id(), H5F_SCOPE_GLOBAL) < 0) fail_writing();
  int* descriptor = nullptr;
  if (H5Fget_vfd_handle(handles_->file.id(), H5P_DEFAULT, reinterpret_cast<void**>(&descriptor)) >= 0 &&
      ::fdatasync(*descriptor) != 0)
    fail_writing();
}

void TrajectoryFile::close() {
  const Hdf5Silence silence;
  errno = 0;
  handles_->columns.clear();
  if (handles_->file && !handles_->file.close()) fail_writing();
}

void TrajectoryFile::read(Rows kind, std::int64_t begin, std::int64_t count, TrajectoryData& data) const {
  const Hdf5Silence silence;
  if (begin < 0 || count < 0 || begin > rows(kind) || count > rows(kind) - begin)
    fail_reading(
        fmt::format("rows {} to {} of {} were asked for (damaged file?)", begin, begin + count, rows(kind)));
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!handles_->columns[i] || all[i].rows != kind || count == 0) continue;
    const int width = all[i].width(dimension_);
    const Hdf5Handle selected = select_rows(handles_->columns[i].id(), begin, count, width);
    const Hdf5Handle memory = memory_space(count, width);
    const auto read_into = [&](auto& values) {
      const std::size_t before = values.size(), added = static_cast<std::size_t>(count * width);
      values.resize(before + added);
      const bool enumeration = is_enumeration(all[i].storage);
      bytes.resize(enumeration ? added : 0);
      const Hdf5Handle type = enumeration ? file_type(all[i].storage)
                                          : Hdf5Handle(H5Tcopy(memory_type(all[i].storage)), H5Tclose);
      void* target = enumeration ? static_cast<void*>(bytes.data()) : values.data() + before;
      if (!selected ||
          H5Dread(handles_->columns[i].id(), type.id(), memory.id(), selected.id(), H5P_DEFAULT, target) < 0)
        fail_reading(fmt::format("{} cannot be read (damaged file?)", all[i].path));
      std::copy(bytes.begin(), bytes.end(), values.begin() + static_cast<std::ptrdiff_t>(before));
    };
    std::visit([&](auto member) { read_into(data.*member); }, all[i].data);
  }
}

}  // namespace saltus
