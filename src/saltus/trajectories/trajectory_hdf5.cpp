#include "saltus/trajectories/trajectory_hdf5.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "saltus/base/hash.hpp"

namespace saltus {

namespace {

Hdf5Handle make_space(std::int64_t count) {
  const hsize_t size = static_cast<hsize_t>(count);
  return {count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose};
}

// `count` < 0: a scalar.
bool write_raw_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                         std::int64_t count, const void* data) {
  if (H5Aexists(object, name) > 0 && H5Adelete(object, name) < 0) return false;
  const Hdf5Handle space = make_space(count);
  const Hdf5Handle attribute(H5Acreate2(object, name, file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  return attribute && (count == 0 || H5Awrite(attribute.id(), memory_type, data) >= 0);
}

Hdf5Handle open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
}

// Texts have no filter and so no checksum of the library: their hash stands beside them.
constexpr const char* kHash = "hash";

std::int64_t hash_of(const std::string& bytes) {
  StateHash hash;
  hash.add(std::string_view(bytes));
  return static_cast<std::int64_t>(hash.value());
}

std::int64_t count_points(const Hdf5Handle& space) { return H5Sget_simple_extent_npoints(space.id()); }

bool write_texts(hid_t file, const std::string& path, const std::vector<std::string>& texts, bool scalar) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string bytes(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(bytes.data() + i * width, width);

  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0 && H5Ldelete(file, path.c_str(), H5P_DEFAULT) < 0)
    return false;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), width);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  const Hdf5Handle space = make_space(scalar ? -1 : static_cast<std::int64_t>(texts.size()));
  const Hdf5Handle dataset(
      H5Dcreate2(file, path.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return dataset && write_attribute(dataset.id(), kHash, hash_of(bytes)) &&
         (texts.empty() ||
          H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

}  // namespace

bool write_attribute(hid_t file, const char* name, std::int64_t value) {
  return write_raw_attribute(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, -1, &value);
}

bool write_attribute(hid_t file, const char* name, const std::vector<double>& values) {
  return write_raw_attribute(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                             static_cast<std::int64_t>(values.size()), values.data());
}

std::optional<std::int64_t> read_integer_attribute(hid_t file, const char* name) {
  const Hdf5Handle attribute = open_attribute(file, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  std::int64_t value = 0;
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_INTEGER || count_points(space) != 1 ||
      H5Aread(attribute.id(), H5T_NATIVE_INT64, &value) < 0)
    return std::nullopt;
  return value;
}

std::optional<std::vector<double>> read_reals_attribute(hid_t file, const char* name) {
  const Hdf5Handle attribute = open_attribute(file, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  constexpr std::int64_t kMost = 64;  // a direction or two: more is not ours
  const std::int64_t count = count_points(space);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_FLOAT || count < 0 || count > kMost) return std::nullopt;
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0) return std::nullopt;
  return values;
}

bool write_text_dataset(hid_t file, const std::string& path, const std::string& text) {
  return write_texts(file, path, {text}, true);
}

bool write_texts_dataset(hid_t file, const std::string& path, const std::vector<std::string>& texts) {
  return write_texts(file, path, texts, false);
}

std::optional<std::vector<std::string>> read_texts_dataset(hid_t file, const std::string& path) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) return std::nullopt;
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose), space(H5Dget_space(dataset.id()), H5Sclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) return std::nullopt;
  const std::int64_t count = count_points(space);
  const std::size_t width = H5Tget_size(type.id());
  const hsize_t stored = H5Dget_storage_size(dataset.id());
  if (count < 0 || width == 0 || (count > 0 && stored / width < static_cast<hsize_t>(count)))
    return std::nullopt;
  std::string bytes(width * static_cast<std::size_t>(count), '\0');
  if (count > 0 && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return std::nullopt;
  if (const auto hash = read_integer_attribute(dataset.id(), kHash); hash && *hash != hash_of(bytes))
    return std::nullopt;
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] = bytes.substr(i * width, width);
    texts[i].resize(std::min(texts[i].find('\0'), width));
  }
  return texts;
}

bool remove_dataset(hid_t file, const char* path) {
  return H5Lexists(file, path, H5P_DEFAULT) <= 0 || H5Ldelete(file, path, H5P_DEFAULT) >= 0;
}

bool write_bytes_dataset(hid_t file, const char* path, const std::function<void(const ByteSink&)>& save) {
  constexpr hsize_t kNone = 0, kUnlimited = H5S_UNLIMITED, kChunk = 1 << 16;
  constexpr unsigned kCompression = 3;
  const Hdf5Handle space(H5Screate_simple(1, &kNone, &kUnlimited), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), 1, &kChunk);
  H5Pset_deflate(creation.id(), kCompression);
  H5Pset_fletcher32(creation.id());
  const Hdf5Handle dataset(
      H5Dcreate2(file, path, H5T_STD_U8LE, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose);
  if (!dataset) return false;
  bool good = true;
  hsize_t written = 0;
  std::vector<std::byte> waiting;
  const auto put = [&](std::span<const std::byte> part) {
    const hsize_t count = part.size(), size = written + count;
    if (!good || count == 0) return;
    good = H5Dset_extent(dataset.id(), &size) >= 0;
    const Hdf5Handle rows(H5Dget_space(dataset.id()), H5Sclose),
        memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    good = good && H5Sselect_hyperslab(rows.id(), H5S_SELECT_SET, &written, nullptr, &count, nullptr) >= 0 &&
           H5Dwrite(dataset.id(), H5T_NATIVE_UINT8, memory.id(), rows.id(), H5P_DEFAULT, part.data()) >= 0;
    written = size;
  };
  // Parts are as small as a number: whole chunks are written.
  save([&](std::span<const std::byte> part) {
    waiting.insert(waiting.end(), part.begin(), part.end());
    if (waiting.size() < kChunk) return;
    put(waiting);
    waiting.clear();
  });
  put(waiting);
  return good;
}

std::optional<std::vector<std::byte>> read_bytes_dataset(hid_t file, const char* path) {
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return std::nullopt;
  const Hdf5Handle dataset(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose);
  if (!dataset) return std::nullopt;
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose), space(H5Dget_space(dataset.id()), H5Sclose);
  const std::int64_t count = count_points(space);
  if (H5Tget_class(type.id()) != H5T_INTEGER || H5Tget_size(type.id()) != 1 || !is_stored(dataset.id()) ||
      !has_all_chunks(dataset.id()))
    return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  if (count > 0 && H5Dread(dataset.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return std::nullopt;
  return bytes;
}

bool is_stored(hid_t dataset) {
  // The best that deflate can do is 1032 to 1: more than that for the bytes stored is a false extent.
  constexpr hsize_t kMaxCompression = 1032;
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const std::int64_t count = count_points(space);
  const hsize_t width = type ? H5Tget_size(type.id()) : 0, stored = H5Dget_storage_size(dataset);
  return count >= 0 && width > 0 && static_cast<hsize_t>(count) / kMaxCompression <= stored / width + 1;
}

namespace {

// Indices of files that we write carry a checksum, which covers the filters that a chunk has passed: only whether the chunk is
// there has to be looked up. The old index carries none, and what tells the filters goes through all chunks for each.
bool has_chunk(hid_t dataset, H5D_chunk_index_t index, const hsize_t* row) {
  hsize_t stored = 0;
  if (index != H5D_CHUNK_IDX_BTREE)
    return H5Dget_chunk_storage_size(dataset, row, &stored) >= 0 && stored > 0;
  unsigned skipped = 0;
  haddr_t address = HADDR_UNDEF;
  return H5Dget_chunk_info_by_coord(dataset, row, &skipped, &address, &stored) >= 0 && address != HADDR_UNDEF &&
         stored > 0 && skipped == 0;
}

}  // namespace

bool has_all_chunks(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose), space(H5Dget_space(dataset), H5Sclose);
  if (!creation || H5Pget_layout(creation.id()) != H5D_CHUNKED) return true;
  hsize_t chunk[2] = {0, 0}, size[2] = {0, 0};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1 || rank > 2 || H5Pget_chunk(creation.id(), rank, chunk) != rank || chunk[0] == 0 ||
      H5Sget_simple_extent_dims(space.id(), size, nullptr) < 0)
    return false;
  H5D_chunk_index_t index = H5D_CHUNK_IDX_BTREE;
  if (H5Dget_chunk_index_type(dataset, &index) < 0) return false;
  for (hsize_t row[2] = {0, 0}; row[0] < size[0]; row[0] += chunk[0])
    if (!has_chunk(dataset, index, row)) return false;
  return true;
}

Hdf5Handle build_enumeration(const std::vector<std::string>& names) {
  Hdf5Handle type(H5Tenum_create(H5T_STD_U8LE), H5Tclose);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const unsigned char value = static_cast<unsigned char>(i);
    H5Tenum_insert(type.id(), names[i].c_str(), &value);
  }
  return type;
}

}  // namespace saltus
