#include "saltus/fclib/fc_problem_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_fclib_read.hpp"
#include "saltus/files/hdf5_superblock.hpp"

namespace saltus {

namespace {

std::string read_bytes(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path, "no such file");
  if (std::filesystem::is_directory(status)) throw InputError(path, "is a directory", {}, "a problem file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw InputError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  std::string bytes;
  if (const auto size = stream.tellg(); size > 0) bytes.resize(static_cast<std::size_t>(size));
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw InputError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  if (bytes.empty()) throw InputError(path, "the file is empty");
  return bytes;
}

}  // namespace

FcProblemFile read_fc_problem(const std::string& path, const FcReadOptions& options) {
  const std::string bytes = read_bytes(path);
  if (!has_hdf5_signature(bytes)) return read_siconos_text(bytes, path, options);
  check_hdf5_length(bytes, path);
  return read_fclib(Hdf5Reader::open_file(path), path, options);
}

}  // namespace saltus
