#include "saltus/files/hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// The best that deflate can do is 1032 to 1: more numbers than that for the bytes stored are
// a false extent, not data.
constexpr std::int64_t kMaxCompression = 1032;
constexpr std::size_t kMaxTextLength = 1 << 20;

const char* name_class(H5T_class_t kind) {
  switch (kind) {
    case H5T_INTEGER: return "integers";
    case H5T_FLOAT: return "reals";
    case H5T_STRING: return "text";
    case H5T_COMPOUND: return "a compound type";
    case H5T_REFERENCE: return "references";
    case H5T_ENUM: return "an enumeration";
    case H5T_VLEN: return "lists of variable length";
    case H5T_ARRAY: return "arrays";
    default: return "an opaque type";
  }
}

Hdf5Handle access_properties() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  return access;
}

}  // namespace

Hdf5Reader Hdf5Reader::open_file(const std::string& path) {
  leave_no_exit_handler();  // a command that reads may write, too
  const Hdf5Silence silence;
  Hdf5Reader reader(path);
  const Hdf5Handle access = access_properties();
  reader.file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!reader.file_) reader.fail("the HDF5 library cannot open this file (damaged?)");
  return reader;
}

Hdf5Reader Hdf5Reader::open_image(std::string_view bytes, const std::string& where) {
  const Hdf5Silence silence;
  Hdf5Reader reader(where);
  const Hdf5Handle access = access_properties();
  constexpr std::size_t kGrowth = 1 << 16;
  H5Pset_fapl_core(access.id(), kGrowth, false);
  if (bytes.empty() || H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size()) < 0)
    reader.fail("not an HDF5 image");
  reader.file_ = Hdf5Handle(H5Fopen("saltus_image", H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!reader.file_) reader.fail("the HDF5 library cannot open this file (damaged?)");
  return reader;
}

void Hdf5Reader::fail(const std::string& what, const std::string& value, const std::string& allowed) const {
  throw InputError(where_, what, value, allowed);
}

// Every component of a path is looked at before it is opened: H5Lexists wants its parents to
// exist, and links that leave the file are refused.
bool Hdf5Reader::has(const std::string& path) const {
  const Hdf5Silence silence;
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    H5L_info_t link;
    if (H5Lexists(file_.id(), part.c_str(), H5P_DEFAULT) <= 0 ||
        H5Lget_info(file_.id(), part.c_str(), &link, H5P_DEFAULT) < 0)
      return false;
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
      fail(part + " is a link out of this file", {}, "an object of this file");
    if (H5Oexists_by_name(file_.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
    const Hdf5Handle object(H5Oopen(file_.id(), part.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object || H5Iget_type(object.id()) != H5I_GROUP) return false;
  }
}

Hdf5Handle Hdf5Reader::open_object(const std::string& path) const {
  if (!has(path)) fail(path + " is missing");
  Hdf5Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) fail(path + " cannot be opened (damaged file?)");
  return object;
}

bool Hdf5Reader::has_group(const std::string& path) const {
  const Hdf5Silence silence;
  if (!has(path)) return false;
  const Hdf5Handle object = open_object(path);
  if (H5Iget_type(object.id()) != H5I_GROUP) fail(path, "a dataset", "a group");
  return true;
}

void Hdf5Reader::require_group(const std::string& path) const {
  if (!has_group(path)) fail(path + " is missing");
}

Hdf5Handle Hdf5Reader::open_dataset(const std::string& path) const {
  Hdf5Handle object = open_object(path);
  if (H5Iget_type(object.id()) != H5I_DATASET)
    fail(path, H5Iget_type(object.id()) == H5I_GROUP ? "a group" : "a named type", "a dataset");
  const Hdf5Handle creation(H5Dget_create_plist(object.id()), H5Pclose);
  if (!creation) fail(path + " cannot be opened (damaged file?)");
  if (H5Pget_external_count(creation.id()) != 0 || H5Pget_layout(creation.id()) == H5D_VIRTUAL)
    fail(path + " is stored outside this file", {}, "data within this file");
  return object;
}

std::int64_t Hdf5Reader::check_extent(const Hdf5Handle& dataset, const std::string& path) const {
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (!space || !type) fail(path + " cannot be read (damaged file?)");
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank > 1) fail(path, fmt::format("an array of {} dimensions", rank), "a one-dimensional array");
  const std::int64_t count = H5Sget_simple_extent_npoints(space.id());
  if (count < 0) fail(path + " cannot be read (damaged file?)");
  const std::int64_t width = static_cast<std::int64_t>(H5Tget_size(type.id()));
  const std::int64_t stored = static_cast<std::int64_t>(H5Dget_storage_size(dataset.id()));
  if (count > 0 && stored == 0) fail(path + " was never written", fmt::format("0 of {} numbers", count));
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / kMaxCompression;
  if (width <= 0 || count > kMax / width || count * width / kMaxCompression > stored)
    fail(path + " announces more than is stored", fmt::format("{} numbers in {} bytes", count, stored));
  return count;
}

template <class Array>
Array Hdf5Reader::read(const std::string& path, std::int64_t count, bool reals_wanted,
                       hid_t memory_type) const {
  const Hdf5Silence silence;
  const Hdf5Handle dataset = open_dataset(path);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && !(reals_wanted && kind == H5T_FLOAT))
    fail(path, name_class(kind), reals_wanted ? "reals" : "integers");
  const std::int64_t found = check_extent(dataset, path);
  if (count >= 0 && found != count)
    fail(path + " has the wrong length", fmt::format("{}", found), fmt::format("{}", count));
  Array values(found);
  if (found > 0 && H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(path + " cannot be read (damaged file?)");
  return values;
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path, std::int64_t count) const {
  return read<std::vector<std::int64_t>>(path, count, false, H5T_NATIVE_INT64);
}

Eigen::VectorXd Hdf5Reader::reals(const std::string& path, std::int64_t count) const {
  const auto values = read<Eigen::VectorXd>(path, count, true, H5T_NATIVE_DOUBLE);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      fail(fmt::format("{}[{}]", path, i), fmt::format("{}", values[i]), "a finite number");
  return values;
}

Eigen::VectorXd Hdf5Reader::friction(const std::string& path, std::int64_t count) const {
  Eigen::VectorXd values = reals(path, count);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (values[i] < 0)
      fail(fmt::format("{}[{}] is negative", path, i), fmt::format("{}", values[i]), "0 or more");
  return values;
}

std::int64_t Hdf5Reader::integer(const std::string& path, std::int64_t lowest, std::int64_t highest) const {
  const std::int64_t value = integers(path, 1)[0];
  if (value < lowest || value > highest)
    fail(path, fmt::format("{}", value), fmt::format("an integer from {} to {}", lowest, highest));
  return value;
}

std::int64_t Hdf5Reader::length(const std::string& path) const {
  const Hdf5Silence silence;
  return check_extent(open_dataset(path), path);
}

bool Hdf5Reader::is_written(const std::string& path) const {
  const Hdf5Silence silence;
  return has(path) && H5Dget_storage_size(open_dataset(path).id()) > 0;
}

std::string Hdf5Reader::text(const std::string& path) const {
  const Hdf5Silence silence;
  if (!has(path)) return {};
  const Hdf5Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object || H5Iget_type(object.id()) != H5I_DATASET) return {};
  const Hdf5Handle type(H5Dget_type(object.id()), H5Tclose);
  const Hdf5Handle space(H5Dget_space(object.id()), H5Sclose);
  if (!type || !space || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      H5Sget_simple_extent_npoints(space.id()) != 1)
    return {};
  const std::size_t size = H5Tget_size(type.id());
  if (size > kMaxTextLength) return {};
  std::string value(size, '\0');
  if (H5Dread(object.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) return {};
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

}  // namespace saltus
