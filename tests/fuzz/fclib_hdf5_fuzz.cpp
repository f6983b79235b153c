// Valid HDF5 containers with spoiled contents. Starting from small problems of every form, the
// bytes say for each dataset whether it is kept, dropped, resized, given other values, another
// type, an extent without data, or replaced by a group. (Damaged containers are another matter:
// tests/fclib/damaged_container_test.cpp.)
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "files/hdf5_edit.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"

namespace {

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }  // zeros at the end: everything is kept

  int integer() {
    switch (const int choice = next() % 8) {
      case 0: return std::numeric_limits<int>::max();
      case 1: return std::numeric_limits<int>::min();
      case 2: return next() << 24 | next() << 16 | next() << 8 | next();
      default: return static_cast<std::int8_t>(next()) + choice - 3;
    }
  }
  double real() {
    constexpr double kSpecial[] = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::max(),
                                   std::numeric_limits<double>::denorm_min(),
                                   0.0,
                                   -1.0};
    const int choice = next() % 12;
    return choice < 6 ? kSpecial[choice] : static_cast<std::int8_t>(next()) / 16.0;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

class Spoiler {
 public:
  Spoiler(ByteSource& bytes, saltus::Hdf5Edit& edit) : bytes_(bytes), edit_(edit) {}

  void integers(const std::string& path, std::vector<int> values) {
    const int change = bytes_.next() % 16;
    if (change == 1) values.resize(bytes_.next() % 24);
    if (change <= 2 && change > 0 && !values.empty())
      for (int count = 1 + bytes_.next() % 4; count-- > 0;)
        values[bytes_.next() % values.size()] = bytes_.integer();
    if (change == 3) return edit_.reals(path, {values.begin(), values.end()});
    if (!spoil(path, change)) edit_.integers(path, values);
  }
  void reals(const std::string& path, std::vector<double> values) {
    const int change = bytes_.next() % 16;
    if (change == 1) values.resize(bytes_.next() % 24);
    if (change <= 2 && change > 0 && !values.empty())
      for (int count = 1 + bytes_.next() % 4; count-- > 0;)
        values[bytes_.next() % values.size()] = bytes_.real();
    if (change == 3) return edit_.integers(path, {1, 2, 3});
    if (!spoil(path, change)) edit_.reals(path, values);
  }
  void group(const std::string& path) { edit_.group(path); }

  // A matrix with entries at (i, j) = (k mod rows, k mod cols), in one of the three encodings.
  void matrix(const std::string& path, int rows, int cols, int entries) {
    const int encoding = bytes_.next() % 3;
    std::vector<int> p, i;
    if (encoding == 0) {
      for (int k = 0; k < entries; ++k) i.push_back(k % rows), p.push_back(k % cols);
    } else {
      const int outer = encoding == 1 ? cols : rows, inner = encoding == 1 ? rows : cols;
      for (int j = 0; j <= outer; ++j) p.push_back(entries * j / outer);
      for (int k = 0; k < entries; ++k) i.push_back(k % inner);
    }
    group(path);
    integers(path + "/m", {rows});
    integers(path + "/n", {cols});
    integers(path + "/nz", {encoding == 0 ? entries : -encoding});
    integers(path + "/p", p);
    integers(path + "/i", i);
    reals(path + "/x", std::vector<double>(static_cast<std::size_t>(entries), 2.0));
  }

 private:
  bool spoil(const std::string& path, int change) {
    switch (change) {
      case 4: return true;  // left out
      case 5: edit_.text(path, "text"); return true;
      case 6: edit_.compound(path); return true;
      case 7: edit_.table(path, 1 + bytes_.next() % 3, bytes_.next() % 3); return true;
      case 8: edit_.announced(path, hsize_t(1) << bytes_.next() % 62); return true;
      case 9: edit_.group(path); return true;
      default: return false;
    }
  }

  ByteSource& bytes_;
  saltus::Hdf5Edit& edit_;
};

void write_local(const std::string& path, int block, bool rolling, bool equalities, Spoiler& spoiler) {
  const int size = 2 * block;
  spoiler.integers(path + "/spacedim", {block});
  spoiler.matrix(path + "/W", size, size, size);
  spoiler.reals(path + "/vectors/q", std::vector<double>(size, -1.0));
  spoiler.reals(path + "/vectors/mu", {0.3, 0.4});
  if (rolling) spoiler.reals(path + "/vectors/mu_r", {0.1, 0.2});
  if (!equalities) return;
  spoiler.matrix(path + "/V", size, 2, 3);
  spoiler.matrix(path + "/R", 2, 2, 2);
  spoiler.reals(path + "/vectors/s", {1, 2});
}

void write_global(const std::string& path, int block, bool rolling, bool equalities, Spoiler& spoiler) {
  const int size = 2 * block, dofs = 6;
  spoiler.integers(path + "/spacedim", {block});
  spoiler.matrix(path + "/M", dofs, dofs, dofs);
  spoiler.matrix(path + "/H", dofs, size, 8);
  spoiler.reals(path + "/vectors/f", std::vector<double>(dofs, -1.0));
  spoiler.reals(path + "/vectors/w", std::vector<double>(size, 0.0));
  spoiler.reals(path + "/vectors/mu", {0.3, 0.4});
  if (rolling) spoiler.reals(path + "/vectors/mu_r", {0.1, 0.2});
  if (!equalities) return;
  spoiler.matrix(path + "/G", dofs, 1, 2);
  spoiler.reals(path + "/vectors/b", {0.5});
}

void write_container(ByteSource& bytes, saltus::Hdf5Edit& edit) {
  Spoiler spoiler(bytes, edit);
  const int form = bytes.next();
  const bool global = form & 1, rolling = form & 2, equalities = form & 4, plane = form & 8,
             solved = form & 16;
  const int block = rolling ? (plane ? 3 : 5) : (plane ? 2 : 3);
  const std::string path =
      std::string(global ? "/fclib_global" : "/fclib_local") + (rolling ? "_rolling" : "");
  edit.group(path);
  edit.group(path + "/vectors");
  (global ? write_global : write_local)(path, block, rolling, equalities, spoiler);
  edit.group(path + "/info");
  spoiler.reals(path + "/info/title", {1});
  if (!solved) return;
  edit.group("/solution");
  spoiler.reals("/solution/r", std::vector<double>(2 * block, 0.0));
  spoiler.reals("/solution/u", std::vector<double>(2 * block, 0.0));
  edit.group("/guesses");
  spoiler.integers("/guesses/number_of_guesses", {0});
}

std::string build_container(ByteSource& bytes) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 14, false);
  const hid_t file = H5Fcreate("fuzzed", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  saltus::Hdf5Edit edit(file);
  write_container(bytes, edit);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string image(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, image.data(), image.size());
  return image;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  ByteSource bytes(data, size);
  const std::string image = build_container(bytes);
  try {
    saltus::read_fclib_image(image, "fuzzed");
  } catch (const saltus::InputError&) {
  }
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0) __builtin_trap();  // a handle was left open
  return 0;
}
