#include "saltus/files/trajectory_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

constexpr int kOldFile = O_WRONLY | O_CLOEXEC;
constexpr int kStream = O_WRONLY | O_APPEND | O_CLOEXEC;

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, 0666)) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  bool write(std::span<const std::byte> content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) content = content.subspan(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() { return ::fsync(descriptor_) == 0; }

 private:
  int descriptor_;
};

}  // namespace

std::string make_part(const std::string& path) {
  constexpr int kNames = 1000;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = i == 0 ? path + ".part" : fmt::format("{}.{}.part", path, i);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return name;
    }
    if (errno != EEXIST) throw OutputError(path, reason(errno));
  }
  throw OutputError(path, fmt::format("{}.part and {} names like it are taken", path, kNames - 1));
}

void replace_file(const std::string& path, const std::function<void(const ByteSink&)>& write) {
  const bool stream = is_special(path);
  const std::string place = follow_links(path), temporary = stream ? "" : make_part(place);
  int error = 0;
  const auto require = [&](bool good) { error = error || good ? error : errno; };
  {
    Descriptor file(stream ? path : temporary, stream ? kStream : kOldFile);
    require(file.is_open());
    write([&](std::span<const std::byte> part) {
      if (!error) require(file.write(part));
    });
    if (!error && !stream) require(file.sync());
  }
  if (!error && !stream) require(::rename(temporary.c_str(), place.c_str()) == 0);
  if (!error) return;
  if (!stream) ::unlink(temporary.c_str());
  throw OutputError(path, reason(error));
}

void replace_file(const std::string& path, const std::string& text) {
  replace_file(path, [&](const ByteSink& sink) { sink(std::as_bytes(std::span(text))); });
}

void check_writable(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw OutputError(path, reason(EISDIR));
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) throw OutputError(path, reason(errno));
    return;
  }
  ::unlink(make_part(follow_links(path)).c_str());
}

void exchange_files(const std::string& visible, const std::string& other) {
  if (::renameat2(AT_FDCWD, other.c_str(), AT_FDCWD, visible.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) throw OutputError(visible, reason(errno));
  // File systems that cannot exchange (network ones): a second name keeps the old file while the new one
  // takes its place.
  const std::string spare = visible + ".old";
  ::unlink(spare.c_str());
  if (::link(visible.c_str(), spare.c_str()) != 0 || ::rename(other.c_str(), visible.c_str()) != 0 ||
      ::rename(spare.c_str(), other.c_str()) != 0)
    throw OutputError(visible, reason(errno) + " (the file system can neither exchange nor link files)");
}

void copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (error) throw OutputError(to, error.message());
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw OutputError(path, reason(errno));
}

}  // namespace saltus
