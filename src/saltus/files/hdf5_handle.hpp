// Ownership of HDF5 identifiers, and quiet: the library prints its error stack unless told not to.
#pragma once

#include <hdf5.h>

#include <utility>

namespace saltus {

// When a disk is full the library cannot close its files, and its exit handler, which tries again, may crash
// the process or print its own words. Files are closed here without it. No effect once the library is in use.
inline void leave_no_exit_handler() {
  static const bool once = (H5dont_atexit(), true);
  static_cast<void>(once);
}

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  // Closes now; false when the library could not (a file that could not be flushed).
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// While alive, HDF5 prints nothing.
class Hdf5Silence {
 public:
  Hdf5Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace saltus
