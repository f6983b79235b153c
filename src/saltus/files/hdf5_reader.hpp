// Checked reading of groups and one-dimensional datasets.
//
// Errors are InputError with the file in `where` and the path of the object in the message.
// Nothing outside the file is followed (external links, external or virtual storage), and a
// dataset is given memory only in proportion to what the file stores of it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/files/hdf5_handle.hpp"

namespace saltus {

class Hdf5Reader {
 public:
  static Hdf5Reader open_file(const std::string& path);
  // The bytes must outlive the call only.
  static Hdf5Reader open_image(std::string_view bytes, const std::string& where);

  bool has(const std::string& path) const;
  bool has_group(const std::string& path) const;  // throws when something else has that name
  void require_group(const std::string& path) const;

  // `count` < 0: whatever length the dataset has.
  std::vector<std::int64_t> integers(const std::string& path, std::int64_t count = -1) const;
  Eigen::VectorXd reals(const std::string& path, std::int64_t count = -1) const;  // finite
  Eigen::VectorXd friction(const std::string& path, std::int64_t count) const;    // and >= 0
  std::int64_t integer(const std::string& path, std::int64_t lowest, std::int64_t highest) const;
  bool is_written(const std::string& path) const;  // a dataset with data; writers may make it and stop there
  std::int64_t length(const std::string& path) const;
  std::string text(const std::string& path) const;  // empty when absent or not a string

  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const;

 private:
  explicit Hdf5Reader(std::string where) : where_(std::move(where)) {}
  Hdf5Handle open_object(const std::string& path) const;
  Hdf5Handle open_dataset(const std::string& path) const;
  std::int64_t check_extent(const Hdf5Handle& dataset, const std::string& path) const;
  template <class Array>
  Array read(const std::string& path, std::int64_t count, bool reals_wanted, hid_t memory_type) const;

  std::string where_;
  Hdf5Handle file_;
};

}  // namespace saltus
