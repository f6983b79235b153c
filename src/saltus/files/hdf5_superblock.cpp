#include "saltus/files/hdf5_superblock.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

}  // namespace

bool has_hdf5_signature(std::string_view bytes) { return bytes.substr(0, kSignature.size()) == kSignature; }

// HDF5 File Format Specification 3.0, II.A: where the end-of-file address stands depends on
// the version of the superblock and on the width of addresses.
void check_hdf5_length(std::string_view bytes, const std::string& where) {
  constexpr std::size_t kVersionAt = 8;
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
  };
  const unsigned version = byte(kVersionAt);
  if (version > 3)
    throw InputError(where, "version of the HDF5 superblock", fmt::format("{}", version), "0 to 3");
  const std::size_t width = byte(version < 2 ? 13 : 9);
  if (bytes.size() > kVersionAt + 8 && width != 2 && width != 4 && width != 8)
    throw InputError(where, "width of the HDF5 addresses", fmt::format("{}", width), "2, 4 or 8");
  const std::size_t addresses = version == 0 ? 24 : version == 1 ? 28 : 12;
  const std::size_t end_at = addresses + 2 * width;
  if (bytes.size() < end_at + width)
    throw InputError(where, "truncated HDF5 file", fmt::format("{} bytes", bytes.size()),
                     "a whole superblock");
  const std::uint64_t end = little_endian(bytes.substr(end_at, width));
  if (bytes.size() < end)
    throw InputError(where, "truncated HDF5 file", fmt::format("{} bytes", bytes.size()),
                     fmt::format("the {} bytes of its superblock", end));
}

}  // namespace saltus
