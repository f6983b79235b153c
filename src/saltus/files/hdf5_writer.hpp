// Writes groups and one-dimensional datasets in the types of FCLib (little-endian int32 and
// float64), into a file that appears complete or not at all.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "saltus/files/hdf5_handle.hpp"

namespace saltus {

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path);
  ~Hdf5Writer();  // without commit: leaves no trace
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  // Groups on the way to `path` are made as needed.
  void integers(const std::string& path, const std::vector<int>& values);
  void reals(const std::string& path, const Eigen::Ref<const Eigen::VectorXd>& values);
  void text(const std::string& path, const std::string& value);

  // Flushes, closes and moves the file to its place.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void write(const std::string& path, hid_t file_type, hid_t memory_type, hsize_t count, const void* data);

  std::string path_, temporary_;
  Hdf5Handle file_, link_;
};

}  // namespace saltus
