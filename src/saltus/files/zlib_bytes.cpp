#include "saltus/files/zlib_bytes.hpp"

#include <zlib.h>

#include <new>

namespace saltus {

std::string compress_bytes(std::string_view bytes) {
  uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 1);
  if (status != Z_OK) throw std::bad_alloc();  // nothing else can go wrong with room enough
  packed.resize(size);
  return packed;
}

std::optional<std::string> decompress_bytes(std::string_view packed, std::size_t size) {
  constexpr std::size_t kBestRatio = 1032;
  if (size / kBestRatio > packed.size()) return std::nullopt;
  std::string bytes(size, '\0');
  uLongf length = static_cast<uLongf>(size);
  const int status =
      ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                   reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (status != Z_OK || length != size) return std::nullopt;
  return bytes;
}

}  // namespace saltus
