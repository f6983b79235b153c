#include "saltus/io/trajectory_hdf5.hpp"

#include <algorithm>

namespace saltus {

namespace {

Hdf5Handle make_space(std::int64_t count) {
  const hsize_t size = static_cast<hsize_t>(count);
  return {count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose};
}

// `count` < 0: a scalar.
bool write_raw_attribute(hid_t file, const char* name, hid_t file_type, hid_t memory_type, std::int64_t count,
                         const void* data) {
  if (H5Aexists(file, name) > 0 && H5Adelete(file, name) < 0) return false;
  const Hdf5Handle space = make_space(count);
  const Hdf5Handle attribute(H5Acreate2(file, name, file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  return attribute && (count == 0 || H5Awrite(attribute.id(), memory_type, data) >= 0);
}

Hdf5Handle open_attribute(hid_t file, const char* name) {
  if (H5Aexists(file, name) <= 0) return {};
  return {H5Aopen(file, name, H5P_DEFAULT), H5Aclose};
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
  return dataset && (texts.empty() ||
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
  if (count_points(space) != 1 || H5Aread(attribute.id(), H5T_NATIVE_INT64, &value) < 0) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> read_reals_attribute(hid_t file, const char* name) {
  const Hdf5Handle attribute = open_attribute(file, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  constexpr std::int64_t kMost = 64;  // a direction or two: more is not ours
  const std::int64_t count = count_points(space);
  if (count < 0 || count > kMost) return std::nullopt;
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
  if (count < 0 || (count > 0 && stored / width < static_cast<hsize_t>(count))) return std::nullopt;
  std::string bytes(width * static_cast<std::size_t>(count), '\0');
  if (count > 0 && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return std::nullopt;
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] = bytes.substr(i * width, width);
    texts[i].resize(std::min(texts[i].find('\0'), width));
  }
  return texts;
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
