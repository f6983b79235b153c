#include "saltus/io/checkpoint_file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <type_traits>

#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/io/trajectory_files.hpp"

namespace saltus {

namespace {

constexpr char kMagic[8] = {'s', 'a', 'l', 't', 'u', 's', 'c', '1'};

// Of two pieces as if they were one: states are large, and not copied for it.
std::uint64_t checksum(std::span<const std::byte> first, std::span<const std::byte> second = {}) {
  StateHash hash;
  const std::size_t size = first.size() + second.size();
  hash.add(size);
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::array<std::byte, 8> bytes{};
    const std::size_t end = std::min<std::size_t>(8, size - at);
    for (std::size_t k = 0; k < end; ++k)
      bytes[k] = at + k < first.size() ? first[at + k] : second[at + k - first.size()];
    std::memcpy(&word, bytes.data(), sizeof word);
    hash.add(word);
  }
  return hash.value();
}

template <class T>
void put(const T& value, std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

void put_block(std::span<const std::byte> block, std::vector<std::byte>& bytes) {
  put(static_cast<std::uint64_t>(block.size()), bytes);
  bytes.insert(bytes.end(), block.begin(), block.end());
}

template <class T>
bool take(std::span<const std::byte>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

bool take_block(std::span<const std::byte>& bytes, std::span<const std::byte>& block) {
  std::uint64_t size = 0;
  if (!take(bytes, size) || size > bytes.size()) return false;
  block = bytes.first(size);
  bytes = bytes.subspan(size);
  return true;
}

}  // namespace

std::string checkpoint_path(const std::string& trajectory_path) { return trajectory_path + ".checkpoint"; }

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  std::vector<std::byte> content;
  put(checkpoint.frames, content), put(checkpoint.output_seconds, content), put(checkpoint.figures, content);
  put_block(std::as_bytes(std::span(checkpoint.scene_text)), content);
  put(static_cast<std::uint64_t>(checkpoint.state.size()), content);

  std::vector<std::byte> file;
  put(kMagic, file), put(checksum(content, checkpoint.state), file);
  put(static_cast<std::uint64_t>(content.size() + checkpoint.state.size()), file);
  file.insert(file.end(), content.begin(), content.end());
  replace_file(path, file, checkpoint.state);
}

std::optional<Checkpoint> read_checkpoint(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  const std::string raw{std::istreambuf_iterator<char>(stream), {}};
  std::span<const std::byte> file = std::as_bytes(std::span(raw)), content, text, state;
  std::array<char, 8> magic{};
  std::uint64_t sum = 0;
  Checkpoint checkpoint;
  const bool whole = take(file, magic) && std::memcmp(magic.data(), kMagic, sizeof kMagic) == 0 &&
                     take(file, sum) && take_block(file, content) && file.empty() && sum == checksum(content);
  if (!whole || !take(content, checkpoint.frames) || !take(content, checkpoint.output_seconds) ||
      !take(content, checkpoint.figures) || !take_block(content, text) || !take_block(content, state) ||
      !content.empty())
    throw InputError(path,
                     "not a whole checkpoint of this version of saltus: remove it to start at the beginning");
  checkpoint.scene_text.assign(reinterpret_cast<const char*>(text.data()), text.size());
  checkpoint.state.assign(state.begin(), state.end());
  return checkpoint;
}

}  // namespace saltus
