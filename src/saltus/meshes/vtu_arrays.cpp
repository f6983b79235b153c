#include "saltus/meshes/vtu_arrays.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/files/zlib_bytes.hpp"
#include "saltus/meshes/number_stream.hpp"

namespace saltus {

namespace {

[[noreturn]] void fail_array(const VtuArray& array, const VtuCoding& coding, const std::string& what,
                             const std::string& value = {}, const std::string& allowed = {}) {
  throw InputError(fmt::format("{}:{}", coding.where, array.line),
                   fmt::format("array '{}': {}", array.name, what), value, allowed);
}

std::size_t size_of_type(const VtuArray& array, const VtuCoding& coding) {
  static const std::pair<const char*, std::size_t> kTypes[] = {
      {"Float64", 8}, {"Float32", 4}, {"Int64", 8},  {"UInt64", 8}, {"Int32", 4},
      {"UInt32", 4},  {"Int16", 2},   {"UInt16", 2}, {"Int8", 1},   {"UInt8", 1}};
  for (const auto& [name, size] : kTypes)
    if (array.type == name) return size;
  fail_array(array, coding, "type", array.type.substr(0, 20),
             "Float32, Float64, Int8 to Int64, UInt8 to UInt64");
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Up to `most` bytes. Groups of four digits are decoded one by one: writers end a group with '=' after the length too.
std::string decode_base64(const VtuArray& array, const VtuCoding& coding, std::string_view text,
                          std::size_t most) {
  std::string bytes;
  std::array<int, 4> group{};
  int have = 0, padding = 0;
  for (const char c : text) {
    if (bytes.size() >= most || c == '<') break;
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    if (c == '=')
      ++padding;
    else if (padding > 0 || base64_digit(c) < 0)
      fail_array(array, coding, "not base64",
                 fmt::format("character {}", static_cast<int>(static_cast<unsigned char>(c))));
    group[have++] = c == '=' ? 0 : base64_digit(c);
    if (have < 4) continue;
    const int bits = group[0] << 18 | group[1] << 12 | group[2] << 6 | group[3];
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(bits >> (16 - 8 * k) & 255);
    have = padding = 0;
  }
  return bytes;
}

// Numbers of the head of an array.
std::vector<std::uint64_t> head_numbers(const std::string& head, const VtuCoding& coding) {
  NumberStream stream(head, coding.where);
  stream.is_swapped = coding.is_swapped;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < head.size() / (coding.long_header ? 8 : 4); ++i)
    numbers.push_back(coding.long_header ? stream.fetch<std::uint64_t>("length")
                                         : stream.fetch<std::uint32_t>("length"));
  return numbers;
}

// Number of blocks, size of a block, size of the last one if it is shorter, packed sizes; then the blocks. `take(n)` gives
// the first n bytes, or fewer; there are at most `most`.
template <class Take>
std::string unpack_blocks(const VtuArray& array, const VtuCoding& coding, std::size_t most,
                          const Take& take) {
  const std::size_t word = coding.long_header ? 8 : 4;
  const std::string start = take(3 * word);
  if (start.size() < 3 * word) fail_array(array, coding, "its bytes are missing");
  const std::vector<std::uint64_t> sizes = head_numbers(start.substr(0, 3 * word), coding);
  const std::uint64_t blocks = sizes[0];
  if (blocks > most / word)
    fail_array(array, coding, "number of blocks", fmt::format("{}", blocks),
               "as many as the file has bytes for");
  const std::size_t head = (3 + blocks) * word;
  const std::string whole_head = take(head);
  if (whole_head.size() < head) fail_array(array, coding, "its bytes are missing");
  const std::vector<std::uint64_t> packed = head_numbers(whole_head.substr(3 * word, blocks * word), coding);
  std::uint64_t total = 0;
  for (const std::uint64_t size : packed)
    if (size > most || (total += size) > most)
      fail_array(array, coding, "size of a block", fmt::format("{} bytes", size), "what is left of the file");
  const std::string all = take(head + total);
  if (all.size() < head + total) fail_array(array, coding, "the data ends early");
  std::string bytes;
  std::size_t at = head;
  for (std::size_t i = 0; i < blocks; ++i) {
    const bool is_last = i + 1 == blocks && sizes[2] > 0;
    const auto block =
        decompress_bytes(std::string_view(all).substr(at, packed[i]), is_last ? sizes[2] : sizes[1]);
    if (!block) fail_array(array, coding, fmt::format("block {} cannot be unpacked (damaged file?)", i));
    bytes += *block;
    at += packed[i];
  }
  return bytes;
}

// The bytes of an array behind its length.
std::string array_bytes(const VtuArray& array, const VtuCoding& coding) {
  const std::size_t header = coding.long_header ? 8 : 4;
  const bool appended = array.format == "appended";
  if (appended && array.offset > coding.appended.size())
    fail_array(array, coding, "offset", fmt::format("{}", array.offset),
               fmt::format("up to {}, the length of the appended data", coding.appended.size()));
  const std::string_view source = appended ? coding.appended.substr(array.offset) : array.text;
  const bool raw = appended && coding.is_raw;
  const auto take = [&](std::size_t most) {
    return raw ? std::string(source.substr(0, most)) : decode_base64(array, coding, source, most);
  };
  if (coding.is_packed) return unpack_blocks(array, coding, source.size(), take);
  const std::string head = take(header);
  if (head.size() < header) fail_array(array, coding, "its bytes are missing");
  const std::uint64_t length = head_numbers(head.substr(0, header), coding)[0];
  if (length > source.size())
    fail_array(array, coding, "length", fmt::format("{} bytes", length),
               fmt::format("at most the {} characters that are left", source.size()));
  std::string bytes = take(header + length);
  if (bytes.size() < header + length)
    fail_array(array, coding, "the data ends early", fmt::format("{} bytes", bytes.size() - header),
               fmt::format("{}", length));
  bytes.resize(header + length);  // base64 comes in threes
  return bytes.substr(header);
}

template <typename T>
T fetch_value(NumberStream& stream, const std::string& type) {
  if (type == "Float64") return static_cast<T>(stream.fetch<double>("values"));
  if (type == "Float32") return static_cast<T>(stream.fetch<float>("values"));
  if (type == "Int64") return static_cast<T>(stream.fetch<std::int64_t>("values"));
  if (type == "UInt64") return static_cast<T>(stream.fetch<std::uint64_t>("values"));
  if (type == "Int32") return static_cast<T>(stream.fetch<std::int32_t>("values"));
  if (type == "UInt32") return static_cast<T>(stream.fetch<std::uint32_t>("values"));
  if (type == "Int16") return static_cast<T>(stream.fetch<std::int16_t>("values"));
  if (type == "UInt16") return static_cast<T>(stream.fetch<std::uint16_t>("values"));
  if (type == "Int8") return static_cast<T>(stream.fetch<std::int8_t>("values"));
  return static_cast<T>(stream.fetch<std::uint8_t>("values"));
}

template <typename T>
std::vector<T> read_array(const VtuArray& array, std::uint64_t count, const VtuCoding& coding) {
  const std::size_t size = size_of_type(array, coding);
  std::vector<T> values;
  if (array.format == "ascii") {
    NumberStream stream(array.text, coding.where, array.line);
    if (count > array.text.size() / 2 + 1)
      fail_array(array, coding, "numbers", fmt::format("{} characters", array.text.size()),
                 fmt::format("room for {} numbers", count));
    values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
      if constexpr (std::is_integral_v<T>)
        values.push_back(
            stream.integer(array.name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
      else
        values.push_back(stream.real(array.name, static_cast<std::int64_t>(i)));
    if (stream.count_remaining_tokens() > 0)
      fail_array(array, coding, "more numbers than expected", {}, fmt::format("{}", count));
    return values;
  }
  if (array.format != "binary" && array.format != "appended")
    fail_array(array, coding, "format", array.format.substr(0, 20), "ascii, binary, appended");
  const std::string bytes = array_bytes(array, coding);
  if (bytes.size() / size != count || bytes.size() % size != 0)
    fail_array(array, coding, "length", fmt::format("{} bytes", bytes.size()),
               fmt::format("{} numbers of {} bytes", count, size));
  NumberStream stream(bytes, coding.where);
  stream.is_swapped = coding.is_swapped;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(fetch_value<T>(stream, array.type));
  return values;
}

}  // namespace

std::vector<double> read_vtu_reals(const VtuArray& array, std::uint64_t count, const VtuCoding& coding) {
  return read_array<double>(array, count, coding);
}

std::vector<std::int64_t> read_vtu_integers(const VtuArray& array, std::uint64_t count,
                                            const VtuCoding& coding) {
  if (array.type.find("Int") == std::string::npos)
    fail_array(array, coding, "type", array.type.substr(0, 20), "Int32, Int64 or another of integers");
  return read_array<std::int64_t>(array, count, coding);
}

std::uint64_t count_vtu_values(const VtuArray& array, const VtuCoding& coding) {
  if (array.format == "ascii") return NumberStream(array.text, coding.where).count_remaining_tokens();
  return array_bytes(array, coding).size() / size_of_type(array, coding);
}

}  // namespace saltus
