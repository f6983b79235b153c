// Small problems, and what it takes to spoil their HDF5 files.
#pragma once

#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "saltus/fclib/fc_problem_file.hpp"

namespace saltus {

// A file of its own for each test, gone with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_((std::filesystem::temp_directory_path() / ("saltus_" + std::to_string(::getpid()) + "_" + name))
                  .string()) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Two contacts in 3D that share a body: every block of W is there.
inline FcProblemFile small_local_file() {
  ContactProblem problem;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6) * 2;
  W.topRightCorner(3, 3).setConstant(0.5);
  W.bottomLeftCorner(3, 3).setConstant(0.5);
  problem.W = build_block_matrix(W.sparseView(), 3);
  problem.b = Eigen::VectorXd::LinSpaced(6, -1, 4);
  problem.mu = Eigen::VectorXd::LinSpaced(2, 0.3, 0.4);
  FcProblemFile file;
  file.problem = problem;
  file.title = "small";
  return file;
}

// One contact in 2D on two bodies of 3 dofs, held by one bilateral row.
inline FcProblemFile small_global_file() {
  GlobalProblem problem;
  problem.cone = ConeKind::coulomb_2d;
  problem.M = Eigen::MatrixXd(Eigen::VectorXd::LinSpaced(6, 1, 6).asDiagonal()).sparseView();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6, 2);
  H.topRows(3) << 1, 0, 0, 1, 0.5, 0.25;
  problem.H = H.sparseView();
  problem.G = Eigen::MatrixXd(Eigen::VectorXd::Ones(6)).sparseView();
  problem.f = Eigen::VectorXd::LinSpaced(6, 0, 1);
  problem.w = Eigen::VectorXd::LinSpaced(2, -1, 0.5);
  problem.c = Eigen::VectorXd::Constant(1, 0.25);
  problem.mu = Eigen::VectorXd::Constant(1, 0.3);
  FcProblemFile file;
  file.problem = problem;
  return file;
}

// Opens for changes; every change removes what was at the path.
class Hdf5Edit {
 public:
  explicit Hdf5Edit(const std::string& path) : Hdf5Edit(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  explicit Hdf5Edit(hid_t file) : file_(file) {}  // takes it over
  ~Hdf5Edit() { H5Fclose(file_); }

  bool has(const std::string& path) const { return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0; }
  void remove(const std::string& path) { H5Ldelete(file_, path.c_str(), H5P_DEFAULT); }
  void integers(const std::string& path, const std::vector<int>& values) {
    put(path, H5T_STD_I32LE, {values.size()}, H5T_NATIVE_INT, values.data());
  }
  void reals(const std::string& path, const std::vector<double>& values) {
    put(path, H5T_IEEE_F64LE, {values.size()}, H5T_NATIVE_DOUBLE, values.data());
  }
  void table(const std::string& path, hsize_t rows, hsize_t cols) {
    const std::vector<double> zeros(rows * cols);
    put(path, H5T_IEEE_F64LE, {rows, cols}, H5T_NATIVE_DOUBLE, zeros.data());
  }
  void text(const std::string& path, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, value.size() + 1);
    put(path, type, {1}, type, value.c_str());
    H5Tclose(type);
  }
  void compound(const std::string& path) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(double));
    H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
    const double value = 1;
    put(path, type, {1}, type, &value);
    H5Tclose(type);
  }
  void group(const std::string& path) {
    if (has(path)) remove(path);
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void outside_link(const std::string& path) {
    remove(path);
    H5Lcreate_external("other.hdf5", "/x", file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
  // An extent without data.
  void announced(const std::string& path, hsize_t count) { put(path, H5T_IEEE_F64LE, {count}, 0, nullptr); }

 private:
  void put(const std::string& path, hid_t type, const std::vector<hsize_t>& shape, hid_t memory_type,
           const void* data) {
    if (has(path)) remove(path);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (data) H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(dataset);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace saltus
