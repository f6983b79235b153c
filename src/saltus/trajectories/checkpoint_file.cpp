#include "saltus/trajectories/checkpoint_file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <type_traits>

#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/files/trajectory_files.hpp"

namespace saltus {

namespace {

constexpr char kMagic[8] = {'s', 'a', 'l', 't', 'u', 's', 'c', '4'};

// Of all bytes together, however they are cut into parts.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
      word_ |= static_cast<std::uint64_t>(byte) << (8 * (size_ % 8));
      if (++size_ % 8 == 0) add_word();
    }
  }
  std::uint64_t value() {
    add_word();
    hash_.add(size_);
    return hash_.value();
  }

 private:
  void add_word() {
    hash_.add(word_);
    word_ = 0;
  }
  StateHash hash_;
  std::uint64_t word_ = 0, size_ = 0;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
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

std::string checkpoint_path(const std::string& trajectory_path) {
  return follow_links(trajectory_path) + ".checkpoint";
}

void encode_checkpoint(const CheckpointHeader& header, const std::function<void(const ByteSink&)>& save,
                       const ByteSink& sink) {
  Checksum sum;
  const ByteSink put = [&](std::span<const std::byte> part) {
    sum.add(part);
    sink(part);
  };
  put(bytes_of(kMagic));
  put(bytes_of(header.frames)), put(bytes_of(header.output_seconds)), put(bytes_of(header.figures));
  put(bytes_of(static_cast<std::uint64_t>(header.scene_text.size())));
  put(std::as_bytes(std::span(header.scene_text)));
  put(bytes_of(static_cast<std::uint64_t>(header.measures.size() * sizeof(double))));
  put(std::as_bytes(std::span(header.measures)));
  save(put);
  sink(bytes_of(sum.value()));
}

Checkpoint decode_checkpoint(std::span<const std::byte> content, const std::string& where) {
  std::span<const std::byte> text, measures, last;
  std::array<char, 8> magic{};
  std::uint64_t sum = 0;
  Checkpoint checkpoint;
  Checksum found;
  last = content.last(std::min(content.size(), sizeof sum));
  content = content.first(content.size() - last.size());
  found.add(content);
  const bool whole = take(last, sum) && sum == found.value() && take(content, magic);
  // The last character is the version.
  if (whole && magic.back() != kMagic[7] && std::memcmp(magic.data(), kMagic, sizeof kMagic - 1) == 0)
    throw InputError(
        where,
        "the state to go on from is of another version of saltus: go on with the version that wrote it, or "
        "begin anew (saltus run --force)");
  if (!whole || std::memcmp(magic.data(), kMagic, sizeof kMagic) != 0 || !take(content, checkpoint.frames) ||
      !take(content, checkpoint.output_seconds) || !take(content, checkpoint.figures) ||
      !take_block(content, text) || !take_block(content, measures) || measures.size() % sizeof(double) != 0)
    throw InputError(where, "the state to go on from is damaged: begin anew (saltus run --force)");
  checkpoint.scene_text.assign(reinterpret_cast<const char*>(text.data()), text.size());
  checkpoint.measures.resize(measures.size() / sizeof(double));
  if (!measures.empty()) std::memcpy(checkpoint.measures.data(), measures.data(), measures.size());
  checkpoint.state.assign(content.begin(), content.end());
  return checkpoint;
}

void write_checkpoint(const std::string& path, const CheckpointHeader& header,
                      const std::function<void(const ByteSink&)>& save) {
  replace_file(path, [&](const ByteSink& file) { encode_checkpoint(header, save, file); });
}

std::optional<Checkpoint> read_checkpoint(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  const std::string raw{std::istreambuf_iterator<char>(stream), {}};
  return decode_checkpoint(std::as_bytes(std::span(raw)), path);
}

}  // namespace saltus
