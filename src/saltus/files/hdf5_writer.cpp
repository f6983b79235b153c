#include "saltus/files/hdf5_writer.hpp"

#include <filesystem>

#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/files/trajectory_files.hpp"

namespace saltus {

Hdf5Writer::Hdf5Writer(const std::string& path)
    : path_((leave_no_exit_handler(), OutputClaims(true).claim("output", path, OutputKind::file))),
      temporary_(make_part(path_)),
      link_(H5Pcreate(H5P_LINK_CREATE), H5Pclose) {
  const Hdf5Silence silence;
  H5Pset_create_intermediate_group(link_.id(), 1);
  file_ = Hdf5Handle(H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (file_) return;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
  fail("the HDF5 library cannot make the file (disk full?)");
}

Hdf5Writer::~Hdf5Writer() {
  if (!file_) return;
  const Hdf5Silence silence;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void Hdf5Writer::fail(const std::string& what) const { throw OutputError(path_, what); }

void Hdf5Writer::write(const std::string& path, hid_t file_type, hid_t memory_type, hsize_t count,
                       const void* data) {
  const Hdf5Silence silence;
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle dataset(
      H5Dcreate2(file_.id(), path.c_str(), file_type, space.id(), link_.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!dataset || (count > 0 && H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
    fail("the HDF5 library failed (disk full?)");
}

void Hdf5Writer::integers(const std::string& path, const std::vector<int>& values) {
  write(path, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
}

void Hdf5Writer::reals(const std::string& path, const Eigen::Ref<const Eigen::VectorXd>& values) {
  write(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, static_cast<hsize_t>(values.size()), values.data());
}

void Hdf5Writer::text(const std::string& path, const std::string& value) {
  const Hdf5Silence silence;
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), value.size() + 1);
  const Hdf5Handle dataset(
      H5Dcreate2(file_.id(), path.c_str(), type.id(), space.id(), link_.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!dataset || H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) < 0)
    fail("the HDF5 library failed (disk full?)");
}

void Hdf5Writer::commit() {
  const Hdf5Silence silence;
  const bool flushed = file_.close();
  std::error_code error;
  if (flushed) std::filesystem::rename(temporary_, path_, error);
  if (flushed && !error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
  fail(flushed ? error.message() : "the HDF5 library failed (disk full?)");
}

}  // namespace saltus
