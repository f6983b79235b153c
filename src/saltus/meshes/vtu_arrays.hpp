// Arrays of VTK's XML files, as text or as bytes (base64 inline, base64 or raw appended), packed by zlib or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

struct VtuArray {
  std::string name, type, format;  // "Float64", "ascii"
  std::int64_t components = 1;
  std::string_view text;     // between its tags
  std::size_t line = 1;      // where that begins
  std::uint64_t offset = 0;  // format "appended"
};

// How the file keeps its bytes.
struct VtuCoding {
  std::string where;
  bool is_swapped = false;    // in the other order than ours
  bool long_header = false;   // lengths are UInt64, not UInt32
  std::string_view appended;  // behind the '_'
  bool is_raw = false;        // appended bytes as they are, not base64
  bool is_packed = false;     // in blocks, each by zlib
};

// The values of an array, `count` of them. Throws InputError that names the array when they are not there.
std::vector<double> read_vtu_reals(const VtuArray& array, std::uint64_t count, const VtuCoding& coding);
std::vector<std::int64_t> read_vtu_integers(const VtuArray& array, std::uint64_t count,
                                            const VtuCoding& coding);
// How many numbers an array of unknown length has.
std::uint64_t count_vtu_values(const VtuArray& array, const VtuCoding& coding);

}  // namespace saltus
